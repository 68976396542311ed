package offline

import (
	"context"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/prompts"
)

// ExtractDates copies the words of the fact's first dated expression.
func (*Analyst) ExtractDates(ctx context.Context, q prompts.ExtractDates) (prompts.ExtractedDates, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedDates{}, err
	}
	for _, e := range (dates.Reader{Prefer: dates.ByTense}).Find(q.Fact, q.OccurredAt) {
		if e.Kind != dates.Dated {
			continue
		}
		dates := prompts.ExtractedDates{Reason: e.Text}
		if !e.Interval.Start.IsZero() {
			dates.ValidAt = e.Text
		}
		if !e.Interval.End.IsZero() && (dates.ValidAt == "" || bounded().MatchString(e.Text)) {
			dates.InvalidAt = e.Text
		}
		return dates, nil
	}
	return prompts.ExtractedDates{}, nil
}
