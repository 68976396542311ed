package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model/modeltest"
)

// newChatty opens a memory whose model notes where the user lives, and then confirms it.
func newChatty(t *testing.T) *scripted {
	t.Helper()
	return chattyAt(t, pgtest.New(t))
}

func chattyAt(t *testing.T, database string) *scripted {
	t.Helper()
	s := scriptedAt(t, database)
	delete(s.environ, "ANNALS_EMBEDDER")
	s.answers[""] = func(r modeltest.Request) modeltest.Reply {
		last := r.Turns[len(r.Turns)-1]
		if last.Role == "user" && strings.Contains(last.Text, "Lisbon") {
			return modeltest.Reply{Text: "Worth keeping.", Calls: []modeltest.Call{{Name: "core_memory_append", Arguments: map[string]any{
				"name": "human", "content": "Lives in Lisbon.", "request_heartbeat": true,
			}}}}
		}
		return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": "I see."}}}}
	}
	s.must("agent", "create", "sam", "--human", "Eva.", "--no-graph")
	return s
}

func TestAgentChat(t *testing.T) {
	t.Parallel()
	s := newChatty(t)
	const calls = "  (Worth keeping.)\n  → core_memory_append {\"content\":\"Lives in Lisbon.\",\"name\":\"human\",\"request_heartbeat\":true}\n" +
		"  ← human has 21 of 2000 characters now.\n"
	for _, tt := range []struct {
		input string
		args  []string
		want  string
	}{
		{"Hi!\n\nnever read\n", nil, "I see.\n"},
		{"I moved to Lisbon.\n", []string{"--calls", "--actor", "Eva"}, calls + "I see.\n"},
		{"/calls\nHello?\n/calls\nHi!\n", []string{"--calls"}, "I see.\nI see.\n"},
		{"", nil, ""},
	} {
		o := s.run(tt.input, append([]string{"agent", "chat", "sam"}, tt.args...)...)
		if o.code != exitOK || o.stdout != tt.want {
			t.Errorf("chat of %q: exit %d, %q, want %q\n%s", tt.input, o.code, o.stdout, tt.want, o.stderr)
		}
	}
	if o := s.run("Hi!\n", "agent", "chat", "sue"); o.code != exitFailed || !strings.Contains(o.stderr, `called "sue"`) {
		t.Errorf("chat with nobody: exit %d, %s", o.code, o.stderr)
	}
	delete(s.environ, "ANNALS_LLM")
	if o := s.run("Hi!\n", "agent", "chat", "sam"); o.code != exitFailed || !strings.Contains(o.stderr, "ANNALS_LLM") {
		t.Errorf("chat without a model: exit %d, %s", o.code, o.stderr)
	}
}

func TestAgentRunAndBlocks(t *testing.T) {
	t.Parallel()
	s := newChatty(t)
	var turn agent.Turn
	s.read(&turn, "agent", "run", "sam", "I moved to Lisbon.", "--external-id", "one")
	if len(turn.Messages) != 1 || len(turn.Steps) != 2 {
		t.Errorf("turn %+v", turn)
	}
	s.read(&turn, "agent", "run", "sam")
	if len(turn.Steps) != 0 {
		t.Errorf("nothing was left to do, and it did %+v", turn)
	}
	if out := s.must("agent", "run", "sam", "--kind", "login"); out != "I see.\n" {
		t.Errorf("it says %q", out)
	}
	says := func(want string, args ...string) {
		t.Helper()
		var got struct{ Blocks []agent.Block }
		s.read(&got, append([]string{"agent", "blocks", "sam", "--label", "human"}, args...)...)
		if got.Blocks[0].Value != want {
			t.Errorf("%q: human says %q, want %q", args, got.Blocks[0].Value, want)
		}
	}
	says("Eva.\nLives in Lisbon.")
	says("Eva Li.", "--set", "Eva Li.")
	says("Eva.\nLives in Lisbon.", "--undo")
	says("Eva Li.", "--redo")
	var history struct{ Blocks []agent.Block }
	s.read(&history, "agent", "blocks", "sam", "--label", "human", "--history")
	if len(history.Blocks) != 5 || history.Blocks[4].Value != "Eva." || history.Blocks[3].EditedBy != "sam" || history.Blocks[0].EditedBy != "operator" {
		t.Errorf("history %+v", history.Blocks)
	}
	var then struct{ Blocks []agent.Block }
	s.read(&then, "agent", "blocks", "sam", "--as-of", history.Blocks[3].Since.Format("2006-01-02T15:04:05.999999Z07:00"))
	if len(then.Blocks) != 2 || then.Blocks[1].Value != "Eva.\nLives in Lisbon." {
		t.Errorf("then the blocks said %+v", then.Blocks)
	}
	says("Eva.\nLives in Lisbon.", "--as-of", history.Blocks[3].Since.Format("2006-01-02T15:04:05.999999Z07:00"))
	if o := s.run("", "agent", "blocks", "sam", "--label", "nothing", "--as-of", "2124-01-01"); o.code != exitFailed {
		t.Errorf("a block that never was: exit %d, %s", o.code, o.stdout)
	}
}

func TestAgentsAreMoved(t *testing.T) {
	t.Parallel()
	s := newChatty(t)
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("One\nTwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := s.must("agent", "attach", "sam", book); !strings.Contains(out, "book.txt has 2 lines") {
		t.Errorf("attached: %s", out)
	}
	exported := s.must("agent", "export", "sam")
	file := filepath.Join(t.TempDir(), "sam.json")
	if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("agent", "import", file, "--name", "sue")
	if got := strings.Replace(s.must("agent", "export", "sue"), `"sue"`, `"sam"`, 1); got != exported {
		t.Errorf("exported again:\n%s\nat first:\n%s", got, exported)
	}
	var list struct{ Agents []agent.Agent }
	s.read(&list, "agent", "list")
	if len(list.Agents) != 2 || list.Agents[0].Name != "sam" || list.Agents[1].Name != "sue" {
		t.Errorf("there are %+v", list.Agents)
	}
	if o := s.run("", "agent", "delete", "sue"); o.code != exitFailed {
		t.Errorf("deleted without being sure: exit %d", o.code)
	}
	s.must("agent", "delete", "sue", "--yes")
	if out := s.must("agent", "list"); strings.Contains(out, "sue") {
		t.Errorf("after deleting there are %s", out)
	}
}
