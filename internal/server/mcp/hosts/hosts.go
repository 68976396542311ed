// Package hosts knows the programs that start MCP servers: where each stores its settings, and in
// which format. It reads and writes no files.
package hosts

import (
	"cmp"
	"errors"
	"maps"
	"strings"
)

// Machine is the environment that determines where settings are stored.
type Machine struct {
	OS      string            // a value of runtime.GOOS
	Environ map[string]string // the environment of the user
}

// Server is an MCP server that a host starts.
type Server struct {
	Name    string // its name in the host's settings
	Command string
	Args    []string
	Env     map[string]string // variables to store in the settings
	Passed  []string          // variables that the host passes on from its own environment
}

// Host is a program that starts MCP servers.
type Host struct {
	Name  string // as a person types it: claude-code
	Title string // as its vendor writes it: Claude Code

	// Project is the path of its settings for one project, relative to the project's folder, with
	// slashes. Empty: it has none.
	Project string

	user   func(Machine) string
	signs  func(Machine) []string // files and folders that exist if it is installed; nil: the folder of its settings
	edit   func(before []byte, key string, s Server, fields map[string]any) ([]byte, error)
	key    string // the object or table that holds the servers
	typed  bool   // an entry has the field type
	passes func(s *Server, fields map[string]any)
}

// All returns the known hosts, sorted by name.
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

// Find returns the host with a name.
func Find(name string) (Host, bool) {
	for _, h := range All() {
		if h.Name == strings.ToLower(name) {
			return h, true
		}
	}
	return Host{}, false
}

// File returns the path of the user's settings. Empty: the home folder of the user is not known.
func (h Host) File(m Machine) string { return h.user(m) }

// Signs returns files and folders; if one exists, the host is installed.
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

// Passes reports whether the host can pass on variables of its own environment.
func (h Host) Passes() bool { return h.passes != nil }

// errAddressed is returned if the settings have a server of that name with a URL: hosts either
// start a server or connect to one.
var errAddressed = errors.New("a server of that name is there already, at an address: take another --name, or remove it first")

// addressed reports whether an entry has a URL.
func addressed(entry map[string]any) bool {
	return entry["url"] != nil || entry["serverUrl"] != nil || entry["httpUrl"] != nil
}

// Edit adds a server to the settings of the host, and keeps the rest, with comments. It returns an
// error if the settings cannot be parsed, or if it cannot be sure to keep the rest.
func (h Host) Edit(before []byte, s Server) ([]byte, error) {
	fields := map[string]any{"command": s.Command, "args": s.Args}
	if h.typed {
		fields["type"] = "stdio"
	}
	s.Env = maps.Collect(maps.All(s.Env)) // leaves the caller's map unchanged
	if h.passes != nil {
		h.passes(&s, fields)
	}
	if len(s.Env) > 0 {
		fields["env"] = s.Env
	}
	return h.edit(before, h.key, s, fields)
}

// reference makes a function that stores a reference to each passed variable in place of its value.
// opening is what precedes the name.
func reference(opening string) func(*Server, map[string]any) {
	return func(s *Server, _ map[string]any) {
		for _, name := range s.Passed {
			s.Env[name] = opening + name + "}"
		}
	}
}

// byName lists the passed variables in a field of their own.
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

// settings returns the folder in which desktop programs store their settings.
func (m Machine) settings() string {
	switch m.OS {
	case "windows":
		return cmp.Or(m.Environ["APPDATA"], m.path(m.home(), "AppData", "Roaming"))
	case "darwin":
		return m.path(m.home(), "Library", "Application Support")
	}
	return cmp.Or(m.Environ["XDG_CONFIG_HOME"], m.path(m.home(), ".config"))
}

// path joins the parts of a path; "" if the first is empty.
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
