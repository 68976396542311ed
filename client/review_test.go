package client_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// The lists of review, page by page, and decisions are the same over REST as in this
// process.
func TestReviewOverREST(t *testing.T) {
	t.Parallel()
	b, ctx := open(t), t.Context()
	for _, e := range []annals.Episode{clienttest.Alice("I live in Lisbon.", "2024-03-01"), clienttest.Alice("I moved to Porto.", "2024-03-02"), clienttest.Alice("I like golf.", "2024-03-03")} {
		if e.Content != "I live in Lisbon." {
			e.SourceDescription, e.Role = "bad.jsonl", "assistant"
		}
		clienttest.AddAndProcess(t, b.embedded, e)
	}
	s := service.New(b.embedded)
	file := edit.ReviewFilter{GroupID: "t", Brought: edit.Brought{Source: "bad.jsonl"}, Limit: 1}
	for added, list := range map[bool]func() ([]edit.Reviewed, error){
		false: func() ([]edit.Reviewed, error) { return s.Review(ctx, file) },
		true:  func() ([]edit.Reviewed, error) { return s.Added(ctx, file) },
	} {
		file.After = nil
		seen := 0
		for {
			got, err := b.served.Review(ctx, file, added)
			want, wantErr := list()
			if err != nil || wantErr != nil || len(got) != len(want) {
				t.Fatalf("%d, %v; in this process %d, %v", len(got), err, len(want), wantErr)
			}
			if len(got) == 0 {
				break
			}
			if diff := cmp.Diff(want[0].JSON(), got[0].JSON(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-in this process +over REST):\n%s", diff)
			}
			seen, file.After = seen+1, &got[0]
		}
		if seen != 2 {
			t.Errorf("added %v: %d are under review", added, seen)
		}
	}
	for _, limit := range []int{0, 1} {
		got, err := b.served.Bringers(ctx, "t", limit)
		want, wantErr := s.Bringers(ctx, "t", limit)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil || len(got) == 0 {
			t.Errorf("what brought something (-in this process +over REST), %v, %v:\n%s", err, wantErr, diff)
		}
	}
	file.After, file.Limit = nil, 0
	waiting, err := b.served.Review(ctx, file, false)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := b.served.Decide(ctx, edit.Decision{GroupID: "t", Do: "approve", FactIDs: []uuid.UUID{waiting[0].Fact.ID}}); n != 1 || err != nil {
		t.Errorf("approved %d, %v", n, err)
	}
	again := edit.Decision{GroupID: "t", Do: "reject", FactIDs: []uuid.UUID{waiting[0].Fact.ID}, Versions: []string{waiting[1].Version, waiting[0].Version}}
	if _, err := b.served.Decide(ctx, again); annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("what was approved in the meantime is rejected: %v", err)
	}
	words := "Alice likes golf a lot."
	if n, err := b.served.Decide(ctx, edit.Decision{GroupID: "t", Do: "edit", FactIDs: []uuid.UUID{waiting[0].Fact.ID}, Edit: annals.FactEdit{Fact: &words}}); n != 1 || err != nil {
		t.Errorf("edited %d, %v", n, err)
	}
	if fact, err := b.embedded.Fact(ctx, "t", waiting[0].Fact.ID); err != nil || fact.Fact != words {
		t.Errorf("it is %q, %v", fact.Fact, err)
	}
	if n, err := b.served.Decide(ctx, edit.Decision{GroupID: "t", Do: "reject", All: true, Filter: edit.ReviewFilter{Kind: waiting[1].Kind}}); n != 1 || err != nil {
		t.Errorf("rejected %d, %v", n, err)
	}
	if _, err := b.served.Decide(ctx, edit.Decision{GroupID: "t", Do: "approve"}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("nothing decided: %v", err)
	}
	taken := edit.TakingBack{GroupID: "t", Brought: file.Brought, DryRun: true}
	want, wantErr := s.TakeBack(ctx, taken)
	got, err := b.served.TakeBack(ctx, taken)
	if err != nil || wantErr != nil || got.Undone != want.Undone || got.Undone.Episodes != 2 || len(got.Facts) != len(want.Facts) {
		t.Errorf("it would be %+v, %v; in this process %+v, %v", got, err, want, wantErr)
	}
	taken.DryRun = false
	if got, err = b.served.TakeBack(ctx, taken); err != nil || got.Undone.Episodes != 2 {
		t.Errorf("taken back: %+v, %v", got, err)
	}
}
