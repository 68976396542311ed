// Package hosts knows the programs that start MCP servers: where each keeps its
// settings, and how a server is written there. It reads and writes no files.
package hosts

import (
	"cmp"
	"errors"
	"maps"
	"strings"
)

// Machine is what the places of settings depend on.
type Machine struct {
	OS      string            // as runtime.GOOS has it
	Environ map[string]string // of the user
}

// Server is what a host starts.
type Server struct {
	Name    string // what the host calls it
	Command string
	Args    []string
	Env     map[string]string // variables that the settings hold
	Passed  []string          // variables that the host passes on from its own environment
}

// Host is a program that starts MCP servers.
type Host struct {
	Name  string // as a person types it: claude-code
	Title string // as its makers write it: Claude Code

	// Project is the file of its settings for one project, below the project's
	// folder, with slashes. Empty: it has none.
	Project string

	user   func(Machine) string
	signs  func(Machine) []string // folders and files that are there where it is installed; nil: the folder of its settings
	edit   func(before []byte, key string, s Server, fields map[string]any) ([]byte, error)
	key    string // of the object or table that holds the servers
	typed  bool   // an entry says that it is started, not called
	passes func(s *Server, fields map[string]any)
}

// All are the hosts that are known, by name.
func All() []Host {
	return []Host{
		{
			Name: "claude-code", Title: "Claude Code", Project: ".mcp.json", key: "mcpServers", typed: true, edit: editJSON, passes: reference("${"),
			user: func(m Machine) string {
				return m.path(cmp.Or(m.Environ["CLAUDE_CONFIG_DIR"], m.home()), ".claude.json")
			},
			signs: func(m Machine) []string {
				return []string{m.path(cmp.Or(m.Environ["CLAUDE_CONFIG_DIR"], m.home()), ".claude.json"), m.path(m.home(), ".claude")}
			},
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", key: "mcpServers", edit: editJSON,
			user: func(m Machine) string { return m.path(m.settings(), "Claude", "claude_desktop_config.json") },
		},
		{
			Name: "codex", Title: "Codex", Project: ".codex/config.toml", key: "mcp_servers", edit: editTOML, passes: byName,
			user: func(m Machine) string {
				return m.path(cmp.Or(m.Environ["CODEX_HOME"], m.path(m.home(), ".codex")), "config.toml")
			},
		},
		{
			Name: "cursor", Title: "Cursor", Project: ".cursor/mcp.json", key: "mcpServers", edit: editJSON, passes: reference("${env:"),
			user: func(m Machine) string { return m.path(m.home(), ".cursor", "mcp.json") },
		},
		{
			Name: "gemini", Title: "Gemini CLI", Project: ".gemini/settings.json", key: "mcpServers", edit: editJSON, passes: reference("${"),
			user: func(m Machine) string { return m.path(m.home(), ".gemini", "settings.json") },
		},
		{
			Name: "vscode", Title: "VS Code", Project: ".vscode/mcp.json", key: "servers", typed: true, edit: editJSON, passes: reference("${env:"),
			user: func(m Machine) string { return m.path(m.settings(), "Code", "User", "mcp.json") },
		},
		{
			Name: "windsurf", Title: "Windsurf", key: "mcpServers", edit: editJSON, passes: reference("${env:"),
			user: func(m Machine) string { return m.path(m.home(), ".codeium", "windsurf", "mcp_config.json") },
		},
	}
}

// Find returns the host of a name.
func Find(name string) (Host, bool) {
	for _, h := range All() {
		if h.Name == strings.ToLower(name) {
			return h, true
		}
	}
	return Host{}, false
}

// File is where the host keeps the settings of a user. Empty: the machine does
// not say where its user's home is.
func (h Host) File(m Machine) string { return h.user(m) }

// Signs are folders and files of which one is there where the host was used.
func (h Host) Signs(m Machine) []string {
	if h.signs != nil {
		return h.signs(m)
	}
	file := h.user(m)
	if at := strings.LastIndexAny(file, `/\`); at > 0 {
		return []string{file[:at]}
	}
	return nil
}

// Passes tells whether the host can pass on a variable of its own environment.
func (h Host) Passes() bool { return h.passes != nil }

// errAddressed is the refusal to start as a program what is reached at an address:
// hosts take one or the other.
var errAddressed = errors.New("a server of that name is there already, at an address: take another --name, or remove it first")

// addressed reports whether an entry is of a server at an address.
func addressed(entry map[string]any) bool {
	return entry["url"] != nil || entry["serverUrl"] != nil || entry["httpUrl"] != nil
}

// Edit writes a server into the settings of the host, and keeps what they hold
// otherwise, with comments. It fails where they cannot be read or that cannot be
// sure.
func (h Host) Edit(before []byte, s Server) ([]byte, error) {
	fields := map[string]any{"command": s.Command, "args": s.Args}
	if h.typed {
		fields["type"] = "stdio"
	}
	s.Env = maps.Collect(maps.All(s.Env)) // the caller keeps their own
	if h.passes != nil {
		h.passes(&s, fields)
	}
	if len(s.Env) > 0 {
		fields["env"] = s.Env
	}
	return h.edit(before, h.key, s, fields)
}

// reference names a variable in braces, behind what opens them, where its value
// would stand.
func reference(opening string) func(*Server, map[string]any) {
	return func(s *Server, _ map[string]any) {
		for _, name := range s.Passed {
			s.Env[name] = opening + name + "}"
		}
	}
}

// byName lists the names of variables beside the others.
func byName(s *Server, fields map[string]any) {
	if len(s.Passed) > 0 {
		fields["env_vars"] = s.Passed
	}
}

func (m Machine) home() string {
	if m.OS == "windows" {
		return m.Environ["USERPROFILE"]
	}
	return m.Environ["HOME"]
}

// settings is the folder where programs with windows keep theirs.
func (m Machine) settings() string {
	switch m.OS {
	case "windows":
		return cmp.Or(m.Environ["APPDATA"], m.path(m.home(), "AppData", "Roaming"))
	case "darwin":
		return m.path(m.home(), "Library", "Application Support")
	}
	return cmp.Or(m.Environ["XDG_CONFIG_HOME"], m.path(m.home(), ".config"))
}

// path joins the parts of a path, or returns "" where the first is not known.
func (m Machine) path(first string, parts ...string) string {
	if first == "" {
		return ""
	}
	separator := "/"
	if m.OS == "windows" {
		separator = `\`
	}
	return strings.Join(append([]string{strings.TrimRight(first, separator)}, parts...), separator)
}
