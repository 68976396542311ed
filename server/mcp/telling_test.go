package mcp_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals"
)

// A search of facts can be narrowed to what one speaker told.
func TestSearchesOfFactsByWhoTold(t *testing.T) {
	t.Parallel()
	s := serve(t)
	host := s.talk(aliceKey)
	for actor, said := range map[string]string{"Sam": "Alice likes opera.", "Kim": "Alice likes chess."} {
		if _, err := s.client.Add(t.Context(), annals.Episode{GroupID: "alice", Actor: actor, Content: said}); err != nil {
			t.Fatal(err)
		}
	}
	s.process("alice")
	about := map[string]any{"query": "What does Alice like?"}
	if both := host.said("search_memory_facts", about); !strings.Contains(both, "opera") || !strings.Contains(both, "chess") {
		t.Fatalf("found is %s", both)
	}
	for _, tool := range []string{"search_memory_facts", "search_facts"} {
		about["told_by"] = "Sam"
		if told := host.said(tool, about); !strings.Contains(told, "opera") || strings.Contains(told, "chess") {
			t.Errorf("%s: Sam told %s", tool, told)
		}
		about["told_by"] = "Nobody"
		if told := host.said(tool, about); strings.Contains(told, "opera") || strings.Contains(told, "chess") {
			t.Errorf("%s: Nobody told %s", tool, told)
		}
	}
}
