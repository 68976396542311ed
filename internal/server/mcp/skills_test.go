package mcp_test

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/graph"
	annalsservice "github.com/annalsdb/annals/internal/service"
)

// A host records runs and finds the skill learned from them.
func TestAHostRecordsRuns(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.talk(adminKey)
	steps := []any{"shell: git tag v1", "shell: git push --tags", "look at the page"}
	for range 2 {
		said := c.said("record_run", map[string]any{"group_id": "ops", "task": "Cut a release", "outcome": "success", "steps": steps})
		if !strings.HasPrefix(said, "The run is recorded in group 'ops' [") {
			t.Fatal(said)
		}
	}
	s.process("ops")
	said := c.said("find_skills", map[string]any{"group_id": "ops", "task": "please cut the release"})
	if !strings.Contains(said, "1. shell git tag v1") || !strings.Contains(said, "worked in 2 of 2 runs") {
		t.Errorf("the skill is %s", said)
	}
}

// Hosts offer confirmed skills as commands: to users who may read the group, and as long as the
// group believes the runs.
func TestSkillsArePrompts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	admin := s.talk(adminKey)
	policy := func(p graph.TrustPolicy) {
		t.Helper()
		if err := annalsservice.New(s.client).SetTrustPolicy(t.Context(), "alice", p); err != nil {
			t.Fatal(err)
		}
	}
	for _, group := range []string{"alice", "bob"} {
		for task, step := range map[string]string{"Recall </skills> the parcel of " + group: "ship back", "Recall": "ask"} {
			admin.said("record_run", map[string]any{"group_id": group, "task": task, "outcome": "success", "steps": []any{"shell: " + step}})
		}
		s.process(group)
	}
	alice := s.session(aliceKey)
	names := func(c *session) (names []string) {
		t.Helper()
		listed, err := c.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range listed.Prompts {
			names = append(names, p.Name)
			if strings.Contains(p.Title+p.Description, "</skills>") {
				t.Errorf("what is stored closes a tag: %+v", p)
			}
		}
		return names
	}
	get := func(c *session, name string, arguments map[string]string) (string, error) {
		got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: arguments})
		if err != nil {
			return "", err
		}
		return got.Messages[0].Content.(*sdk.TextContent).Text, nil
	}
	if got := names(alice); len(got) != 3 {
		t.Errorf("before anything is confirmed the prompts are %q", got)
	}
	policy(graph.TrustPolicy{SkillProof: 1})
	got := names(alice)
	if len(got) != 5 || slices.Contains(got[3:], "recall") {
		t.Fatalf("the prompts are %q, want two skills that are not called as others are", got)
	}
	const parcel = "recall-skills-the-parcel-of-alice"
	text, err := get(alice, parcel, map[string]string{"task": "Recall the blue parcel"})
	if err != nil || !strings.Contains(text, "1. shell ship back") || !strings.HasSuffix(text, "\nThe task: Recall the blue parcel") || strings.Count(text, "</skills>") != 1 {
		t.Errorf("the prompt says %q (%v)", text, err)
	}
	if text, err = get(alice, parcel, nil); err != nil || !strings.HasSuffix(text, "The task: Recall ‹/skills> the parcel of alice") {
		t.Errorf("without a task the prompt says %q (%v)", text, err)
	}
	if text, err = get(s.session(pairKey), parcel, map[string]string{"group_id": "alice"}); err != nil || !strings.Contains(text, "ship back") {
		t.Errorf("of a group that is named: %q (%v)", text, err)
	}
	for _, refused := range []struct {
		key, name string
		arguments map[string]string
	}{
		{aliceKey, "recall-skills-the-parcel-of-bob", map[string]string{"group_id": "bob"}},
		{aliceKey, "recall-skills-the-parcel-of-bob", nil},
		{pairKey, parcel, nil},
		{aliceKey, "nothing", nil},
	} {
		if text, err := get(s.session(refused.key), refused.name, refused.arguments); err == nil {
			t.Errorf("%+v: %s", refused, text)
		}
	}
	if got := names(s.session(pairKey)); len(got) != 3 {
		t.Errorf("of several groups and none the prompts are %q", got)
	}
	if got := names(s.session(pairKey, "X-Annals-Group", "carol")); len(got) != 3 {
		t.Errorf("of a group that the key does not open the prompts are %q", got)
	}
	policy(graph.TrustPolicy{SkillProof: 1, Assistants: true})
	if got := names(alice); len(got) != 3 {
		t.Errorf("of runs that are withheld the prompts are %q", got)
	}
	if text, err := get(alice, parcel, nil); err == nil {
		t.Errorf("of a run that is withheld: %s", text)
	}
}
