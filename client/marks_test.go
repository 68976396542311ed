package client_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Marks made over REST are visible in both memories, and wrong input is refused with
// its field.
func TestMarksAreSetOverREST(t *testing.T) {
	t.Parallel()
	b := open(t)
	clienttest.AddAndProcess(t, b.embedded, clienttest.Alice("I like tea.", "2024-03-01"))
	facts, err := b.served.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 {
		t.Fatalf("%v, %v", facts, err)
	}
	ids, until := []uuid.UUID{facts[0].ID}, time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	for _, mark := range []graph.Mark{graph.MarkPinned, graph.MarkExpires, graph.MarkWrong} {
		var expires time.Time
		if mark == graph.MarkExpires {
			expires = until
		}
		marked, err := b.served.Mark(t.Context(), "t", ids, mark, expires)
		if err != nil || len(marked) != 1 || marked[0].ID != ids[0] || marked[0].Kind != graph.KindFact || (marked[0].Offer == "withdraw") != (mark == graph.MarkWrong) {
			t.Fatalf("%s: %+v, %v", mark, marked, err)
		}
	}
	got, err := b.served.Fact(t.Context(), "t", ids[0])
	want, wantErr := b.embedded.Fact(t.Context(), "t", ids[0])
	if err != nil || wantErr != nil || got.Marks != want.Marks || !got.Marks.Pinned || got.Marks.Wrong != 1 || !got.Marks.ExpiresAt.Equal(until) {
		t.Errorf("it is %+v (%v), and in this process %+v (%v)", got.Marks, err, want.Marks, wantErr)
	}
	if _, err := b.served.Mark(t.Context(), "t", ids, graph.MarkExpires, time.Time{}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("an expiry without a time: %v", err)
	}
	if _, err := b.served.Mark(t.Context(), "t", nil, graph.MarkPinned, time.Time{}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("nothing marked: %v", err)
	}
}
