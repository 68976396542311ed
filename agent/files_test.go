package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
)

// attach attaches documents with the names doc0.txt, doc1.txt and so on.
func (w *world) attach(a *agent.Agent, n int, text string) {
	w.Helper()
	for i := range n {
		_, err := a.Attach(w.Context(), fmt.Sprintf("doc%d.txt", i), text)
		w.try(err)
	}
}

func opening(names ...string) map[string]any {
	files := []any{}
	for _, name := range names {
		files = append(files, map[string]any{"file_name": name})
	}
	return map[string]any{"file_requests": files}
}

// Documents that leave no room are closed, and the turn goes on.
func TestDocumentsThatLeaveNoRoomAreClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	full := strings.Repeat("Likes tea and long walks. ", 76)
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: full}, agent.Block{Label: "persona", Value: full})
	w.attach(a, 5, strings.Repeat("The quick brown fox jumps over the lazy dog near the river bank.\n", 200))
	w.script.answer = steps(goOn("open_files", opening("doc0.txt", "doc1.txt", "doc2.txt", "doc3.txt", "doc4.txt")), say("Done."))
	turn := w.tell(a, "Open all.")
	if len(turn.Messages) != 1 || turn.Steps[1].Kind != agent.StepPressure || !strings.Contains(turn.Steps[1].Result, "were closed") {
		t.Errorf("turn %+v", turn)
	}
	if last := w.script.last(); strings.Contains(last.System, "quick brown") || !strings.Contains(string(last.Body), "were closed") {
		t.Errorf("the model reads %s", last.Body)
	}
	if turn = w.tell(a, "Are you there?"); len(turn.Messages) != 1 {
		t.Errorf("turn %+v", turn)
	}
}

// A call that fails opens and closes no document.
func TestAFailedCallOpensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{OpenFiles: 2})
	w.attach(a, 3, "A line.\n")
	wrong := opening("doc1.txt", "missing.txt")
	wrong["close_all_others"] = true
	w.script.answer = steps(goOn("open_files", opening("doc0.txt")), call("open_files", wrong), call("open_files", opening("doc2.txt", "missing.txt")), say("Sorry."))
	w.tell(a, "Open some.")
	files, err := a.Files(t.Context())
	w.try(err)
	for _, f := range files {
		if f.Open != (f.Name == "doc0.txt") {
			t.Errorf("%s: open is %t", f.Name, f.Open)
		}
	}
}
