package main

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/lanes"
)

// The ruler has the times at which bars are drawn; a bar without a date is drawn when it was
// learned.
func TestTheRulerOfUndatedBars(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	undated := lanes.Bar{Kind: graph.FactState, ShownFrom: day("2026-05-01")}
	dated := lanes.Bar{Kind: graph.FactState, ValidAt: new(day("2025-05-01")), ShownFrom: day("2026-05-01")}
	for name, c := range map[string]struct {
		bars        []lanes.Bar
		first, last string
	}{
		"no date":          {[]lanes.Bar{undated}, "2026-04-30", "2026-05-02"},
		"two without":      {[]lanes.Bar{undated, {Kind: graph.FactEvent, ShownFrom: day("2026-06-10")}}, "2026-04-30", "2026-06-10"},
		"one date":         {[]lanes.Bar{dated}, "2025-04-30", "2025-05-02"},
		"with and without": {[]lanes.Bar{dated, undated}, "2025-04-21", "2026-05-01"},
		"only its end":     {[]lanes.Bar{{Kind: graph.FactState, InvalidAt: new(day("2025-05-01")), ShownFrom: day("2026-05-01")}}, "2025-04-30", "2025-05-02"},
	} {
		whole := span([]lanes.Lane{{Bars: c.bars}})
		if first, last := whole[0].Format(time.DateOnly), whole[1].Format(time.DateOnly); first != c.first || last != c.last {
			t.Errorf("%s: the ruler goes from %s to %s, want %s to %s", name, first, last, c.first, c.last)
		}
	}
}
