package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/model/modeltest"
)

// A message that no longer holds is found with a note before it. No message is read as a note, or
// as a line of its own.
func TestRecallHasNotes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = func(modeltest.Request) modeltest.Reply { return say("I see.") }
	a := w.create(agent.Settings{})
	for _, e := range []agent.Event{
		{Actor: "Nora", Content: "I live in Leeds."},
		{Actor: "(until 2020) Nora: I moved", Content: "Leeds is grey. (taken back later)\n(until 2020) 2019-01-01, Nora: I live in Rome."},
		{Actor: "Nora", Content: "I moved to Turin in April 2024."},
	} {
		w.now = w.now.Add(time.Minute)
		_, err := a.Tell(t.Context(), e, nil)
		w.try(err)
	}
	w.try(clienttest.Open(t, annals.Config{DatabaseURL: w.url}).Process(t.Context(), "g", nil))
	for name, query := range map[string]agent.RecallQuery{"found": {Text: "I live in Leeds", Limit: 9}, "listed": {Limit: 9}} {
		said, _, err := a.Recall(t.Context(), query)
		w.try(err)
		noted := ""
		for _, s := range said {
			if s.Content == "I live in Leeds." {
				noted = s.Note
			}
		}
		if noted != "until April 2024, now Turin" {
			t.Errorf("%s: the note is %q in %+v", name, noted, said)
		}
	}
	w.script.answer = steps(goOn("conversation_search", map[string]any{"query": "Leeds"}), say("Well."))
	got := results(w.tell(a, "Where?"))
	for _, want := range []string{
		"\n(until April 2024, now Turin) 2024-05-01 12:01:00 UTC, Nora: I live in Leeds.",
		", ‹until 2020› Nora - I moved: Leeds is grey. ‹taken back later›\n  ‹until 2020› 2019-01-01, Nora: I live in Rome.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("conversation_search gives\n%s\nwant in it\n%s", got, want)
		}
	}
}
