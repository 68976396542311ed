package dates_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// check fails on results of Find that are impossible.
func check(t interface{ Fatalf(string, ...any) }, text string, found []dates.Expression) {
	last := 0
	for _, e := range found {
		switch {
		case e.Start < last || e.End <= e.Start || e.End > len(text):
			t.Fatalf("%q: offsets %d to %d after %d of %d", text, e.Start, e.End, last, len(text))
		case text[e.Start:e.End] != e.Text:
			t.Fatalf("%q: %q is not at %d", text, e.Text, e.Start)
		case e.Interval.Empty():
			t.Fatalf("%q: %q is empty: %v", text, e.Text, e.Interval)
		case e.Kind == dates.Dated && (e.Granularity == calendar.Unknown || e.Interval == temporal.Interval{}):
			t.Fatalf("%q: %q is dated without a date: %+v", text, e.Text, e)
		}
		last = e.End
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"I moved on May 5th, 2019 at 8:30 pm.", "from 4 to 22 January, 1995", "2 days before 3 weeks after Easter",
		"the last 3 weeks of this year", "Nov-Feb 5th, 2017", "Sat at 5", "since the end of 1989", "> = 2019",
		"10-1-2018-10-7-2018", "2023-05-08T14:30:00+02:00", "half past a quarter to", "’40s", "twenty-first of the",
		"9999 years ago", "in 9999 centuries", "year 9999", "31 February", "5 мая 2021", "\xff\xfe today", "0/0/0000",
	} {
		f.Add(text, int64(1700000000), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64, options uint8) {
		r := dates.Reader{Prefer: dates.Preference(options & 3), DayFirst: options&4 != 0}
		check(t, text, r.Find(text, time.Unix(unix, 0).UTC()))
	})
}

// vocabulary makes texts that are mostly nearly dates.
var vocabulary = strings.Fields(`a the on in at of from to between and since until before after by last next this
	first second third 21st two 5 12 30 2019 '98 3/4 4-22 10:30 8pm am noon May march January sun Friday
	week weekend month year years days decade quarter Q3 summer Easter new year's eve ago later now today
	yesterday tomorrow morning night early mid late end rest every half past few couple . , - ( > =`)

func TestFindHoldsItsPromisesOnNearDates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 12).Draw(t, "words")
		sep := rapid.SampledFrom([]string{" ", " ", ""}).Draw(t, "separator")
		ref := time.Unix(rapid.Int64Range(-6e10, 2e11).Draw(t, "reference"), 0).UTC()
		text := strings.Join(words, sep)
		check(t, text, dates.Find(text, ref))
	})
}

func TestFindReadsLongTextsOnce(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"two days before ", "from ", "the ", "5 ", "last week of ", "1-", "twenty ", "mai 2021, ", "маяя.2021.", "5 мая 2021 "} {
		text := strings.Repeat(s, 6_000/len(s))
		check(t, text, dates.Find(text, thursday))
	}
}

// A resolved sentence does not change when it is resolved again, however late.
func FuzzResolved(f *testing.F) {
	for _, tt := range resolvedCases {
		f.Add(tt[0])
	}
	f.Fuzz(func(t *testing.T, sentence string) {
		once := dates.Resolved(sentence, saidInMay, temporal.Interval{})
		if again := dates.Resolved(once, saidInMay, temporal.Interval{}); again != once {
			t.Errorf("%q\nthen %q\nthen %q", sentence, once, again)
		}
	})
}
