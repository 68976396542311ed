package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model/modeltest"
)

type threadsJSON struct {
	Threads []struct {
		ID, Summary            string
		Messages, Unsummarised int
		LastAt                 string `json:"last_at"`
	}
}

// converse says so many things in a thread, a day apart.
func (m *memory) converse(thread string, messages int) {
	m.t.Helper()
	var lines strings.Builder
	for i := range messages {
		fmt.Fprintf(&lines, `{"content":"I like number %d.","actor":"Alice","thread_id":%q,"occurred_at":"2024-01-%02d"}`+"\n", i+1, thread, i+1)
	}
	m.must("add", "-g", "t", "--file", m.file(thread+".jsonl", lines.String()))
}

func TestThreadsOffline(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	if got := m.must("threads", "-g", "t", "--json"); got != "{\n  \"threads\": []\n}\n" {
		t.Errorf("before anything was said: %q", got)
	}
	m.converse("tea", 2)
	m.converse("coffee", 3)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.") // in no thread
	var got threadsJSON
	m.read(&got, "threads", "-g", "t")
	if len(got.Threads) != 2 || got.Threads[0].ID != "coffee" || got.Threads[0].Messages != 3 || got.Threads[0].Unsummarised != 3 ||
		got.Threads[0].Summary != "" || got.Threads[0].LastAt != "2024-01-03T00:00:00Z" {
		t.Errorf("threads %+v, want coffee with three messages, then tea", got.Threads)
	}
	const summary = "Alice likes number 1. Alice likes number 2."
	if got := m.must("threads", "summarise", "tea", "-g", "t"); got != summary+"\n" {
		t.Errorf("summarise says %q", got)
	}
	var shown struct{ ID, Summary string }
	m.read(&shown, "threads", "summarise", "tea", "-g", "t")
	if shown.ID != "tea" || shown.Summary != summary {
		t.Errorf("summarised again: %+v", shown)
	}
	m.read(&got, "threads", "-g", "t", "--limit", "2")
	if tea := got.Threads[1]; tea.Summary != summary || tea.Unsummarised != 0 {
		t.Errorf("tea is %+v", tea)
	}
	if table := m.must("threads", "-g", "t"); !strings.Contains(table, summary) || !strings.Contains(table, "THREAD") {
		t.Errorf("the table is %q", table)
	}
	o := m.run("", "threads", "summarise", "water", "-g", "t")
	if o.code != exitOK || o.stdout != "" || !strings.Contains(o.stderr, "nothing to summarise in the thread water") {
		t.Errorf("an unknown thread: exit %d, %q, %q", o.code, o.stdout, o.stderr)
	}
	m.run("", "threads", "-g", "t", "--limit", "-1").failsWith(t, "limit")
}

// A model extends its previous summary by the messages since.
func TestThreadsWithAModel(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	var asked []string
	s.answers["summarise_thread"] = func(r modeltest.Request) modeltest.Reply {
		asked = append(asked, r.User)
		return modeltest.Reply{Text: fmt.Sprintf(`{"summary":"Summary %d."}`, len(asked))}
	}
	s.converse("tea", 2)
	if len(asked) != 0 {
		t.Errorf("two messages were summarised unasked")
	}
	var summaries []string
	for _, after := range []func(){func() {}, func() {}, func() { s.converse("tea", 3) }} {
		after()
		summaries = append(summaries, s.must("threads", "summarise", "tea", "-g", "t"))
	}
	if diff := cmp.Diff([]string{"Summary 1.\n", "Summary 1.\n", "Summary 2.\n"}, summaries); diff != "" {
		t.Errorf("summaries (-want +got):\n%s", diff)
	}
	if len(asked) != 2 || !strings.Contains(asked[0], "I like number 2.") ||
		!strings.Contains(asked[1], "Summary 1.") || !strings.Contains(asked[1], "I like number 3.") || strings.Contains(asked[1], "I like number 2.") {
		t.Errorf("asked %q; want the first two messages, then the summary and the third", asked)
	}
}
