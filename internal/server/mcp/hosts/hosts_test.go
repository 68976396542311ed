package hosts_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"github.com/annalsdb/annals/internal/server/mcp/hosts"
)

func TestFilesOfUsers(t *testing.T) {
	t.Parallel()
	linux := hosts.Machine{OS: "linux", Environ: map[string]string{"HOME": "/home/ann"}}
	mac := hosts.Machine{OS: "darwin", Environ: map[string]string{"HOME": "/Users/ann"}}
	windows := hosts.Machine{OS: "windows", Environ: map[string]string{"USERPROFILE": `C:\Users\ann`, "APPDATA": `C:\Users\ann\AppData\Roaming`}}
	want := map[string][3]string{
		"claude-code":    {"/home/ann/.claude.json", "/Users/ann/.claude.json", `C:\Users\ann\.claude.json`},
		"claude-desktop": {"/home/ann/.config/Claude/claude_desktop_config.json", "/Users/ann/Library/Application Support/Claude/claude_desktop_config.json", `C:\Users\ann\AppData\Roaming\Claude\claude_desktop_config.json`},
		"codex":          {"/home/ann/.codex/config.toml", "/Users/ann/.codex/config.toml", `C:\Users\ann\.codex\config.toml`},
		"cursor":         {"/home/ann/.cursor/mcp.json", "/Users/ann/.cursor/mcp.json", `C:\Users\ann\.cursor\mcp.json`},
		"gemini":         {"/home/ann/.gemini/settings.json", "/Users/ann/.gemini/settings.json", `C:\Users\ann\.gemini\settings.json`},
		"vscode":         {"/home/ann/.config/Code/User/mcp.json", "/Users/ann/Library/Application Support/Code/User/mcp.json", `C:\Users\ann\AppData\Roaming\Code\User\mcp.json`},
		"windsurf":       {"/home/ann/.codeium/windsurf/mcp_config.json", "/Users/ann/.codeium/windsurf/mcp_config.json", `C:\Users\ann\.codeium\windsurf\mcp_config.json`},
	}
	for _, h := range hosts.All() {
		if got := [3]string{h.File(linux), h.File(mac), h.File(windows)}; got != want[h.Name] {
			t.Errorf("%s: %q, want %q", h.Name, got, want[h.Name])
		}
		if file := h.File(hosts.Machine{OS: "linux"}); file != "" {
			t.Errorf("%s without a home: %q", h.Name, file)
		}
		if signs := h.Signs(linux); len(signs) == 0 || !strings.HasPrefix(signs[0], "/home/ann/") {
			t.Errorf("%s is known by %q", h.Name, signs)
		}
		delete(want, h.Name)
	}
	if len(want) > 0 {
		t.Errorf("there are no hosts %v", want)
	}
	own := hosts.Machine{OS: "linux", Environ: map[string]string{"HOME": "/h", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d", "XDG_CONFIG_HOME": "/x"}}
	for name, file := range map[string]string{"codex": "/c/config.toml", "claude-code": "/d/.claude.json", "vscode": "/x/Code/User/mcp.json"} {
		if h, ok := hosts.Find(name); !ok || h.File(own) != file {
			t.Errorf("%s: %q, want %q", name, h.File(own), file)
		}
	}
}

var server = hosts.Server{
	Name: "annals", Command: "/usr/bin/annals", Args: []string{"mcp", "--group", "alice"},
	Env: map[string]string{"ANNALS_LLM": "offline"}, Passed: []string{"ANNALS_DATABASE_URL"},
}

func edited(t *testing.T, host, before string) string {
	t.Helper()
	h, ok := hosts.Find(host)
	if !ok {
		t.Fatal("no host", host)
	}
	after, err := h.Edit([]byte(before), server)
	if err != nil {
		t.Fatalf("%s: %v in %s", host, err, before)
	}
	again, err := h.Edit(after, server)
	if err != nil || string(again) != string(after) {
		t.Errorf("%s: %v; the second time %s\nand the first %s", host, err, again, after)
	}
	return string(after)
}

func TestNewSettings(t *testing.T) {
	t.Parallel()
	const stdio = "{\n  \"mcpServers\": {\n    \"annals\": {\n      \"command\": \"/usr/bin/annals\",\n      \"args\": [\"mcp\", \"--group\", \"alice\"],\n" +
		"      \"env\": {\n        \"ANNALS_DATABASE_URL\": \"REF\",\n        \"ANNALS_LLM\": \"offline\"\n      }\n    }\n  }\n}\n"
	typed := strings.Replace(stdio, `"command"`, "\"type\": \"stdio\",\n      \"command\"", 1)
	for host, want := range map[string]string{
		"claude-code":    strings.Replace(typed, "REF", "${ANNALS_DATABASE_URL}", 1),
		"claude-desktop": strings.Replace(stdio, "        \"ANNALS_DATABASE_URL\": \"REF\",\n", "", 1),
		"cursor":         strings.Replace(stdio, "REF", "${env:ANNALS_DATABASE_URL}", 1),
		"gemini":         strings.Replace(stdio, "REF", "${ANNALS_DATABASE_URL}", 1),
		"vscode":         strings.Replace(strings.Replace(typed, "REF", "${env:ANNALS_DATABASE_URL}", 1), "mcpServers", "servers", 1),
		"windsurf":       strings.Replace(stdio, "REF", "${env:ANNALS_DATABASE_URL}", 1),
		"codex": "[mcp_servers.annals]\nargs = ['mcp', '--group', 'alice']\ncommand = '/usr/bin/annals'\nenv_vars = ['ANNALS_DATABASE_URL']\n\n" +
			"[mcp_servers.annals.env]\nANNALS_LLM = 'offline'\n",
	} {
		if diff := cmp.Diff(want, edited(t, host, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", host, diff)
		}
	}
}

// An edit keeps the content and the form of settings, including comments.
func TestSettingsKeepWhatTheyHold(t *testing.T) {
	t.Parallel()
	const entry = `"annals": {`
	for name, tt := range map[string]struct {
		host, before string
		kept         []string // in this order
	}{
		"comments":              {"vscode", "// mine\n{\n\t// the team's\n\t\"servers\": {\n\t\t\"a\": {\"url\": \"https://a\"} // a's\n\t\t/* end */\n\t}, // servers\n\t\"inputs\": []\n}\n// end\n", []string{"// mine", "// the team's", `"a": {"url": "https://a"}`, "// a's", "/* end */", "\t\t" + entry, "// servers", `"inputs": []`, "// end"}},
		"commas at the end":     {"vscode", "{\n  \"servers\": {\n    \"a\": {\"url\": \"x\",}, // a's\n  },\n}\n", []string{`"a": {"url": "x",}, // a's`, "    " + entry, "    },\n  },\n}\n"}},
		"an empty object":       {"cursor", `{"mcpServers": {}}`, []string{`{"mcpServers": {`, entry}},
		"a comment in it":       {"cursor", "{\n    \"mcpServers\": {\n        // none yet\n    }\n}", []string{"// none yet", "        " + entry}},
		"other settings":        {"gemini", "{\n  \"theme\": \"dark\",\n  \"big\": 12345678901234567890\n}\n", []string{`"theme": "dark"`, `"big": 12345678901234567890,`, `"mcpServers": {`, entry}},
		"one line":              {"windsurf", `{"mcpServers":{"a":{"command":"x"}},"b":1}`, []string{`{"mcpServers":{"a":{"command":"x"},`, entry, `"b":1}`}},
		"lines of Windows":      {"claude-desktop", "{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n", []string{"\"a\": {},\r\n    " + entry + "\r\n", "\r\n  }\r\n}\r\n"}},
		"a byte order mark":     {"claude-desktop", "\xef\xbb\xbf{}", []string{"\xef\xbb\xbf{", entry}},
		"escapes and brackets":  {"claude-code", "{\n  \"a\\\"}\": \"}{,//\",\n  \"mcpServers\": {\"x\": {\"args\": [\"}\"]}}\n}", []string{`"a\"}": "}{,//"`, `{"x": {"args": ["}"]},`, entry}},
		"an older entry":        {"cursor", "{\n  \"mcpServers\": {\n    \"annals\": {\n      // since May\n      \"command\": \"old\", // found it\n      \"disabled\": true,\n      \"env\": {\"MINE\": \"1\", \"ANNALS_LLM\": \"old\"}\n    },\n    \"z\": {}\n  }\n}", []string{"// since May", `"command": "/usr/bin/annals", // found it`, `"disabled": true`, `"MINE": "1", "ANNALS_LLM": "offline"`, `"${env:ANNALS_DATABASE_URL}"`, `"args": ["mcp", "--group", "alice"]`, `"z": {}`}},
		"TOML with comments":    {"codex", "# mine\nmodel = \"m\" # best\n\n[mcp_servers.a]\ncommand = \"x\"\nargs = [\n  \"[mcp_servers.annals]\", # no table\n]\n\n# tools\n[tools]\nweb = true\n", []string{"# mine\nmodel = \"m\" # best\n", `"[mcp_servers.annals]", # no table`, "# tools\n[tools]\nweb = true\n\n[mcp_servers.annals]\n"}},
		"TOML, an older table":  {"codex", "[mcp_servers.annals]\ncommand = \"old\"\nstartup_timeout_sec = 20\n\n[mcp_servers.annals.env]\nMINE = \"1\"\n\n# about b\n[mcp_servers.b]\ncommand = \"b\"\n\n[mcp_servers.annals.tools.x]\nok = true\n", []string{"[mcp_servers.annals]\n", "command = '/usr/bin/annals'", "startup_timeout_sec = 20", "ANNALS_LLM = 'offline'\nMINE = '1'", "[mcp_servers.annals.tools.x]\nok = true", "\n\n# about b\n[mcp_servers.b]\ncommand = \"b\"\n"}},
		"TOML, no line at end":  {"codex", "a = 1", []string{"a = 1\n\n[mcp_servers.annals]"}},
		"TOML, an inline table": {"codex", "[mcp_servers]\na = {command = \"x\"}\n", []string{"a = {command = \"x\"}\n\n[mcp_servers.annals]\n"}},
	} {
		after := edited(t, tt.host, tt.before)
		rest := after
		for _, kept := range tt.kept {
			_, behind, ok := strings.Cut(rest, kept)
			if !ok {
				t.Errorf("%s: %q is not, or not in its place, in\n%s", name, kept, after)
				break
			}
			rest = behind
		}
	}
}

func TestSettingsThatCannotBeEditedStay(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ host, before, words string }{
		"no JSON":           {"cursor", `{"mcpServers": `, "cannot be read as JSON"},
		"a list":            {"cursor", `[]`, "no JSON object"},
		"servers in a list": {"cursor", `{"mcpServers": []}`, "no object"},
		"no TOML":           {"codex", `[mcp_servers`, "cannot be read as TOML"},
		"an inline table":   {"codex", `mcp_servers = {a = {command = "x"}}`, "takes no table"},
		"an inline entry":   {"codex", "[mcp_servers]\nannals = {command = \"x\"}\n", "by hand"},
		"a key with dots":   {"codex", "[mcp_servers]\nannals.command = \"x\"\n", "by hand"},
	} {
		h, _ := hosts.Find(tt.host)
		if after, err := h.Edit([]byte(tt.before), server); err == nil || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: %v, %s", name, err, after)
		}
	}
}

// A server with an address does not become one with a command: hosts accept one or the other.
func TestAServerAtAnAddressStays(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{
		"cursor": `{"mcpServers": {"annals": {"url": "https://m"}}}`, "windsurf": `{"mcpServers": {"annals": {"serverUrl": "https://m"}}}`,
		"gemini": `{"mcpServers": {"annals": {"httpUrl": "https://m"}}}`, "codex": "[mcp_servers.annals]\nurl = \"https://m\"\n",
	} {
		h, _ := hosts.Find(name)
		if _, err := h.Edit([]byte(before), server); err == nil || !strings.Contains(err.Error(), "take another --name") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An edit keeps the content of any settings or is refused, and contains what was asked for.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{
		"", "{}", "{\"mcpServers\": {\"a\": {},},}", "// x\n{\"mcpServers\": {} /* y */}", "{\"mcpServers\": {\"annals\": {\"env\": {}}}}",
		"[mcp_servers.annals]\ncommand = \"x\"\n# y\n[b]\n", "a = \"\"\"\n[mcp_servers.annals]\n\"\"\"\n", "[[a]]\n[mcp_servers.annals.env]\nx = 'y'\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		for _, name := range []string{"cursor", "codex"} {
			h, _ := hosts.Find(name)
			after, err := h.Edit(before, server)
			if err != nil {
				continue
			}
			was, now := decoded(name, before), decoded(name, after)
			key := map[string]string{"cursor": "mcpServers", "codex": "mcp_servers"}[name]
			servers, _ := now[key].(map[string]any)
			entry, _ := servers["annals"].(map[string]any)
			if entry["command"] != "/usr/bin/annals" {
				t.Fatalf("%q becomes %q", before, after)
			}
			for other, value := range was {
				if other != key && !reflect.DeepEqual(now[other], value) {
					t.Fatalf("%q becomes %q: %s is lost", before, after, other)
				}
			}
		}
	})
}

func decoded(host string, text []byte) map[string]any {
	held := map[string]any{}
	if host == "codex" {
		_ = toml.Unmarshal(text, &held)
		return held
	}
	if standard, err := hujson.Standardize(text); err == nil {
		_ = json.Unmarshal(standard, &held)
	}
	return held
}
