package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host starts 'annals mcp' as a host does.
func host(t *testing.T, binary string, environ []string, flags ...string) (*session, *bytes.Buffer) {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, append([]string{"mcp", "--structured"}, flags...)...)
	var log bytes.Buffer
	command.Env, command.Stderr = environ, &log
	s, err := connect(t, &sdk.CommandTransport{Command: command})
	if err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	return s, &log
}

func TestTheCommandServesAHost(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	binary := program.Annals(t)
	url := "ANNALS_DATABASE_URL=" + pgtest.New(t)
	s, _ := host(t, binary, []string{url, "ANNALS_GROUP=alice"})
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != len(allTools) {
		t.Fatalf("%d tools, %v", len(listed.Tools), err)
	}
	s.must(nil, "add_memory", map[string]any{"name": "home", "episode_body": "Alice: I live in Paris.", "source": "message", "reference_time": "2023-01-10"})
	s.must(nil, "add_memory", map[string]any{"name": "move", "episode_body": "Alice: I moved to Lisbon last week.", "source": "message", "reference_time": "2024-03-15"})
	s.settle("alice")
	var found facts
	s.must(&found, "search_memory_facts", map[string]any{"query": "Where does Alice live?"})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Lisbon" || found.Facts[0].Group != "alice" {
		t.Errorf("now: %+v", found)
	}
	s.must(&found, "memory_as_of", map[string]any{"as_of": "2023-06-01"})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" {
		t.Errorf("in 2023: %+v", found)
	}
	var kept episodes
	s.must(&kept, "get_episodes", nil)
	s.must(nil, "delete_episode", map[string]any{"uuid": kept.Episodes[0].UUID})
	s.must(&found, "search_memory_facts", map[string]any{"query": "Where does Alice live?"})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" {
		t.Errorf("with the move taken back: %+v", found)
	}
	if err := s.Close(); err != nil {
		t.Errorf("it does not end well: %v", err)
	}
}

// A host that exits at once loses nothing. What one process only stored, the next one reads.
func TestWhatWasAcceptedIsRead(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	binary := program.Annals(t)
	environ := []string{"ANNALS_DATABASE_URL=" + pgtest.New(t)}
	store := exec.CommandContext(t.Context(), binary, "add", "-g", "alice", "--no-process", "--actor", "Alice", "I work at Acme.")
	store.Env = environ
	if out, err := store.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s, _ := host(t, binary, environ, "--group", "alice")
	s.must(nil, "add_memory", map[string]any{"name": "home", "episode_body": "Alice: I live in Paris.", "source": "message"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = host(t, binary, environ, "--group", "alice")
	s.settle("alice")
	var found facts
	s.must(&found, "memory_as_of", map[string]any{"known_at": "2100-01-01"})
	if len(found.Facts) != 2 {
		t.Errorf("%+v", found)
	}
}

func TestATenantsHostReachesOneGroup(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s, log := host(t, program.Annals(t), []string{"ANNALS_DATABASE_URL=" + pgtest.New(t), "ANNALS_TENANT=own"})
	s.must(nil, "add_memory", map[string]any{"name": "x", "episode_body": "Alice lives in Paris."})
	s.refused("not the group", "add_memory", map[string]any{"name": "x", "episode_body": "x", "group_id": "other"})
	s.refused("not the group", "clear_graph", map[string]any{"group_ids": []string{"own", "other"}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(log.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has %q", line)
		}
	}
}

// Standard output has only messages of the protocol, whatever the input.
func TestStandardOutputIsTheProtocols(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	command := exec.CommandContext(t.Context(), program.Annals(t), "mcp")
	command.Env = []string{"ANNALS_DATABASE_URL=" + pgtest.New(t)}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_status","arguments":null}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add_memory","arguments":[1]}}
`)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for answered := 0; answered < 4 && lines.Scan(); answered++ {
		var message struct {
			JSONRPC string
			ID      int
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.JSONRPC != "2.0" || message.ID == 0 {
			t.Errorf("standard output has %q", lines.Text())
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		t.Errorf("standard output has %q as well", lines.Text())
	}
	if err := command.Wait(); err != nil {
		t.Errorf("it does not end well: %v", err)
	}
}
