package mcp_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var allTools = []string{
	"add_memory", "add_triplet", "ask", "build_communities", "clear_graph", "delete_entity_edge", "delete_episode", "drop_answer", "find_skills", "get_answers", "get_context", "get_entity_edge",
	"get_episode_entities", "get_episodes", "get_status", "keep_answer", "mark_memory", "memory_as_of", "memory_timeline", "record_run", "search_memory_facts", "search_nodes",
	"summarize_saga",
}

// aliases are former names, which are listed to clients that ask for them.
var aliases = []string{"search_facts", "search_memory_nodes"}

func TestToolsHaveSchemasAndHints(t *testing.T) {
	t.Parallel()
	s := serve(t).session(aliceKey)
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || tool.Title == "" || tool.OutputSchema == nil || tool.Annotations == nil {
			t.Errorf("%s is not described: %+v", tool.Name, tool)
		}
		destroys := strings.HasPrefix(tool.Name, "delete_") || strings.HasPrefix(tool.Name, "clear_") || strings.HasPrefix(tool.Name, "drop_")
		if *tool.Annotations.DestructiveHint != destroys || destroys && tool.Annotations.ReadOnlyHint {
			t.Errorf("%s hints %+v", tool.Name, tool.Annotations)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, allTools) {
		t.Errorf("the tools are %q, want %q", names, allTools)
	}
}

// remember adds the content that other tests query.
func (s *service) remember(c *session, group string) {
	s.t.Helper()
	for _, said := range [][2]string{{"2023-01-10", "I live in Paris."}, {"2024-03-15T00:00:00Z", "I moved to Lisbon last week."}} {
		c.must(nil, "add_memory", map[string]any{
			"name": "chat", "episode_body": "Alice: " + said[1], "source": "message", "reference_time": said[0], "group_id": group, "saga": "chat-1",
			"uuid": nil,
		})
	}
	s.process(group)
}

func TestAMemoryFromAddingToClearing(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.session(adminKey)
	s.remember(c, "alice")

	var found facts
	c.must(&found, "search_memory_facts", map[string]any{"query": "Where does Alice live?", "group_ids": "alice"})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Lisbon" || found.Facts[0].InvalidAt != nil {
		t.Fatalf("now: %+v", found)
	}
	lisbon := found.Facts[0]
	if lisbon.Kind != "state" || lisbon.When != "since the week of 4 March 2024" || lisbon.Fact != "Alice moved to Lisbon in the week of 4 March 2024." ||
		lisbon.ValidFrom != (bound{"stated", "week"}) || lisbon.ValidUntil != (bound{"unknown", ""}) {
		t.Errorf("its time is %+v", lisbon)
	}
	c.must(&found, "search_facts", map[string]any{"query": "Alice", "group_ids": []string{"alice"}, "include_ended": true})
	if len(found.Facts) != 2 {
		t.Errorf("with what has ended: %+v", found)
	}
	c.must(&found, "search_memory_facts", map[string]any{"query": "Alice", "group_ids": "alice", "invalid_at_after": "2024-01-01", "edge_types": []string{"LIVES_IN"}})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" || found.Facts[0].ValidFrom.Basis != "said" || found.Facts[0].ValidUntil != (bound{"inferred", "week"}) {
		t.Errorf("what ended in 2024: %+v", found)
	}
	for _, arguments := range []map[string]any{
		{"as_of": "2023-06-01", "group_ids": "alice"},
		{"as_of": "2023-06-01T12:00:00+02:00", "group_ids": "alice", "query": "Where does Alice live?"},
	} {
		c.must(&found, "memory_as_of", arguments)
		if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" {
			t.Errorf("%v: %+v", arguments, found)
		}
	}
	c.must(&found, "memory_as_of", map[string]any{"known_at": "2020-01-01", "group_ids": "alice"})
	if len(found.Facts) != 0 {
		t.Errorf("before anything was known: %+v", found)
	}

	var entities nodes
	c.must(&entities, "search_nodes", map[string]any{"query": "Alice", "group_ids": "alice", "max_nodes": 5, "center_node_uuid": lisbon.SourceUUID})
	if len(entities.Nodes) == 0 || entities.Nodes[0].Name != "Alice" {
		t.Errorf("entities: %+v", entities)
	}
	var timeline struct {
		Message string
		Changes []struct {
			Event, Words string
			At           time.Time
		}
	}
	c.must(&timeline, "memory_timeline", map[string]any{"group_id": "alice"})
	if len(timeline.Changes) != 3 || timeline.Changes[1].Event != "ended" && timeline.Changes[2].Event != "ended" {
		t.Errorf("timeline: %+v", timeline)
	}
	c.must(&timeline, "memory_timeline", map[string]any{"group_id": "alice", "max_changes": 1})
	if len(timeline.Changes) != 1 || !strings.Contains(timeline.Message, "last 1 change;") {
		t.Errorf("the last of the timeline: %+v", timeline)
	}
	text := c.must(nil, "get_context", map[string]any{"query": "Where does Alice live?", "group_ids": "alice", "citations": true})
	if !strings.Contains(text, "<FACTS>") || !strings.Contains(text, "Lisbon") || strings.HasPrefix(text, "{") {
		t.Errorf("context: %s", text)
	}

	var answered struct {
		Form      string
		Sentences []struct {
			Text  string
			Cites []string
		}
		Data map[string]string
	}
	c.must(&answered, "ask", map[string]any{"query": "Where does Alice live?", "group_ids": "alice", "schema": map[string]any{
		"type": "object", "properties": map[string]any{"lives_in": map[string]any{"type": "string"}},
	}})
	if answered.Form != "answer" || len(answered.Sentences) == 0 || !strings.Contains(answered.Sentences[0].Text, "Lisbon") ||
		!strings.HasPrefix(answered.Sentences[0].Cites[0], "fact ") {
		t.Errorf("asked: %+v", answered)
	}

	var kept episodes
	c.must(&kept, "get_episodes", map[string]any{"group_ids": "alice"})
	if len(kept.Episodes) != 2 || kept.Episodes[0].State != "done" || kept.Episodes[0].Saga != "chat-1" || !strings.Contains(kept.Episodes[0].Content, "Lisbon") {
		t.Fatalf("episodes: %+v", kept)
	}
	var given struct {
		Nodes []node
		Edges []fact
	}
	c.must(&given, "get_episode_entities", map[string]any{"episode_uuids": []string{kept.Episodes[0].UUID}, "group_id": "alice"})
	if len(given.Nodes) == 0 || !slices.ContainsFunc(given.Edges, func(f fact) bool { return f.UUID == lisbon.UUID }) {
		t.Errorf("of the second episode: %+v", given)
	}
	c.must(nil, "summarize_saga", map[string]any{"saga_name": "chat-1", "group_id": "alice"})
	c.must(nil, "build_communities", map[string]any{"group_ids": "alice"})

	c.must(nil, "delete_episode", map[string]any{"uuid": kept.Episodes[0].UUID, "group_id": "alice"})
	c.must(&found, "search_memory_facts", map[string]any{"query": "Where does Alice live?", "group_ids": "alice"})
	if len(found.Facts) != 1 || found.Facts[0].Target != "Paris" || found.Facts[0].InvalidAt != nil {
		t.Errorf("with the move taken back: %+v", found)
	}
	c.must(nil, "clear_graph", map[string]any{"group_ids": "alice"})
	c.must(&kept, "get_episodes", map[string]any{"group_ids": "alice"})
	c.must(&entities, "search_nodes", map[string]any{"query": "Alice", "group_ids": "alice"})
	if len(kept.Episodes) != 0 || len(entities.Nodes) != 0 {
		t.Errorf("after it was cleared: %+v, %+v", kept, entities)
	}
	s.remember(c, "alice") // it can be filled again
	c.must(&found, "search_memory_facts", map[string]any{"query": "Alice", "group_ids": "alice"})
	if len(found.Facts) != 1 {
		t.Errorf("after it was filled again: %+v", found)
	}
}

func TestATripletIsAddedAndWithdrawn(t *testing.T) {
	t.Parallel()
	c := serve(t).session(aliceKey)
	var made struct {
		Nodes []node
		Edges []fact
	}
	c.must(&made, "add_triplet", map[string]any{
		"source_node_name": "Alice", "edge_name": "WORKS_AT", "fact": "Alice works at Acme.", "target_node_name": "Acme", "valid_at": "2024-02-01",
	})
	if len(made.Nodes) != 2 || len(made.Edges) != 1 || made.Edges[0].Group != "alice" || made.Edges[0].ValidAt.Format(time.DateOnly) != "2024-02-01" {
		t.Fatalf("it is %+v", made)
	}
	id := made.Edges[0].UUID
	var got fact
	c.must(&got, "get_entity_edge", map[string]any{"uuid": id})
	if got.Fact != "Alice works at Acme." {
		t.Errorf("it reads %+v", got)
	}
	c.must(nil, "delete_entity_edge", map[string]any{"uuid": id})
	c.refused("no longer believed", "get_entity_edge", map[string]any{"uuid": id})
	c.refused("no current fact", "delete_entity_edge", map[string]any{"uuid": id})
	var entity nodes
	c.must(&entity, "search_nodes", map[string]any{"query": "Alice"})
	if len(entity.Nodes) == 0 || strings.Contains(entity.Nodes[0].Summary, "Acme") {
		t.Errorf("its ends are %+v, want them to stay without the sentence", entity)
	}
}

func TestArgumentsAreCheckedInPlainWords(t *testing.T) {
	t.Parallel()
	c := serve(t).session(aliceKey)
	for _, tt := range []struct {
		words, tool string
		arguments   map[string]any
	}{
		{"uuid", "get_entity_edge", map[string]any{"uuid": "42"}},
		{"has no fact", "get_entity_edge", map[string]any{"uuid": "01a1fd35-621b-73f4-8369-706033d26a00"}},
		{"reference_time", "add_memory", map[string]any{"name": "x", "episode_body": "x", "reference_time": "someday"}},
		{"episode_body", "add_memory", map[string]any{"name": "x", "episode_body": ""}},
		{"source", "add_memory", map[string]any{"name": "x", "episode_body": "x", "source": "rumour"}},
		{"episode_body", "add_memory", map[string]any{"name": "x"}},
		{"max_facts", "search_memory_facts", map[string]any{"query": "x", "max_facts": 100000}},
		{"as_of", "memory_as_of", map[string]any{}},
		{"valid_at_before", "search_facts", map[string]any{"query": "x", "valid_at_before": "soon"}},
		{"group", "search_nodes", map[string]any{"query": "x", "group_ids": "no spaces"}},
	} {
		c.refused(tt.words, tt.tool, tt.arguments)
	}
	var once added
	arguments := map[string]any{
		"name": "x", "episode_body": "x", "uuid": "01a1fd35-621b-73f4-8369-706033d26a00", "custom_extraction_instructions": "heed", "saga": nil,
	}
	c.must(&once, "add_memory", arguments)
	if !once.New || once.UUID != arguments["uuid"] || !slices.Equal(once.Ignored, []string{"custom_extraction_instructions"}) {
		t.Errorf("added: %+v", once)
	}
	c.must(&once, "add_memory", arguments)
	if once.New {
		t.Errorf("added twice: %+v", once)
	}
}

func TestKeysOpenTheirGroupsOnly(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, key := range []string{"", "a-key-that-nobody-has"} {
		if _, err := s.connect(key); err == nil || !strings.Contains(err.Error(), "401") && !strings.Contains(err.Error(), http.StatusText(http.StatusUnauthorized)) {
			t.Errorf("the key %q: %v, want it refused", key, err)
		}
	}
	admin := s.session(adminKey)
	for _, group := range []string{"alice", "bob", "carol"} {
		s.remember(admin, group)
	}
	var bobs episodes
	admin.must(&bobs, "get_episodes", map[string]any{"group_ids": "bob"})
	bob := bobs.Episodes[0].UUID

	alice := s.session(aliceKey)
	var found facts
	alice.must(&found, "search_memory_facts", map[string]any{"query": "Alice"})
	if len(found.Facts) != 1 || found.Facts[0].Group != "alice" {
		t.Errorf("without a group a key of one finds %+v", found)
	}
	const none = `there is none called "bob"`
	for tool, arguments := range map[string]map[string]any{
		"add_memory":           {"name": "x", "episode_body": "x", "group_id": "bob"},
		"add_triplet":          {"source_node_name": "x", "edge_name": "x", "fact": "x", "target_node_name": "y", "group_id": "bob"},
		"build_communities":    {"group_ids": "bob"},
		"clear_graph":          {"group_ids": []string{"alice", "bob"}},
		"delete_entity_edge":   {"uuid": bob, "group_id": "bob"},
		"delete_episode":       {"uuid": bob, "group_id": "bob"},
		"drop_answer":          {"uuid": bob, "group_id": "bob"},
		"get_answers":          {"group_id": "bob"},
		"keep_answer":          {"query": "x", "group_id": "bob"},
		"ask":                  {"query": "x", "group_ids": []string{"alice", "bob"}},
		"get_context":          {"query": "x", "group_ids": []string{"alice", "bob"}},
		"get_entity_edge":      {"uuid": bob, "group_id": "bob"},
		"get_episode_entities": {"episode_uuids": []string{bob}, "group_id": "bob"},
		"get_episodes":         {"group_ids": "bob"},
		"get_status":           {"group_id": "bob"},
		"mark_memory":          {"uuids": []string{bob}, "mark": "pinned", "group_id": "bob"},
		"memory_as_of":         {"as_of": "2023-01-01", "group_ids": "bob"},
		"memory_timeline":      {"group_id": "bob"},
		"find_skills":          {"group_id": "bob"},
		"record_run":           {"task": "x", "outcome": "success", "group_id": "bob"},
		"search_facts":         {"query": "x", "group_ids": "bob"},
		"search_memory_facts":  {"query": "x", "group_ids": []string{"alice", "bob"}},
		"search_memory_nodes":  {"query": "x", "group_ids": "bob"},
		"search_nodes":         {"query": "x", "group_ids": "bob"},
		"summarize_saga":       {"saga_name": "chat-1", "group_id": "bob"},
	} {
		alice.refused(none, tool, arguments)
	}
	alice.refused("no episode", "delete_episode", map[string]any{"uuid": bob}) // another group's id, in a group of the key
	s.session(aliceKey, "X-Annals-Group", "bob").refused(none, "get_episodes", nil)
	if _, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "annals://groups/bob/entities"}); err == nil {
		t.Error("alice reads bob's entities")
	}

	pair := s.session(pairKey)
	pair.refused("X-Annals-Group", "get_episodes", nil)
	pair.must(&found, "search_memory_facts", map[string]any{"query": "Alice", "group_ids": []string{"alice", "bob"}})
	if len(found.Facts) != 2 {
		t.Errorf("in two groups: %+v", found)
	}
	pair.refused("carol", "get_episodes", map[string]any{"group_ids": "carol"})
	s.session(pairKey, "X-Annals-Group", "bob").must(&bobs, "get_episodes", nil)
	if bobs.Episodes[0].UUID != bob {
		t.Errorf("the header's group has %+v", bobs)
	}
}

func TestResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	admin, alice := s.session(adminKey), s.session(aliceKey)
	s.remember(admin, "alice")
	s.remember(admin, "bob")
	for uri, want := range map[string]string{
		"annals://groups":                      `"alice"`,
		"annals://groups/alice":                `"done":2`,
		"annals://groups/alice/entities":       `"Lisbon"`,
		"annals://groups/alice/skills":         `{"skills":[`,
		"annals://groups/alice/entities/Alice": `"fact":"Alice moved to Lisbon`,
	} {
		read, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		if text := read.Contents[0].Text; !strings.Contains(text, want) || strings.Contains(text, "bob") {
			t.Errorf("%s: %s, want %s in it", uri, text, want)
		}
	}
	if _, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "annals://groups/alice/entities/Nobody"}); err == nil {
		t.Error("nobody is there")
	}
	templates, err := alice.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 4 {
		t.Errorf("templates %+v, %v", templates, err)
	}
	for name, tt := range map[string]struct {
		arguments map[string]string
		want      string
	}{
		"use_memory":   {nil, "add_memory"},
		"recall":       {map[string]string{"question": "Where does Alice live?"}, "Lisbon"},
		"what_changed": {map[string]string{"since": "2020-01-01"}, "- (added; since the week of 4 March 2024) Alice"},
	} {
		got, err := alice.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: tt.arguments})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text := got.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(text, tt.want) {
			t.Errorf("%s says %q, want %q in it", name, text, tt.want)
		}
	}
	if _, err := alice.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "what_changed", Arguments: map[string]string{"since": "lately"}}); err == nil ||
		!strings.Contains(err.Error(), "since") {
		t.Errorf("since lately: %v", err)
	}
}
