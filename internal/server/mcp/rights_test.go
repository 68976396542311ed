package mcp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// toolsThatWrite need a key that may write; all others only read. Add new tools that change
// something here.
var toolsThatWrite = strings.Fields("add_memory add_triplet build_communities clear_graph delete_entity_edge delete_episode drop_answer keep_answer mark_memory record_run summarize_saga")

// A key that may only read can use every tool that reads and no tool that writes.
func TestAKeyThatMayOnlyReadWritesNothing(t *testing.T) {
	t.Parallel()
	s := serve(t)
	session := s.session(readKey)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	writing := map[string]bool{}
	for _, name := range toolsThatWrite {
		writing[name] = true
	}
	for _, tool := range tools.Tools {
		_, said := session.call(tool.Name, map[string]any{})
		if refused := strings.Contains(said, "this key may only read"); refused != writing[tool.Name] {
			t.Errorf("%s with a key that may only read: %s", tool.Name, said)
		}
		delete(writing, tool.Name)
		if tool.Annotations.ReadOnlyHint == slices.Contains(toolsThatWrite, tool.Name) {
			t.Errorf("%s says of itself that it only reads: %t", tool.Name, tool.Annotations.ReadOnlyHint)
		}
	}
	if len(writing) > 0 {
		t.Errorf("there are no tools %v", writing)
	}
	if _, said := s.session(aliceKey).call("add_memory", map[string]any{"name": "n", "episode_body": "I live in Paris."}); strings.Contains(said, "may only read") {
		t.Errorf("a key that may write: %s", said)
	}
	if _, said := s.session(writeKey).call("clear_graph", map[string]any{}); !strings.Contains(said, "this takes one that may erase") {
		t.Errorf("a key that may not erase clears a memory: %s", said)
	}
}

// A host counts as an assistant, whatever its key: it cannot mark away or remove what a person
// added and keeps.
func TestAHostKeepsWhatAPersonSet(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.session(adminKey)
	kept, err := s.client.KeepAnswer(t.Context(), annals.Question{Query: annals.Query{GroupID: "alice", Text: "Where does Alice live?"}})
	if err != nil {
		t.Fatal(err)
	}
	told, err := s.client.AddTriple(t.Context(), annals.Triple{
		GroupID: "alice", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "tea"}, Fact: "Alice likes tea.",
	})
	if err != nil {
		t.Fatal(err)
	}
	c.refused("was set with the authority of a person", "drop_answer", map[string]any{"uuid": kept.ID.String(), "group_id": "alice"})
	c.refused("it is the word of a person", "mark_memory", map[string]any{"uuids": []string{told.FactID.String()}, "mark": "wrong", "group_id": "alice"})
	c.refused("it is the word of a person", "delete_entity_edge", map[string]any{"uuid": told.FactID.String(), "group_id": "alice"})
}
