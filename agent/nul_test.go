package agent_test

import (
	"math"
	"testing"
	"time"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

// A text or a time that PostgreSQL cannot hold is a mistake of the caller, and no failure of the program.
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
	_, listed := w.agents.List(t.Context(), "g", "a\xff", 1)
	_, text := a.FileText(t.Context(), "a\xff")
	_, made := w.agents.CreateBlock(t.Context(), "g", agent.Block{Label: "a", Description: "a\xff"})
	_, edited := w.agents.CreateBlock(t.Context(), "g", agent.Block{Label: "a", EditedBy: "a\xff"})
	far := time.Date(300_000, 1, 1, 0, 0, 0, 0, time.UTC)
	_, blocks := a.BlocksAt(t.Context(), far)
	_, _, said := a.Recall(t.Context(), agent.RecallQuery{Until: far})
	_, _, passages := a.SearchArchive(t.Context(), agent.PassageQuery{Text: "text", Since: far})
	for what, err := range map[string]error{
		"a name":                 create(agent.Spec{Name: "n\x00ul"}),
		"instructions":           create(agent.Spec{Name: "ann", Instructions: "a\x00b"}),
		"a label":                create(agent.Spec{Name: "ann", Blocks: []agent.Block{{Label: "a\x00b"}}}),
		"a description":          create(agent.Spec{Name: "ann", Blocks: []agent.Block{{Label: "a", Description: "a\x00b"}}}),
		"new instructions":       a.Configure(t.Context(), "a\xff", a.Settings),
		"an agent to open":       opened,
		"a document":             attached,
		"an agent to list after": listed,
		"a document to read":     text,
		"a document to detach":   a.Detach(t.Context(), "a\x00"),
		"a block":                made,
		"an editor":              edited,
		"blocks of a year":       blocks,
		"what was said until":    said,
		"what was kept since":    passages,
		"a share":                agent.Settings{Warn: math.NaN()}.Validate(),
		"a tag":                  a.Archive(t.Context(), "text", "tag\x00x"),
	} {
		if code := graph.CodeOf(err); code != graph.CodeInvalid {
			t.Errorf("%s: %v (%s)", what, err, code)
		}
	}
}
