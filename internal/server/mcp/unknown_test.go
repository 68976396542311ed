package mcp_test

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Clearing or summarising an unknown group fails, as a misspelt name would otherwise look like
// success. Nothing is cleared if one of the groups does not exist.
func TestUnknownGroupsAndSagas(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.session(adminKey)
	s.remember(c, "alice")
	const missing = `there is none called "alcie"`
	c.refused(missing, "clear_graph", map[string]any{"group_ids": "alcie"})
	c.refused(missing, "clear_graph", map[string]any{"group_ids": []string{"alice", "alcie"}})
	c.refused(missing, "summarize_saga", map[string]any{"saga_name": "chat-1", "group_id": "alcie"})
	c.refused(`none called "chat-7"`, "summarize_saga", map[string]any{"saga_name": "chat-7", "group_id": "alice"})
	var kept episodes
	c.must(&kept, "get_episodes", map[string]any{"group_ids": "alice"})
	if len(kept.Episodes) == 0 {
		t.Error("alice was cleared with a group that is not there")
	}
}

// Clearing also removes what was made by hand, and what communities say of it.
func TestClearedGraphsNameNobody(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.session(adminKey)
	s.remember(c, "alice")
	assistant := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityAssistant})
	if _, err := s.client.AddEntities(assistant, "alice", []annals.Entity{{Name: "Dr. Weber", Summary: "The doctor of Alice."}}); err != nil {
		t.Fatal(err)
	}
	c.must(nil, "build_communities", map[string]any{"group_ids": "alice"})
	c.must(nil, "clear_graph", map[string]any{"group_ids": "alice"})
	entities, err := s.client.Entities(t.Context(), annals.EntityFilter{GroupID: "alice"})
	if err != nil || len(entities) > 0 {
		t.Errorf("left are %+v (%v)", entities, err)
	}
	communities, err := s.client.Communities(t.Context(), annals.CommunityFilter{GroupID: "alice"})
	if err != nil || len(communities) > 0 {
		t.Errorf("left are %+v (%v)", communities, err)
	}
	if _, err := s.client.AddEntities(t.Context(), "alice", []annals.Entity{{Name: "Dr. Weber"}}); err != nil {
		t.Fatal(err)
	}
	c.refused("it is the word of a person", "clear_graph", map[string]any{"group_ids": "alice"})
}
