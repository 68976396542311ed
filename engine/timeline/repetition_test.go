package timeline_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

func TestRepeat(t *testing.T) {
	t.Parallel()
	type claim = timeline.Claim
	said := func(n int) claim { return claim{Valid: temporal.SaidSince(day(n)), Said: day(n)} }
	tests := []struct {
		name         string
		known, again claim
		want         temporal.Validity
	}{
		{"what is said again holds since it was said first", said(3), said(9), temporal.SaidSince(day(3))},
		{"what was said before holds since then", said(9), said(3), temporal.SaidSince(day(3))},
		{"a stated start dates what was said", said(9), claim{Valid: stated(3, 0)}, stated(3, 0)},
		{"a said start changes no stated one", claim{Valid: stated(9, 0)}, said(3), stated(9, 0)},
		{"a more exact start refines", claim{Valid: stretch(1, 0, statedMonth)}, claim{Valid: stated(9, 0)}, stated(9, 0)},
		{"one outside the month does not", claim{Valid: stretch(1, 0, statedMonth)}, claim{Valid: stated(40, 0)}, stretch(1, 0, statedMonth)},
		{"a stated end ends what goes on", said(3), claim{Valid: stretch(0, 9, statedDay)}, stretch(3, 9, saidThen, statedDay)},
		{"a stretch that was over before is another one", said(9), claim{Valid: stretch(1, 3, statedDay, statedDay), Said: day(20)}, temporal.SaidSince(day(9))},
		{"an event that was over before tells how the state began", said(9), claim{Valid: stated(3, 4), Event: true, Said: day(20)}, stated(3, 0)},
		{"an end before the start is not believed", said(9), claim{Valid: stretch(0, 3, statedDay)}, temporal.SaidSince(day(9))},
		{"what is over by now ends", said(3), claim{Valid: temporal.OverBy(day(9)), Said: day(9)}, stretch(3, 9, saidThen, saidThen)},
		{
			"an event is dated",
			claim{Valid: temporal.OverBy(day(9)), Event: true, Said: day(9)},
			claim{Valid: stated(3, 4), Event: true},
			stated(3, 4),
		},
		{
			"an event is dated more exactly",
			claim{Valid: stretch(1, 32, statedMonth, statedMonth), Event: true},
			claim{Valid: stated(3, 4), Event: true},
			stated(3, 4),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, timeline.Repeat(tt.known, tt.again)); diff != "" {
				t.Errorf("Repeat (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRepeatInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		known := drawClaim(t, rapid.IntRange(1, 40).Draw(t, "known"))
		again := drawClaim(t, rapid.IntRange(1, 40).Draw(t, "again"))
		again.Event = known.Event
		v := timeline.Repeat(known, again)
		if v.Empty() {
			t.Fatalf("an empty stretch: %v", v)
		}
		if known.Valid.From.Basis == temporal.Stated && v.From.Basis != temporal.Stated {
			t.Fatalf("a stated start was given up: %v from %v", v, known.Valid)
		}
		known.Valid = v
		if twice := timeline.Repeat(known, again); twice != v {
			t.Fatalf("told twice: %v, then %v", v, twice)
		}
	})
}

func TestStatedAs(t *testing.T) {
	t.Parallel()
	said := time.Date(2024, 2, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]temporal.Validity{
		"last year": {
			Interval: temporal.Interval{Start: time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
			From:     temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheYear},
			Until:    temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheYear},
		},
		"since 5 May 2021": {
			Interval: temporal.Interval{Start: time.Date(2021, 5, 5, 0, 0, 0, 0, time.UTC)},
			From:     statedDay,
		},
	} {
		found := dates.Find(text, said)
		if len(found) != 1 {
			t.Fatalf("%q: %d expressions", text, len(found))
		}
		if diff := cmp.Diff(want, found[0].StatedAs()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
