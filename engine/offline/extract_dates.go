package offline

import (
	"context"
	"time"

	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// ExtractDates reads the first dated expression of the fact.
func (*Analyst) ExtractDates(ctx context.Context, q prompts.ExtractDates) (prompts.ExtractedDates, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ExtractedDates{}, err
	}
	for _, e := range temporal.Find(q.Fact, q.OccurredAt) {
		if e.Kind == temporal.Dated {
			s := dated{ref: q.OccurredAt}.spanOf(e)
			return prompts.ExtractedDates{Reason: e.Text, ValidAt: iso(s.from), InvalidAt: iso(s.until)}, nil
		}
	}
	return prompts.ExtractedDates{}, nil
}

// iso writes a time as answers have it.
func iso(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
