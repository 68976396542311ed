package agent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// An agent recalls nothing that has expired, neither by search nor in a list, and its model is not
// shown it.
func TestAgentsLeaveOutWhatHasExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{})
	w.script.answer = idle
	w.tell(a, "My secret is Vexelberg.")
	w.tell(a, "I like tea.")
	recalled := func() string {
		t.Helper()
		var all []string
		for _, q := range []agent.RecallQuery{{Text: "secret Vexelberg tea"}, {}} {
			said, total, err := a.Recall(t.Context(), q)
			w.try(err)
			if total != len(said) {
				t.Errorf("%d of %d are recalled", len(said), total)
			}
			for _, s := range said {
				all = append(all, s.Content)
			}
		}
		return strings.Join(all, "\n")
	}
	if got := recalled(); strings.Count(got, "Vexelberg") != 2 {
		t.Fatalf("recalled is %s", got)
	}
	secret, _, err := a.Recall(t.Context(), agent.RecallQuery{Text: "Vexelberg", Limit: 1})
	w.try(err)
	_, err = service.New(w.client).Mark(t.Context(), "g", service.MarkChange{IDs: []uuid.UUID{secret[0].EpisodeID}, Mark: graph.MarkExpires, ExpiresAt: time.Now().Add(time.Hour)})
	w.try(err)
	_, err = clienttest.Dial(t, w.url).Exec(t.Context(), `UPDATE annals.marks SET expires_at = clock_timestamp()`)
	w.try(err)
	if got := recalled(); strings.Contains(got, "Vexelberg") || !strings.Contains(got, "tea") {
		t.Errorf("expired, recalled is %s", got)
	}
	listed := func() string { return fmt.Sprintf("%+v", w.messages(a)) }
	if got := listed(); strings.Contains(got, "Vexelberg") || !strings.Contains(got, "tea") {
		t.Errorf("expired, the messages are %s", got)
	}
	w.tell(a, "I like rain.")
	asked := w.script.asked
	if before, now := asked[len(asked)-2], asked[len(asked)-1]; !holds(before, "Vexelberg") || holds(now, "Vexelberg") || !holds(now, "tea") || !holds(now, "rain") {
		t.Errorf("expired, the model is asked %+v; before, %+v", now, before)
	}
	_, err = w.client.ApplyRetention(t.Context(), "g", false)
	w.try(err)
	if got := recalled(); strings.Contains(got, "Vexelberg") || !strings.Contains(got, "tea") {
		t.Errorf("taken out, recalled is %s", got)
	}
	if got := listed(); strings.Contains(got, "Vexelberg") || !strings.Contains(got, "tea") {
		t.Errorf("taken out, the messages are %s", got)
	}
}
