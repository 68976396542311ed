package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/server/mcp/hosts"
	"github.com/annalsdb/annals/internal/slow"
)

// desk makes the home directory of a user with hosts.
func desk(t *testing.T) (*memory, string) {
	t.Helper()
	home := t.TempDir()
	return &memory{t: t, environ: map[string]string{"HOME": home, "ANNALS_GROUP": "alice"}}, home
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const cursorsOwn = "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n"

func TestInstallPrintsADiffAndAsks(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	cursor := filepath.Join(home, ".cursor", "mcp.json")
	put(t, cursor, cursorsOwn)
	install := []string{"mcp", "install", "--command", "/usr/bin/annals"}
	for name, try := range map[string]func() outcome{
		"a dry run": func() outcome { return m.run("y\n", append(install, "--dry-run")...) },
		"no":        func() outcome { return m.run("n\n", install...) },
		"nobody":    func() outcome { return m.run("", install...) },
	} {
		o := try()
		if !strings.Contains(o.stdout, "Cursor: "+cursor+"\n") || !strings.Contains(o.stdout, "+    \"annals\": {\n") || !strings.Contains(o.stdout, "   // mine\n") {
			t.Errorf("%s: %+v, want the diff", name, o)
		}
		if (o.code == exitOK) != (name == "a dry run") || name != "a dry run" && !strings.Contains(o.stderr, "nothing was written") {
			t.Errorf("%s: exit %d: %s", name, o.code, o.stderr)
		}
		if got := content(t, cursor); got != cursorsOwn {
			t.Fatalf("%s: it was written: %s", name, got)
		}
	}
	if o := m.run("y\n", install...); o.code != exitOK || !strings.Contains(o.stdout, "Wrote "+cursor+"; the old one is "+cursor+".before-annals-") {
		t.Fatalf("yes: %+v", o)
	}
	got := content(t, cursor)
	if !strings.Contains(got, "// mine") || !strings.Contains(got, `"command": "/usr/bin/annals"`) || !strings.Contains(got, `"args": ["mcp", "--group", "alice"]`) {
		t.Errorf("it holds %s", got)
	}
	about, err := os.Stat(cursor)
	if err != nil || about.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v, %v", about.Mode(), err)
	}
	kept, err := filepath.Glob(cursor + ".*")
	if err != nil || len(kept) != 1 || content(t, kept[0]) != cursorsOwn {
		t.Errorf("beside it are %q, %v", kept, err)
	}
	if o := m.run("", install...); o.code != exitOK || !strings.Contains(o.stdout, "has it already") {
		t.Errorf("a second time: %+v", o)
	}
}

// Installing for every host changes all settings, or none.
func TestInstallForEveryHost(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	all := hostNames(hosts.All())
	var done struct{ Hosts []settingsChange }
	m.read(&done, append([]string{"mcp", "install", "--yes", "--command", "/usr/bin/annals"}, all...)...)
	if len(done.Hosts) != len(all) {
		t.Fatalf("%+v", done)
	}
	for _, change := range done.Hosts {
		if !change.Written || !change.Changed || change.Backup != "" || !strings.HasPrefix(change.File, home) || !strings.Contains(content(t, change.File), "/usr/bin/annals") {
			t.Errorf("%+v", change)
		}
	}
	m.run("", "mcp", "install", "emacs", "--yes").failsWith(t, `"emacs" is none of those that are known: claude-code, claude-desktop, codex`)

	m, home = desk(t)
	m.run("", "mcp", "install", "--yes").failsWith(t, "none of those that are known is used here")
	broken := filepath.Join(home, ".gemini", "settings.json")
	put(t, broken, `{"theme": `)
	put(t, filepath.Join(home, ".cursor", "mcp.json"), cursorsOwn)
	m.run("", "mcp", "install", "--yes").failsWith(t, "Gemini CLI: "+broken+": it cannot be read as JSON")
	if got := content(t, filepath.Join(home, ".cursor", "mcp.json")); got != cursorsOwn {
		t.Errorf("one was written, though another could not be: %s", got)
	}
	delete(m.environ, "HOME")
	m.run("", "mcp", "install", "cursor", "--yes").failsWith(t, "set HOME")
}

func TestInstallFollowsALink(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	elsewhere, cursor := filepath.Join(home, "dotfiles", "mcp.json"), filepath.Join(home, ".cursor", "mcp.json")
	put(t, elsewhere, cursorsOwn)
	if err := os.MkdirAll(filepath.Dir(cursor), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, cursor); err != nil {
		t.Fatal(err)
	}
	m.must("mcp", "install", "--yes")
	if about, err := os.Lstat(cursor); err != nil || about.Mode()&os.ModeSymlink == 0 || !strings.Contains(content(t, elsewhere), "annals") {
		t.Errorf("the link is %v, %v; the file holds %s", about.Mode(), err, content(t, elsewhere))
	}
}

// A change that a host makes between the diff and the answer is not lost.
func TestInstallLosesNoChangeMadeMeanwhile(t *testing.T) {
	t.Parallel()
	m, home := desk(t)
	cursor := filepath.Join(home, ".cursor", "mcp.json")
	put(t, cursor, cursorsOwn)
	meanwhile := afterwards{func() { put(t, cursor, `{"theirs": true}`) }}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"mcp", "install"}, &meanwhile, &stdout, &stderr, m.environ)
	if code == exitOK || !strings.Contains(stderr.String(), "was changed in the meantime") || content(t, cursor) != `{"theirs": true}` {
		t.Errorf("exit %d: %s; it holds %s", code, stderr.String(), content(t, cursor))
	}
}

// afterwards answers yes after it has called first.
type afterwards struct{ first func() }

// Read returns the answer.
func (a *afterwards) Read(p []byte) (int, error) {
	a.first()
	return copy(p, "yes\n"), nil
}

// Passwords and keys are written only on request.
func TestInstallWritesNoSecretsUnasked(t *testing.T) {
	t.Parallel()
	const password, key = "pw-that-is-secret", "sk-that-is-secret"
	all := hostNames(hosts.All())
	for _, with := range []bool{false, true} {
		m, home := desk(t)
		m.environ["ANNALS_DATABASE_URL"] = "postgres://ann:" + password + "@db.example.com/memory?sslmode=require"
		m.environ["ANNALS_LLM"], m.environ["OPENAI_API_KEY"] = "openai:gpt-5-mini", key
		m.environ["ANNALS_EMBEDDER_API_KEY"], m.environ["ANNALS_API_KEYS"], m.environ["OTHER_TOKEN"] = key, key, key
		m.environ["ANNALS_LLM_BASE_URL"] = "https://ann:" + password + "@models.example.com/v1"
		args := append([]string{"mcp", "install", "--yes"}, all...)
		if with {
			args = append(args, "--with-secrets")
		}
		said := m.must(args...)
		for _, h := range hosts.All() {
			file := h.File(hosts.Machine{OS: (&app{}).machine().OS, Environ: map[string]string{"HOME": home}})
			text := content(t, file)
			if holds := strings.Contains(text, password) && strings.Contains(text, key); holds != with || strings.Contains(text, "OTHER_TOKEN") || strings.Contains(text, "ANNALS_API_KEYS") {
				t.Errorf("with secrets %t, %s holds %s", with, h.Title, text)
			}
			named := strings.Contains(text, "ANNALS_DATABASE_URL") && strings.Contains(text, "openai:gpt-5-mini")
			if !named || !with && h.Passes() != strings.Contains(text, "OPENAI_API_KEY") {
				t.Errorf("with secrets %t, %s is told %s", with, h.Title, text)
			}
			if about, err := os.Stat(file); err != nil || about.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", file, about.Mode(), err)
			}
		}
		if with != strings.Contains(said, password) || with == strings.Contains(said, "pgpass") {
			t.Errorf("with secrets %t it says %s", with, said)
		}
	}
	m, _ := desk(t)
	m.run("", "mcp", "install", "cursor", "--project", "--with-secrets").failsWith(t, "with-secrets: does not go with --project")
	m.run("", "mcp", "install", "cursor", "--yes", "--json", "--name", "my memory").failsWith(t, "name:")
	m.run("", "mcp", "install", "cursor", "--json").failsWith(t, "nobody is asked")
}

// The settings of a project name the program in a way that works for all its users.
func TestInstallIntoAProject(t *testing.T) { //nolint:paralleltest // it changes the folder of the process
	m, home := desk(t)
	project := t.TempDir()
	t.Chdir(project)
	put(t, filepath.Join(home, ".claude", "x"), "")
	put(t, filepath.Join(home, ".codeium", "windsurf", "x"), "") // it has no settings for projects
	m.must("mcp", "install", "--project", "--yes", "--tenant", "team")
	if got := content(t, ".mcp.json"); !strings.Contains(got, `"command": "annals"`) || !strings.Contains(got, `"args": ["mcp", "--tenant", "team"]`) {
		t.Errorf("it holds %s", got)
	}
	m.run("", "mcp", "install", "windsurf", "--project", "--yes").failsWith(t, "project:")
}

// The installed entry starts a memory.
func TestAHostStartsWhatWasInstalled(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m, home := desk(t)
	m.environ["ANNALS_DATABASE_URL"] = pgtest.New(t)
	binary := program.Annals(t)
	m.must("mcp", "install", "claude-desktop", "--yes", "--with-secrets", "--command", binary)
	var settings struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string
		}
	}
	desktop, _ := hosts.Find("claude-desktop")
	if err := json.Unmarshal([]byte(content(t, desktop.File((&app{config: config{environ: m.environ}}).machine()))), &settings); err != nil {
		t.Fatal(err)
	}
	entry := settings.MCPServers["annals"]
	command := exec.CommandContext(t.Context(), entry.Command, entry.Args...)
	command.Env = []string{"HOME=" + home}
	for name, value := range entry.Env {
		command.Env = append(command.Env, name+"="+value)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_status"})
	if err != nil || !strings.Contains(result.Content[0].(*sdk.TextContent).Text, "group alice") {
		t.Errorf("%v: %+v", err, result)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}
