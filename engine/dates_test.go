package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

var saidAt = time.Date(2024, 6, 20, 9, 0, 0, 0, time.UTC)

// dated places a fact at the dates of an answer and returns it as a trace shows it.
func dated(f prompts.ExtractedFact) (string, []string) { return datedAt(f, saidAt) }

func datedAt(f prompts.ExtractedFact, said time.Time) (string, []string) {
	s := statement{fact: f.Fact, ends: f.Ends, said: said, kind: graph.FactState}
	if f.Ends || f.Kind == prompts.Event {
		s.kind = graph.FactEvent
	}
	problems := s.date(f)
	text := s.claimed.Interval.String() + " " + string(s.claimed.From.Basis) + " " + string(s.claimed.From.Precision)
	if !s.claimed.End.IsZero() {
		text += ", " + string(s.claimed.Until.Basis) + " " + string(s.claimed.Until.Precision)
	}
	return text, problems
}

func TestDate(t *testing.T) {
	t.Parallel()
	type fact = prompts.ExtractedFact
	for _, tt := range []struct {
		name string
		fact fact
		want string
	}{
		{"a state that is only said", fact{Fact: "Eva lives in Graz."}, "[2024-06-20T09:00:00Z, …) said instant"},
		{"a stated start", fact{Fact: "Eva has lived in Graz since May.", ValidAt: "since May"}, "[2024-05-01, …) stated month"},
		{"ISO to the day", fact{Fact: "Eva moved to Graz.", ValidAt: "2024-03-08"}, "[2024-03-08, …) stated day"},
		{"ISO to the year", fact{Fact: "Eva moved to Graz.", ValidAt: "2019"}, "[2019-01-01, …) stated year"},
		{"ISO to the second", fact{Fact: "Eva moved to Graz.", ValidAt: "2024-03-08T10:00:00.5+02:00"}, "[2024-03-08T08:00:00Z, …) stated instant"},
		{"last year is that year", fact{Fact: "Eva moved to Graz last year.", ValidAt: "last year"}, "[2023-01-01, …) stated year"},
		{"a past stretch", fact{Fact: "Eva lived in Graz in 2019.", ValidAt: "in 2019", InvalidAt: "in 2019"}, "[2019-01-01, 2020-01-01) stated year, stated year"},
		{"a past stretch whose end the answer leaves out", fact{Fact: "Eva lived in Graz in 2019.", ValidAt: "in 2019"}, "[2019-01-01, 2020-01-01) stated year, stated year"},
		{"a past stretch that is over", fact{Fact: "Back in 2019 Eva had Graz as her home.", ValidAt: "in 2019", InvalidAt: "before now"}, "[2019-01-01, 2020-01-01) stated year, stated year"},
		{"a stretch with both ends", fact{Fact: "Eva lived in Graz.", ValidAt: "from March 2021 to May 2022"}, "[2021-03-01, 2022-06-01) stated month, stated month"},
		{"an interval of ISO 8601", fact{Fact: "Eva lived in Graz.", ValidAt: "2020-01-01/2022-12-31"}, "[2020-01-01, 2023-01-01) stated day, stated day"},
		{"an interval of months", fact{Fact: "Eva lived in Graz.", ValidAt: "2020-01/2022-12"}, "[2020-01-01, 2023-01-01) stated month, stated month"},
		{"an interval of years", fact{Fact: "Eva lived in Graz.", ValidAt: "2020/2022"}, "[2020-01-01, 2023-01-01) stated year, stated year"},
		{"an interval of instants", fact{Fact: "Eva lived in Graz.", ValidAt: "2020-01-01T00:00:00Z/2022-12-31T00:00:00Z"}, "[2020-01-01, 2022-12-31T00:00:01Z) stated instant, stated instant"},
		{"an interval without an end", fact{Fact: "Eva lives in Graz.", ValidAt: "2020-01-01/.."}, "[2020-01-01, …) stated day"},
		{"years with a hyphen", fact{Fact: "Eva lived in Graz.", ValidAt: "2020-2022"}, "[2020-01-01, 2023-01-01) stated year, stated year"},
		{"an offset without a colon", fact{Fact: "Eva moved to Graz.", ValidAt: "2024-05-01T12:00:00+0200"}, "[2024-05-01T10:00:00Z, …) stated instant"},
		{"a month of one digit", fact{Fact: "Eva moved to Graz.", ValidAt: "2024-5-1"}, "[2024-05-01, …) stated day"},
		{"over, with a full stop", fact{Fact: "Eva used to live in Graz.", InvalidAt: "Before now."}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"over, since when unknown", fact{Fact: "Eva used to live in Graz.", InvalidAt: "before now"}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"over, with a start", fact{Fact: "Eva lived in Graz from 2019 on.", ValidAt: "from 2019 on", InvalidAt: "before now"}, "[2019-01-01, 2024-06-20T09:00:00Z) stated year, said instant"},
		{"a stated end", fact{Fact: "Eva lives in Graz until the end of June.", InvalidAt: "until the end of June"}, "[2024-06-20T09:00:00Z, 2024-07-01) said instant, stated month"},
		{"a length of time", fact{Fact: "Eva has lived in Graz for three months.", ValidAt: "for three months"}, "[2024-03-01, …) stated month"},
		{"days of one week to come", fact{Fact: "Eva will be on leave from Monday to Friday.", ValidAt: "from Monday", InvalidAt: "to Friday"}, "[2024-06-24, 2024-06-29) planned day, stated day"},
		{"what recurs", fact{Fact: "Eva swims every Friday.", ValidAt: "every Friday"}, "[2024-06-20T09:00:00Z, …) said instant"},
		{"a plan", fact{Fact: "Robert is joining Initech on 15 July.", ValidAt: "on 15 July"}, "[2024-07-15, …) planned day"},
		{"a plan of a month", fact{Fact: "Eva starts at Globex in September.", ValidAt: "in September"}, "[2024-09-01, …) planned month"},
		{"a plan of a day", fact{Fact: "Eva is flying to Rome on the 25th.", Kind: prompts.Event, ValidAt: "on the 25th"}, "[2024-06-25, 2024-06-26) planned day, stated day"},
		{"the past of a month", fact{Fact: "Eva joined Globex in July.", ValidAt: "in July"}, "[2023-07-01, …) stated month"},
		{"an event", fact{Fact: "Eva met Tom in January.", Kind: prompts.Event, ValidAt: "in January"}, "[2024-01-01, 2024-02-01) stated month, stated month"},
		{"an event without a date", fact{Fact: "Eva hired Tom.", Kind: prompts.Event}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"an event to come, without a date", fact{Fact: "Eva will visit Tom.", Kind: prompts.Event}, "[2024-06-20T09:00:00Z, …) said instant"},
		{"an end", fact{Fact: "Eva quit smoking in March.", Ends: true, ValidAt: "in March"}, "[2024-03-01, 2024-04-01) stated month, stated month"},
		{"the end of the year, announced", fact{Fact: "Eva is leaving Globex at the end of the year.", Ends: true, ValidAt: "at the end of the year"}, "[2024-12-25, 2025-01-01) planned month, stated month"},
		{"the end of the year, told", fact{Fact: "Eva left Globex at the end of the year.", Ends: true, ValidAt: "at the end of the year"}, "[2023-12-25, 2024-01-01) stated month, stated month"},
		{"a date within the words", fact{Fact: "Eva is leaving Globex at the end of the year.", Ends: true, ValidAt: "at the end of the year [2024-12-31]"}, "[2024-12-31, 2025-01-01) planned day, stated day"},
		{"a date that only repeats where the words begin", fact{Fact: "Eva met Tom in May.", Kind: prompts.Event, ValidAt: "in May [2024-05-01]"}, "[2024-05-01, 2024-06-01) stated month, stated month"},
		{"a date that only repeats where the last month begins", fact{Fact: "Eva lived in Graz until May.", InvalidAt: "until May [2024-05-01]"}, "(…, 2024-06-01)  , stated month"},
		{"a date within a counted year", fact{Fact: "Eva met Tom two years ago.", Kind: prompts.Event, ValidAt: "two years ago [2022-03-05]"}, "[2022-03-05, 2022-03-06) stated day, stated day"},
		{"a date within a stretch with both ends", fact{Fact: "Eva was ill from 3 May to 9 May.", Kind: prompts.Event, ValidAt: "from 3 May to 9 May [2024-05-05]"}, "[2024-05-03, 2024-05-10) stated day, stated day"},
		{"nothing announced ends before it was said", fact{Fact: "Eva is leaving Globex this month.", Ends: true, ValidAt: "this month"}, "[2024-06-20T09:00:00Z, 2024-07-01) planned month, stated month"},
		{"what goes on began before it was said", fact{Fact: "Eva is working from home this month.", ValidAt: "this month"}, "[2024-06-01, …) stated month"},
		{"a change gives the new value", fact{Fact: "The fair has moved from May to September.", Kind: prompts.Event, ValidAt: "from May to September"}, "[2024-09-01, 2024-10-01) planned month, stated month"},
		{"the new value alone", fact{Fact: "The fair has moved from May to September.", Kind: prompts.Event, ValidAt: "September"}, "[2024-09-01, 2024-10-01) planned month, stated month"},
		{"a vague length of time", fact{Fact: "Eva has lived in Graz for a few years.", ValidAt: "for a few years"}, "[2024-06-20T09:00:00Z, …) said instant"},
		{"over since a vague time", fact{Fact: "Eva lived in Graz until a few years ago.", InvalidAt: "a few years ago"}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"a vague distance", fact{Fact: "Eva met Tom a few years ago.", Kind: prompts.Event, ValidAt: "a few years ago"}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"an end without a date", fact{Fact: "Eva quit smoking.", Ends: true}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
		{"a date beside words that cannot be read", fact{Fact: "Eva moved.", ValidAt: "at the new moon [2024-06-06]"}, "[2024-06-06, …) stated day"},
		{"a date beside words that says the same", fact{Fact: "Eva moved in May.", ValidAt: "in May [2024-05]"}, "[2024-05-01, …) stated month"},
		{"what the analyst has read itself", fact{Fact: "Eva moved.", ValidAt: "nonsense", Valid: new(temporal.OverBy(saidAt))}, "(…, 2024-06-20T09:00:00Z)  , said instant"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, problems := dated(tt.fact); got != tt.want || len(problems) > 0 {
				t.Errorf("%s (%v), want %s", got, problems, tt.want)
			}
		})
	}
}

// A midnight stands for a day of which the hour is unknown: what is past then happened on it.
func TestDateWhereOnlyTheDayIsKnown(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]prompts.ExtractedFact{
		"[2024-06-20, 2024-06-21) stated day, stated day":                              {Fact: "Eva met Tom at noon today.", Kind: prompts.Event, ValidAt: "at noon today"},
		"[2024-06-20, …) stated day":                                                   {Fact: "Eva's car broke down this morning.", ValidAt: "this morning"},
		"[2024-06-20T12:00:00Z, 2024-06-20T13:00:00Z) planned instant, stated instant": {Fact: "The lunch is moved to noon today.", Kind: prompts.Event, ValidAt: "noon today"},
	} {
		if got, problems := datedAt(f, saidAt.Truncate(24*time.Hour)); got != want || len(problems) > 0 {
			t.Errorf("%q: %s (%v), want %s", f.Fact, got, problems, want)
		}
	}
	if got, _ := dated(prompts.ExtractedFact{Fact: "Eva got an appointment at 16:00.", Kind: prompts.Event, ValidAt: "at 16:00"}); !strings.HasPrefix(got, "[2024-06-20T16:00:00Z") {
		t.Errorf("an hour that is to come, said at nine: %s", got)
	}
}

func TestDateTellsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	type fact = prompts.ExtractedFact
	for _, tt := range []struct {
		fact          fact
		want, problem string
	}{
		{fact{Fact: "Eva moved.", ValidAt: "soon, I hope"}, "[2024-06-20T09:00:00Z, …) said instant", "cannot be read"},
		{fact{Fact: "Eva moved.", ValidAt: "2024-13-01"}, "[2024-06-20T09:00:00Z, …) said instant", "cannot be read"},
		{fact{Fact: "Eva moved.", ValidAt: "on 2024-13-01"}, "[2024-06-20T09:00:00Z, …) said instant", "cannot be read"},
		{fact{Fact: "Eva lives in Graz.", InvalidAt: "0001-01-01T00:00:00Z"}, "[2024-06-20T09:00:00Z, …) said instant", "out of the question"},
		{fact{Fact: "Eva lives in Graz.", InvalidAt: "0001-01-01 00:00:00"}, "[2024-06-20T09:00:00Z, …) said instant", "out of the question"},
		{fact{Fact: "Eva lives in Graz.", ValidAt: "unknown [0001-01-01]"}, "[2024-06-20T09:00:00Z, …) said instant", "cannot be read"},
		{fact{Fact: "Eva moved.", ValidAt: "3023-01-01"}, "[2024-06-20T09:00:00Z, …) said instant", "out of the question"},
		{fact{Fact: "Eva moved.", ValidAt: "2024-05-01", InvalidAt: "2023-01-01"}, "[2024-05-01, …) stated day", "before it begins"},
		{fact{Fact: "Eva is joining Globex.", ValidAt: "in July [2023-07]"}, "[2024-07-01, …) planned month", "is taken"},
		{fact{Fact: "Globex cuts to 30 seats from 1 July.", ValidAt: "from 1 July [2024-07-01]"}, "[2024-07-01, …) planned day", "is taken"},
		{fact{Fact: "Eva joined Globex.", ValidAt: "in May [2022-05]"}, "[2022-05-01, …) stated month", "is taken"},
	} {
		got, problems := dated(tt.fact)
		if got != tt.want || len(problems) != 1 || !strings.Contains(problems[0], tt.problem) {
			t.Errorf("%+v: %s (%q), want %s and %q", tt.fact, got, problems, tt.want, tt.problem)
		}
	}
}

// Whatever a model writes for a date, the dates kept can be stored and are in order.
func FuzzDate(f *testing.F) {
	for _, text := range []string{"2024-03-08", "last week", "3023", "-1", "since 2016", "31 June", "\xff", "yesterday until tomorrow", "in May [2024-05]"} {
		f.Add(text, "2019", "Eva moves to Graz.", int64(1_700_000_000), true)
	}
	f.Fuzz(func(t *testing.T, from, until, fact string, said int64, event bool) {
		ref := time.Unix(said%200_000_000_000, 0).UTC()
		if graph.ValidateTime("", ref) != nil {
			return
		}
		s := statement{fact: fact, said: ref, kind: graph.FactState}
		if event {
			s.kind = graph.FactEvent
		}
		s.date(prompts.ExtractedFact{Fact: fact, ValidAt: from, InvalidAt: until})
		for _, at := range []time.Time{s.claimed.Start, s.claimed.End} {
			if !at.IsZero() && graph.ValidateTime("", at) != nil {
				t.Errorf("%q to %q, said at %v, holds %v", from, until, ref, s.claimed)
			}
		}
		if s.claimed.Empty() {
			t.Errorf("%q to %q, said at %v, holds at no time", from, until, ref)
		}
		if s.claimed.Start.IsZero() != (s.claimed.From == temporal.Bound{}) || s.claimed.End.IsZero() != (s.claimed.Until == temporal.Bound{}) {
			t.Errorf("%q to %q: an open end is known, or a closed one is not: %+v", from, until, s.claimed)
		}
	})
}
