package agent_test

import (
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

// Text that PostgreSQL cannot hold is a mistake of the caller, and no failure of the program.
func TestNULIsInvalid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	create := func(s agent.Spec) error {
		s.GroupID = "g"
		_, err := w.agents.Create(t.Context(), s)
		return err
	}
	_, opened := w.agents.Open(t.Context(), "g", "no\x00")
	_, attached := a.Attach(t.Context(), "n\x00ul.txt", "text")
	for what, err := range map[string]error{
		"a name":           create(agent.Spec{Name: "n\x00ul"}),
		"instructions":     create(agent.Spec{Name: "ann", Instructions: "a\x00b"}),
		"a label":          create(agent.Spec{Name: "ann", Blocks: []agent.Block{{Label: "a\x00b"}}}),
		"a description":    create(agent.Spec{Name: "ann", Blocks: []agent.Block{{Label: "a", Description: "a\x00b"}}}),
		"new instructions": a.Configure(t.Context(), "a\xff", a.Settings),
		"an agent to open": opened,
		"a document":       attached,
		"a tag":            a.Archive(t.Context(), "text", "tag\x00x"),
	} {
		if code := graph.CodeOf(err); code != graph.CodeInvalid {
			t.Errorf("%s: %v (%s)", what, err, code)
		}
	}
}
