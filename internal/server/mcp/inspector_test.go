package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

// inspector is a version of the client by the makers of the protocol.
const inspector = "@modelcontextprotocol/inspector@2.12.0"

// inspect runs that client, which npm fetches to a cache of its own.
func inspect(t *testing.T, home string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "npx", append([]string{"--yes", inspector, "--cli"}, args...)...)
	command.Env = append(fetched.NPM(), "HOME="+home)
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		t.Fatalf("inspector %q: %v: %s %s", args, err, out, problem.String())
	}
	return string(out)
}

func needInspector(t *testing.T) string {
	t.Helper()
	slow.Test(t)
	if _, err := exec.LookPath("npx"); err != nil {
		t.Skip("there is no npx here to run the inspector with")
	}
	home := t.TempDir()
	command := exec.CommandContext(t.Context(), "npx", "--yes", inspector, "--cli", "--version")
	command.Env = append(fetched.NPM(), "HOME="+home)
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("npx cannot fetch or run the inspector: %v: %s", err, out)
	}
	return home
}

// A client by others runs the tools: list, add, search, as of, delete.
func TestTheInspectorRunsTheTools(t *testing.T) {
	t.Parallel()
	home := needInspector(t)
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		settings, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"annals": map[string]any{
			"command": program.Annals(t), "args": []string{"mcp", "--structured", "--group", "alice"}, "env": map[string]string{"ANNALS_DATABASE_URL": pgtest.New(t)},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "mcp.json")
		if err := os.WriteFile(file, settings, 0o600); err != nil {
			t.Fatal(err)
		}
		inspectAll(t, home, func(string) {}, "--config", file, "--server", "annals")
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		s := serve(t)
		inspectAll(t, home, s.process, s.url, "--transport", "http", "--header", "Authorization: Bearer "+aliceKey, "--header", "X-Annals-Tools: structured")
	})
}

func inspectAll(t *testing.T, home string, read func(group string), server ...string) {
	t.Helper()
	call := func(into any, tool string, arguments ...string) {
		t.Helper()
		args := append(server[:len(server):len(server)], "--method", "tools/call", "--tool-name", tool)
		for _, argument := range arguments {
			args = append(args, "--tool-arg", argument)
		}
		out := inspect(t, home, args...)
		var result struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
		if err := json.Unmarshal([]byte(out), &result); err != nil || result.IsError {
			t.Fatalf("%s: %v: %s", tool, err, out)
		}
		if err := json.Unmarshal(result.StructuredContent, into); err != nil {
			t.Fatalf("%s: %v: %s", tool, err, out)
		}
	}
	var listed struct{ Tools []struct{ Name string } }
	out := inspect(t, home, append(server[:len(server):len(server)], "--method", "tools/list", "--strict")...)
	if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed.Tools) != len(allTools) {
		t.Fatalf("%d tools, %v: %s", len(listed.Tools), err, out)
	}
	var done added
	call(&done, "add_memory", "name=home", "episode_body=Alice: I live in Paris.", "source=message", "reference_time=2023-01-10")
	call(&done, "add_memory", "name=move", "episode_body=Alice: I moved to Lisbon last week.", "source=message", "reference_time=2024-03-15")
	read("alice")
	var found facts
	call(&found, "search_memory_facts", "query=Where does Alice live?")
	if len(found.Facts) != 1 || found.Facts[0].Target != "Lisbon" {
		t.Errorf("now: %+v", found)
	}
	call(&found, "memory_as_of", "as_of=2023-06-01")
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" {
		t.Errorf("in 2023: %+v", found)
	}
	call(&struct{}{}, "delete_episode", "uuid="+done.UUID)
	call(&found, "search_memory_facts", "query=Where does Alice live?")
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" {
		t.Errorf("with the move taken back: %+v", found)
	}
}
