package datetime

import (
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
)

// Finding is a date that a reader found in a sentence.
type Finding struct {
	Start       time.Time
	Granularity calendar.Granularity
	// Dated is false for findings without a date, such as durations.
	Dated bool
}

// Reader finds dates in a sentence written at ref. It returns them in the order they appear.
type Reader struct {
	Name string
	Find func(sentence string, ref time.Time) []Finding
}

// Annals returns Annals' own reader.
func Annals() Reader { return Reader{Name: "annals", Find: annals} }

func annals(sentence string, ref time.Time) []Finding {
	var found []Finding
	for _, e := range dates.Find(sentence, ref) {
		found = append(found, Finding{
			Start: e.Interval.Start, Granularity: e.Granularity, Dated: e.Kind == dates.Dated,
		})
	}
	return found
}
