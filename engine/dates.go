package engine

import (
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"

	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// maxAhead is how many years after it was said a fact may begin or end. A later date was misread.
const maxAhead = 200

// date gives a statement its time. It reads the dates relative to when the statement was said, and
// returns what it could not read. A state without a start holds since it was said, unless it was
// over by then. An event without a date happened some time before it was said.
func (s *statement) date(f prompts.ExtractedFact) (problems []string) {
	if f.Valid != nil {
		s.claimed = stored(dates.PlannedIf(*f.Valid, s.said, false))
		return nil
	}
	r := dateReader{said: s.said, moved: dates.Moved(s.fact)}
	r.future, r.past = dates.Direction(s.fact)
	if s.ends || s.kind == graph.FactEvent {
		s.claimed = r.event(f.ValidAt, f.InvalidAt)
		if s.claimed == (temporal.Validity{}) { // undated and in the future: a plan
			s.kind, s.claimed = graph.FactState, temporal.SaidSince(s.said)
		}
	} else {
		s.claimed = r.state(f.ValidAt, f.InvalidAt, f.Fact)
	}
	announced := r.future && dates.Announces(s.fact)
	if announced {
		s.claimed = dates.NotBefore(s.claimed, s.said)
	}
	s.claimed = stored(dates.PlannedIf(s.claimed, s.said, announced))
	return r.problems
}

// stored converts a validity to what the database keeps. Dates of a day or longer are kept as the
// same calendar days in UTC, wherever they are read.
func stored(v temporal.Validity) temporal.Validity {
	end := func(t time.Time, b temporal.Bound) time.Time {
		if b.Dated() && b.Precision != temporal.ToInstant {
			t = calendar.Wall(t)
		}
		return t.UTC().Truncate(time.Microsecond)
	}
	v.Start, v.End = end(v.Start, v.From), end(v.End, v.Until)
	return v
}

type dateReader struct {
	said     time.Time
	future   bool // the sentence speaks of the future
	past     bool // the sentence speaks of the past
	moved    bool // the sentence says that a date was moved to another
	problems []string
}

// event returns when something happened. It is zero for an undated event of the future.
func (r *dateReader) event(at, until string) temporal.Validity {
	v := temporal.Validity{}
	if e, ok := r.read(at); ok {
		v = e.StatedAs()
	}
	if e, ok := r.read(until); ok {
		v.End, v.Until = e.Interval.End, e.StatedAs().Until
	}
	switch {
	case v.Empty():
		r.problem("it ends (%s) before it begins (%s): it is not dated", until, at)
		v = temporal.Validity{}
	case v.End.IsZero() && !v.Start.IsZero(): // "since May" of an event: it happened in May
		v.End, v.Until = v.From.Unit(v.Start).End, v.From
	}
	if v == (temporal.Validity{}) && !r.future {
		return temporal.OverBy(r.said)
	}
	return v
}

func (r *dateReader) state(from, until, sentence string) temporal.Validity {
	v := temporal.Validity{}
	begun, dated := r.begun(from)
	if dated {
		v = begun.StatedAs()
		if !v.Start.IsZero() && !spans().MatchString(begun.Text) && !r.over(begun, until, sentence) {
			v.End, v.Until = time.Time{}, temporal.Bound{}
		}
	}
	if isBeforeNow(until) || r.vaguelyOver(until) {
		if v.End.IsZero() {
			over := temporal.OverBy(r.said)
			v.End, v.Until = over.End, over.Until
		}
	} else if e, ok := r.end(until, sentence); ok {
		end := e.StatedAs()
		if end.End.IsZero() {
			end.End, end.Until = e.Interval.Start, end.From
		}
		v.End, v.Until = end.End, end.Until
	}
	if v.Empty() && r.future { // "from Monday to Friday": of the same week
		later := dateReader{said: v.Start, future: true}
		if e, ok := later.end(until, sentence); ok {
			v.End = e.Interval.End
		}
	}
	if v.Empty() {
		r.problem("it ends (%s) before it begins (%s): the end is left out", until, from)
		v.End, v.Until = time.Time{}, temporal.Bound{}
	}
	if v.Start.IsZero() && (v.End.IsZero() || r.said.Before(v.End)) {
		since := temporal.SaidSince(r.said)
		v.Start, v.From = since.Start, since.From
	}
	return v
}

// lasting matches how long something has gone on: "for three years".
var lasting = pattern.New(`(?i)^for (?:about |around |over |almost |nearly |more than )?(.+)$`)

// begun reads when a state began. A duration counts back from when it was said.
func (r *dateReader) begun(words string) (dates.Expression, bool) {
	if m := lasting().FindStringSubmatch(strings.TrimSpace(words)); m != nil && !r.future && !countsNothing(words, r.said) {
		if e, ok := (&dateReader{said: r.said}).one(m[1] + " ago"); ok {
			e.Interval.End = time.Time{}
			return e, true
		}
	}
	return r.read(words)
}

// end reads when a state ends. Ambiguous words mean the future, as the state goes on.
func (r *dateReader) end(until, sentence string) (dates.Expression, bool) {
	if rest, ok := strings.CutPrefix(until, "to "); ok {
		until = "until " + rest
	}
	ahead := dateReader{said: r.said, future: r.future || !isPast().MatchString(sentence), moved: r.moved}
	e, ok := ahead.read(until)
	r.problems = append(r.problems, ahead.problems...)
	return e, ok
}

// isPast matches sentences that may speak of the past.
var isPast = pattern.New(`(?i)\b(?:was|were|had|did|\p{L}+ed|lived|left|quit|ran|went|kept|held|taught|sold|led|wrote)\b`)

// spans matches expressions that name both ends of a period.
var spans = pattern.New(`(?i)^(?:from|between)\b.*\b(?:to|until|till|through|and)\b|\d\s+[-–]\s+\d|\d–\d|\s(?:to|until|till|through)\s`)

// wasOnce matches sentences about a state that is over, as opposed to sentences about its
// beginning.
var wasOnce = pattern.New(`(?i)\b(?:lived|worked|stayed|studied|used to|owned|dated|smoked|(?:was|were) (?:an?|at|in|on))\b`)

// goesOn matches sentences about a state that goes on until now, in otherwise the same words.
var goesOn = pattern.New(`(?i)\b(?:has|have)\b|['’](?:ve|s) (?:lived|worked|stayed|studied|owned|been)\b`)

// over reports whether a state ended with the past period that its words name.
func (r *dateReader) over(e dates.Expression, until, sentence string) bool {
	past := !e.Interval.End.IsZero() && !e.Interval.End.After(r.said)
	return past && (isBeforeNow(until) || strings.TrimSpace(until) == "" && wasOnce().MatchString(sentence) && !goesOn().MatchString(sentence))
}

func isBeforeNow(words string) bool {
	return strings.EqualFold(strings.Trim(words, " \t\n\"'.[]()"), prompts.BeforeNow)
}

// vaguelyOver reports whether a state ended at an inexact past time: "until a few years ago".
func (r *dateReader) vaguelyOver(until string) bool {
	found := dates.Find(until, r.said)
	return len(found) > 0 && found[0].Vague() && found[0].Kind == dates.Dated &&
		!found[0].Interval.End.IsZero() && !found[0].Interval.End.After(r.said)
}

func (r *dateReader) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// beside matches words followed by a date that a model added in brackets.
var beside = pattern.New(`^(.*?)\s*\[\s*([0-9][0-9TZ:.+\-]*)\s*\]$`)

// read reads a date of an answer: words, ISO 8601, or both. An ISO date within the period that the
// words name is more exact and wins. If the two disagree, the ISO date wins unless the sentence
// speaks of the other side of now.
func (r *dateReader) read(words string) (dates.Expression, bool) {
	words = strings.TrimSpace(words)
	switch strings.ToLower(words) {
	case "", "null", "none", "unknown", "n/a":
		return dates.Expression{}, false
	}
	if isBeforeNow(words) {
		return dates.Expression{}, false
	}
	iso := ""
	if m := beside().FindStringSubmatch(words); m != nil {
		words, iso = m[1], m[2]
	}
	e, ok := r.one(words)
	if !ok && iso == "" && countsNothing(words, r.said) {
		return e, false
	}
	if date, given := parseISO(iso, r.said.Location()); given && r.plausible(date) {
		if !ok {
			return date, true
		}
		if narrows(date, e) {
			e = date
		} else if !date.Interval.Overlaps(e.Interval) {
			taken := e
			if forward := date.Interval.End.After(r.said); forward == r.future || !r.future && !r.past {
				taken = date
			}
			r.problem("%q is %s by its words and %s by the date beside them: %s is taken", words, e.Interval, iso, taken.Interval)
			e = taken
		}
	}
	switch {
	case !ok:
		r.problem("the date %q cannot be read and is left out", wording.Cut(words, 100))
	case !r.plausible(e):
		r.problem("the date %q is out of the question and is left out", wording.Cut(words, 100))
		return dates.Expression{}, false
	case r.past:
		return dates.OfToday(e, r.said), ok
	}
	return e, ok
}

// narrows reports whether a date lies within the period that words name and adds to it. A date that
// only repeats the beginning adds nothing: "in May [2024-05-01]" names no day.
func narrows(date, words dates.Expression) bool {
	for _, of := range []temporal.Interval{words.Interval, words.StatedAs().Interval} {
		begins := of.Start
		if begins.IsZero() && !of.End.IsZero() {
			begins = calendar.StartOf(of.End.Add(-1), words.Granularity)
		}
		if date.Interval.Within(of) {
			return !date.Interval.Start.Equal(begins) && !spans().MatchString(words.Text)
		}
	}
	return false
}

var (
	noMonth = pattern.New(`\b\d{4}-(?:1[3-9]|[2-9]\d)-\d`)                 // "2024-13-01" is no 13 January
	isoSpan = pattern.New(`^(\d{4}[\dTZ:.+-]*)/(\d{4}[\dTZ:.+-]*|\.\.|)$`) // an interval of ISO 8601, perhaps without an end
)

func (r *dateReader) one(words string) (dates.Expression, bool) {
	if e, ok := parseISO(words, r.said.Location()); ok || noMonth().MatchString(words) {
		return e, ok
	}
	if m := isoSpan().FindStringSubmatch(words); m != nil {
		words = "from " + m[1] + " to " + m[2]
		if strings.Trim(m[2], ".") == "" {
			words = "since " + m[1]
		}
	}
	reader := dates.Reader{Prefer: dates.Told}
	if r.future {
		reader.Prefer = dates.Future
	}
	if r.moved { // "moved from May to September" names two dates and no period
		words = "moved " + words
	}
	for _, e := range reader.Find(words, r.said) {
		if !e.Vague() && (e.Kind == dates.Dated || e.Kind == dates.Clock) && e.Interval != (temporal.Interval{}) {
			return e, true
		}
	}
	return dates.Expression{}, false
}

// countsNothing reports whether words name neither a beginning nor an end: "every Friday", "for a
// few years".
func countsNothing(words string, said time.Time) bool {
	found := dates.Find(words, said)
	return len(found) > 0 && (found[0].Kind == dates.Recurring || found[0].Vague())
}

// plausible reports whether a date can be meant. The years 1 and 2 are Go's zero time, in any form.
func (r *dateReader) plausible(e dates.Expression) bool {
	possible := func(t time.Time) bool {
		return t.IsZero() || t.Year() > 2 && t.Year() <= r.said.Year()+maxAhead && graph.ValidateTime("", t) == nil
	}
	return possible(e.Interval.Start) && possible(e.Interval.End)
}

// isoForms are the forms of ISO 8601 that answers use, with their precision. A form without an
// offset is read in the time zone of the episode.
var isoForms = []struct {
	layout string
	names  calendar.Granularity
}{
	{time.RFC3339Nano, calendar.Second},
	{"2006-01-02T15:04Z07:00", calendar.Minute},
	{"2006-01-02T15:04:05", calendar.Second},
	{"2006-01-02T15:04", calendar.Minute},
	{"2006-01-02 15:04:05", calendar.Second},
	{time.DateOnly, calendar.Day},
	{"2006-01", calendar.Month},
	{"2006", calendar.Year},
}

func parseISO(s string, zone *time.Location) (dates.Expression, bool) {
	for _, form := range isoForms {
		if t, err := time.ParseInLocation(form.layout, s, zone); err == nil {
			from, end := calendar.Around(t, form.names)
			if form.names < calendar.Day {
				from, end = t, t.Add(end.Sub(from))
			}
			return dates.Expression{Text: s, Granularity: form.names, Interval: temporal.Interval{Start: from, End: end}}, true
		}
	}
	return dates.Expression{}, false
}
