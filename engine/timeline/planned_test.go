package timeline_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/engine/timeline"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// A plan becomes a stated fact when it is told again, after its beginning, as no plan.
func TestRepeatedPlan(t *testing.T) {
	t.Parallel()
	day := func(m time.Month, d int) time.Time { return time.Date(2024, m, d, 10, 0, 0, 0, time.UTC) }
	told := func(said time.Time, words string) timeline.Claim {
		v := dates.PlannedIf(dates.Find(words, said)[0].StatedAs(), said, false)
		return timeline.Claim{Valid: v, Said: said, Event: true}
	}
	plan := told(day(3, 4), "12 May 2024")
	for _, tt := range []struct {
		name         string
		known, again timeline.Claim
		want         temporal.Basis
	}{
		{"told again before its day", plan, told(day(4, 20), "12 May 2024"), temporal.Planned},
		{"told as over", plan, told(day(5, 20), "12 May 2024"), temporal.Stated},
		{"told as over, without a date", plan, timeline.Claim{Valid: temporal.OverBy(day(5, 20)), Said: day(5, 20), Event: true}, temporal.Stated},
		{"the plan arrives later", told(day(5, 20), "12 May 2024"), plan, temporal.Stated},
		{"the plan arrives later than what has no date", timeline.Claim{Valid: temporal.OverBy(day(5, 20)), Said: day(5, 20), Event: true}, plan, temporal.Stated},
	} {
		if got := timeline.Repeat(tt.known, tt.again); got.From.Basis != tt.want || !got.Interval.Equal(plan.Valid.Interval) {
			t.Errorf("%s: %s %s, want %s %s", tt.name, got.Interval, got.From.Basis, plan.Valid.Interval, tt.want)
		}
	}
}
