package explorer_test

import (
	"time"

	"github.com/annalsdb/annals/temporal"
)

// phrased is a time in the world with the service's words for it.
type phrased struct {
	From       *time.Time     `json:"from"`
	Until      *time.Time     `json:"until"`
	FromKnown  temporal.Bound `json:"from_known"`
	UntilKnown temporal.Bound `json:"until_known"`
	Reading    time.Time      `json:"reading"`
	State      string         `json:"state"`
	Event      string         `json:"event"`
}

// phrases returns times of all kinds with the service's words. The page's own tests compare theirs
// with them, so that sliders and lists say the same.
func phrases() (all []phrased) {
	at := func(text string) time.Time {
		t, _ := time.Parse(time.RFC3339, text)
		return t
	}
	starts := []time.Time{{}, at("2024-01-01T00:00:00Z"), at("2024-02-29T18:30:00Z"), at("2024-03-04T00:00:00Z"), at("2024-12-01T00:00:00Z")}
	ends := []time.Time{{}, at("2024-03-05T00:00:00Z"), at("2024-04-01T00:00:00Z"), at("2024-06-01T00:00:00Z"), at("2025-01-01T00:00:00Z"), at("2025-03-01T09:15:00Z")}
	precisions := []temporal.Precision{
		temporal.ToInstant, temporal.ToTheDay, temporal.ToTheWeek, temporal.ToTheMonth, temporal.ToTheSeason, temporal.ToTheYear, temporal.ToTheDecade,
	}
	for i, from := range starts {
		for j, until := range ends {
			if !until.IsZero() && until.Before(from) {
				continue
			}
			for k, p := range precisions {
				for _, basis := range []temporal.Basis{temporal.Stated, temporal.Planned, temporal.Said, temporal.Inferred} {
					v := temporal.Validity{Interval: temporal.Interval{Start: from, End: until}}
					if !from.IsZero() {
						v.From = temporal.Bound{Basis: basis, Precision: p}
					}
					if !until.IsZero() {
						v.Until = temporal.Bound{Basis: temporal.Stated, Precision: p}
						if (i+j+k)%2 == 0 {
							v.Until.Basis = basis
						}
					}
					all = append(all, phraseOf(v, at("2024-08-01T00:00:00Z")))
				}
			}
		}
	}
	return all
}

func phraseOf(v temporal.Validity, reading time.Time) phrased {
	p := phrased{FromKnown: v.From, UntilKnown: v.Until, Reading: reading, State: v.Phrase(reading), Event: v.PhraseOfEvent(reading)}
	if !v.Start.IsZero() {
		p.From = &v.Start
	}
	if !v.End.IsZero() {
		p.Until = &v.End
	}
	return p
}
