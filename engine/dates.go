package engine

import (
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// How long after it was said a fact may begin or end, in years. What is dated
// later was misread.
const maxAhead = 200

// date places the statement on the timeline by its own words. Without a start
// it begins when it was said, unless it had ended by then. It tells what could
// not be made sense of.
func (s *statement) date(validAt, invalidAt string, ref time.Time) (problems []string) {
	start, problem := readDate(validAt, ref)
	problems = noting(problems, problem)
	end, problem := readDate(invalidAt, ref)
	problems = noting(problems, problem)
	i := temporal.Interval{Start: start, End: end}
	if i.Empty() {
		if start.After(end) {
			problems = append(problems, fmt.Sprintf("it ends (%s) before it begins (%s): the end is left out", invalidAt, validAt))
		}
		i.End = time.Time{}
	}
	s.dated = !i.Start.IsZero() || !i.End.IsZero()
	if i.Start.IsZero() && (i.End.IsZero() || ref.Before(i.End)) {
		i.Start = ref
	}
	s.claimed = i
	return problems
}

func noting(problems []string, problem string) []string {
	if problem == "" {
		return problems
	}
	return append(problems, problem)
}

// The forms of ISO 8601 that answers come in. What says no offset is UTC.
var isoForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006",
}

// readDate reads a date of an answer: ISO 8601, or the words of the text, read
// against the time they were said. Empty is no date. The second result says
// why there is none although something was said.
func readDate(s string, ref time.Time) (time.Time, string) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "null", "none", "unknown", "n/a":
		return time.Time{}, ""
	}
	t, ok := parseISO(s)
	if !ok {
		t, ok = readWords(s, ref)
	}
	switch {
	case !ok:
		return time.Time{}, fmt.Sprintf("the date %q cannot be read and is left out", cut(s, 100))
	case t.Year() > ref.Year()+maxAhead || t.IsZero() || graph.ValidateTime("", t) != nil:
		return time.Time{}, fmt.Sprintf("the date %q is out of the question and is left out", cut(s, 100))
	}
	return t.UTC().Truncate(time.Microsecond), "" // as the database keeps it
}

func parseISO(s string) (time.Time, bool) {
	for _, form := range isoForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func readWords(s string, ref time.Time) (time.Time, bool) {
	for _, e := range temporal.Find(s, ref) {
		if e.Kind != temporal.Dated && e.Kind != temporal.Clock {
			continue
		}
		if onset := e.Onset(ref); !onset.IsZero() {
			return onset, true
		}
		return e.Interval.End, !e.Interval.End.IsZero()
	}
	return time.Time{}, false
}
