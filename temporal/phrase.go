package temporal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// Phrase says when a state holds, as exactly as that is known. "since" is for a state that goes on,
// "known since" for one that was only said to hold. "planned" is for a state that begins after the
// reading, "was planned" for a plan that was not confirmed in time.
func (v Validity) Phrase(reading time.Time) string {
	switch {
	case v.Start.IsZero() && v.End.IsZero():
		return "at an unknown time"
	case v.ofOneUnit():
		return v.PhraseOfEvent(reading)
	case v.plan(reading) != "":
		return v.plan(reading) + v.from("from ") + v.to()
	case v.Start.IsZero():
		return v.until()
	case v.End.IsZero():
		return v.since()
	case v.From.Basis == Said:
		return v.from("known from ") + v.to()
	}
	return v.from("from ") + v.to()
}

func (v Validity) since() string {
	if v.From.Basis == Said {
		return v.from("known since ")
	}
	return v.from("since ")
}

func (v Validity) from(word string) string { return word + v.From.Name(v.Start) }

func (v Validity) to() string {
	if v.End.IsZero() {
		return ""
	}
	return " " + v.until()
}

// PhraseOfEnd says until when a state held: "until 1 May 2024". A state of a single unit is phrased as
// an event: "in 2019".
func (v Validity) PhraseOfEnd() string {
	if v.ofOneUnit() {
		return v.PhraseOfEvent(v.End)
	}
	return v.until()
}

// ofOneUnit reports whether the state is stated to hold for exactly one day, month or other unit.
func (v Validity) ofOneUnit() bool {
	return v.From.Dated() && v.sameBound() && v.From.Unit(v.Start).Equal(v.Interval)
}

// sameBound reports whether both ends are known in the same way. A plan has a planned start and a
// stated end.
func (v Validity) sameBound() bool {
	return v.Until == v.From || v.From == Bound{Planned, v.Until.Precision} && v.Until.Basis == Stated
}

// plan returns the words that begin the phrase of a plan: "planned " before its day, "was planned "
// after it. It is empty for anything else.
func (v Validity) plan(reading time.Time) string {
	switch {
	case v.Start.After(reading):
		return "planned "
	case v.From.Basis == Planned:
		return "was planned "
	}
	return ""
}

// until names the last unit within a stated end, and the moment of any other end.
func (v Validity) until() string {
	switch v.Until.Basis {
	case Said:
		return "until some time before " + v.Until.Name(v.End)
	case Stated:
		return "until " + v.Until.last(v.End)
	}
	return "until " + v.Until.Name(v.End)
}

// PhraseOfEvent says when an event happened, as exactly as that is known: "on
// 5 May 2024", "in January 2024", "some time before 8 March 2024".
func (v Validity) PhraseOfEvent(reading time.Time) string {
	at, plan := v.happened(), v.plan(reading)
	if plan == "" {
		return at
	}
	if word, day, _ := strings.Cut(at, " "); word == "on" || word == "in" {
		return plan + "for " + day
	}
	return plan + at
}

func (v Validity) happened() string {
	switch {
	case v.Start.IsZero() && v.End.IsZero():
		return "at an unknown time"
	case v.Start.IsZero() && v.Until.Basis == Said:
		return "some time before " + v.Until.Name(v.End)
	case v.Start.IsZero():
		return "by " + v.Until.last(v.End)
	case v.End.IsZero():
		return "from " + v.From.Name(v.Start)
	}
	unit := v.From.Unit(v.Start)
	if v.sameBound() && v.Within(unit) {
		return v.From.preposition() + v.From.Name(v.Start)
	}
	return v.from("from ") + " to " + v.Until.last(v.End)
}

func (b Bound) preposition() string {
	switch b.Precision {
	case ToTheWeek, ToTheMonth, ToTheSeason, ToTheYear, ToTheDecade:
		return "in "
	}
	return "on "
}

// last names the last day, month or other unit before an end.
func (b Bound) last(end time.Time) string {
	if b.Precision == ToInstant {
		return b.Name(end)
	}
	return b.Name(end.Add(-1))
}

// Name names the day, month or other unit of a time, in UTC and as exactly as the time is known.
func (b Bound) Name(t time.Time) string {
	t = t.UTC()
	year := strconv.Itoa(t.Year())
	switch b.Precision {
	case ToTheWeek:
		return "the week of " + dayName(calendar.StartOf(t, calendar.Week))
	case ToTheMonth:
		return t.Month().String() + " " + year
	case ToTheSeason:
		return seasonName(t)
	case ToTheYear:
		return year
	case ToTheDecade:
		return fmt.Sprintf("the %d0s", t.Year()/10)
	}
	if b.Precision == ToTheDay || t.Equal(calendar.StartOf(t, calendar.Day)) {
		return dayName(t)
	}
	if b.Basis == Said { // the time of a remark is only exact to the day
		return dayName(t)
	}
	return dayName(t) + ", " + t.Format("15:04")
}

func dayName(t time.Time) string { return t.Format("2 January ") + strconv.Itoa(t.Year()) }

// seasonName names the season or quarter in which t lies. t is its first or last moment. Seasons begin
// in March, June, September and December.
func seasonName(t time.Time) string {
	edge := t
	if !t.Equal(calendar.StartOf(t, calendar.Day)) {
		edge = t.Add(1)
	}
	if edge.Month()%3 == 1 {
		return calendar.QuarterName(t)
	}
	start := calendar.StartOf(t, calendar.Season)
	if start.Month() == time.December {
		return fmt.Sprintf("the winter of %d/%02d", start.Year(), (start.Year()+1)%100)
	}
	names := map[time.Month]string{time.March: "spring ", time.June: "summer ", time.September: "autumn "}
	return names[start.Month()] + strconv.Itoa(start.Year())
}
