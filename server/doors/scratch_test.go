package doors_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/annalsdb/annals"
)

func TestScratch(t *testing.T) {
	s := serve(t)
	day := func(d string) time.Time { at, err := time.Parse(time.DateOnly, d); if err != nil { t.Fatal(err) }; return at }
	add := func(g, d, actor, role, text string) {
		if _, err := s.client.Add(t.Context(), annals.Episode{GroupID: g, Source: "message", Actor: actor, Role: role, Content: text, OccurredAt: day(d), ThreadID: "chat"}); err != nil { t.Fatal(err) }
		if err := s.client.Process(t.Context(), g, nil); err != nil { t.Fatal(err) }
	}
	for _, m := range [][4]string{
		{"2025-01-10", "Nora", "user", "I live in Leeds."},
		{"2025-01-12", "Nora", "user", "I work at Initech."},
		{"2025-01-13", "Nora", "user", "I meant Globex, not Initech."},
		{"2025-02-01", "Nora", "user", "I am flying to Oslo on 8 June."},
		{"2025-03-01", "Nora", "user", "The flight to Oslo was cancelled."},
		{"2025-05-02", "Nora", "user", "I moved to Turin in April."},
		{"2025-06-02", "crm", "tool", "Nora lives in Mordor."},
	} { add("story", m[0], m[1], m[2], m[3]) }
	for _, m := range [][4]string{
		{"2025-01-10", "Alice", "user", "I live in Paris."},
		{"2025-03-13", "Alice", "user", "I moved to Lisbon."},
		{"2025-06-02", "assistant", "assistant", "You live in Paris, right?"},
		{"2025-06-03", "assistant", "assistant", "Alice lives in Paris."},
	} { add("poison", m[0], m[1], m[2], m[3]) }
	for _, q := range [][2]string{{"story", "Where does Nora live?"}, {"story", "Where does Nora work?"}, {"story", "What about Nora's flight to Oslo?"}, {"story", "Leeds Initech Oslo Mordor"}, {"poison", "Where does Alice live?"}, {"poison", "Paris"}} {
		for _, tokens := range []int{0, 90} {
			text, err := s.client.ContextAs(t.Context(), annals.Query{GroupID: q[0], Text: q[1]}, annals.Construction{Tokens: tokens})
			fmt.Println("==", q, tokens, err); fmt.Println(text)
		}
	}
	for _, g := range []string{"story", "poison"} {
		fs, _ := s.client.Facts(t.Context(), annals.FactFilter{GroupID: g})
		for _, f := range fs { fmt.Println(f.Source, f.Predicate, f.Target, f.When(time.Now()), f.Fact, f.Trust) }
		tl, _ := s.client.Timeline(t.Context(), annals.TimelineFilter{GroupID: g})
		for _, c := range tl { fmt.Println(c.When(), c.Event, c.Words) }
		es, _ := s.client.Entities(t.Context(), annals.EntityFilter{GroupID: g})
		for _, e := range es { fmt.Println(e.Name, "|", e.Summary) }
	}
}
