package mcp_test

import (
	"strings"
	"testing"
)

// A host records runs and finds what they show.
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
