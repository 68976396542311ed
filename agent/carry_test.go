package agent_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

func TestAnAgentIsExportedAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{Window: 4000}, agent.Block{Label: "human", Value: "Eva", Limit: 50})
	w.try(a.Archive(t.Context(), "On tea.", "tea"))
	_, err := a.Attach(t.Context(), "notes.txt", "One\nTwo\n")
	w.try(err)
	var file bytes.Buffer
	w.try(a.Export(t.Context(), &file))
	b, err := w.agents.Import(t.Context(), "other", "sue", bytes.NewReader(file.Bytes()))
	w.try(err)
	var again bytes.Buffer
	w.try(b.Export(t.Context(), &again))
	if got := strings.Replace(again.String(), `"sue"`, `"sam"`, 1); got != file.String() {
		t.Errorf("exported again:\n%s\nat first:\n%s", got, file.String())
	}
	if b.Passages != 1 {
		t.Errorf("it has %d passages", b.Passages)
	}
	if _, err := w.agents.Import(t.Context(), "other", "", strings.NewReader("{}")); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("something else: %v", err)
	}
	w.try(b.Delete(t.Context()))
	if _, err := w.agents.Open(t.Context(), "other", "sue"); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("after deleting: %v", err)
	}
}
