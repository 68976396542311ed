package temporal

import (
	"regexp"
	"strings"
	"time"
)

// "Last week", said of something that happened, is about a week ago.
var lastUnit = regexp.MustCompile(`(?i)^(?:this )?(?:last|past) (week|month|year)$`)

// Onset returns when what the expression dates began: the start of its
// interval. What began "last week", "last month" or "last year" is put as long
// ago, on the same day of the unit, rather than at the unit's beginning, which
// is as good a guess and keeps the order of what is told. It is zero where the
// expression leaves the start open ("until May").
func (e Expression) Onset(ref time.Time) time.Time {
	if m := lastUnit.FindStringSubmatch(e.Text); m != nil {
		return unitBefore(strings.ToLower(m[1]), ref)
	}
	return e.Interval.Start
}

func unitBefore(unit string, ref time.Time) time.Time {
	day := time.Date(ref.Year(), ref.Month(), ref.Day(), 0, 0, 0, 0, ref.Location())
	switch unit {
	case "week":
		return day.AddDate(0, 0, -7)
	case "month":
		// The 31st of a shorter month is its last day.
		endOfLast := day.AddDate(0, 0, -day.Day())
		return day.AddDate(0, 0, -max(day.Day(), endOfLast.Day()))
	}
	return day.AddDate(-1, 0, 0)
}
