package main

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
)

func TestItRemembersWithoutAModel(t *testing.T) {
	t.Parallel()
	c := chat{url: pgtest.New(t), group: "alice", thread: "monday", actor: "Alice", llm: offline{}}
	say := func(text string) string {
		var out strings.Builder
		if err := c.run(t.Context(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := say("I live in Paris.\n\n"); !strings.Contains(got, "knows nothing") {
		t.Errorf("at first it says %q", got)
	}
	c.thread = "friday"
	if got := say("Where does Alice live?\n"); !strings.Contains(got, ") Alice lives in Paris.") {
		t.Errorf("in another conversation it says %q", got)
	}
}
