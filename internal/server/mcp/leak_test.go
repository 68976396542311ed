package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// told fills a group that has a word of its own, with observations and standing answers, and
// returns the ids in it.
func told(t *testing.T, client *annals.Client, group, word string) (ids map[string]string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	ids = map[string]string{}
	var fact annals.AddedTriple
	for range 2 {
		added, err := client.AddTriple(ctx, annals.Triple{
			GroupID: group, Source: graph.TripleEnd{Name: "Nora " + word}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: "Carl " + word}, Fact: "Nora knows Carl " + word + ".",
		})
		must(err)
		fact = added
	}
	stored, err := client.Add(ctx, annals.Episode{GroupID: group, Actor: "Nora", Content: "I know Carl " + word + ".", ThreadID: "talk"})
	must(err)
	must(client.Process(ctx, group, nil))
	must(client.Observe(ctx, group))
	_, err = client.SummariseThread(ctx, group, "talk")
	must(err)
	kept, err := client.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: group, Text: "Whom does Nora know?"}})
	must(err)
	ids["fact"], ids["node"], ids["episode"], ids["answer"] = fact.FactID.String(), fact.SourceID.String(), stored.ID.String(), kept.ID.String()
	return ids
}

// arguments returns the arguments of a tool, with another group's ids.
func arguments(tool string, schema any, group string, ids map[string]string) map[string]any {
	text, _ := json.Marshal(schema)
	var s struct{ Properties map[string]struct{ Type any } }
	_ = json.Unmarshal(text, &s)
	of := map[string]string{"delete_episode": "episode", "drop_answer": "answer"}[tool]
	if of == "" {
		of = "fact"
	}
	known := map[string]any{
		"group_id": group, "group_ids": []string{group}, "uuid": ids[of], "uuids": []string{ids["fact"]}, "episode_uuids": []string{ids["episode"]}, "mark": "pinned",
		"query": "Whom does Nora know? Carl", "name": "n", "episode_body": "I know Eve.", "source_node_name": "Nora", "target_node_name": "Eve", "edge_name": "KNOWS",
		"fact": "Nora knows Eve.", "saga_name": "talk", "center_node_uuid": ids["node"], "source_node_uuid": ids["node"], "known_at": "2100-01-01",
	}
	out := map[string]any{}
	for name := range s.Properties {
		if value, ok := known[name]; ok && (name != "uuid" || tool != "add_memory") {
			out[name] = value
		}
	}
	return out
}

// No tool reads or changes anything in a group that its key may not use, whether the group is named
// or ids of it are used in the key's own group.
func TestNoToolReachesAnotherGroup(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t)
	told(t, s.client, "alice", "ownword")
	foreign := told(t, s.client, "bob", "foreignword")
	state := func() string {
		t.Helper()
		facts, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		answers, err := s.client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		episodes, err := s.client.EpisodeCounts(t.Context(), "bob")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal([]any{facts, len(answers), episodes})
		return string(text)
	}
	before := state()
	session, all := s.session(aliceKey), s.session(adminKey)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tells := 0
	for _, tool := range tools.Tools {
		if result, said := session.call(tool.Name, arguments(tool.Name, tool.InputSchema, "bob", foreign)); !result.IsError || strings.Contains(said, "foreignword") {
			t.Errorf("%s of another group: %s", tool.Name, said)
		}
		if tool.Name == "clear_graph" {
			continue
		}
		result, said := session.call(tool.Name, arguments(tool.Name, tool.InputSchema, "alice", foreign))
		whole := fmt.Sprint(said, result.StructuredContent)
		if strings.Contains(whole, "foreignword") {
			t.Errorf("%s with ids of another group: %s", tool.Name, whole)
		}
		if strings.HasSuffix(tool.Name, "mark_memory") && !result.IsError {
			t.Errorf("%s marks what is not there: %s", tool.Name, whole)
		}
		if tool.Annotations.ReadOnlyHint {
			if result, said := all.call(tool.Name, arguments(tool.Name, tool.InputSchema, "bob", foreign)); strings.Contains(fmt.Sprint(said, result.StructuredContent), "foreignword") {
				tells++
			}
		}
	}
	if after := state(); after != before {
		t.Errorf("bob's group was\n%s and is\n%s", before, after)
	}
	if tells < 9 {
		t.Errorf("who may see all is told by %d tools: the test asks wrongly", tells)
	}
}
