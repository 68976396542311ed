package retrieval

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

func date(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func span(start, end time.Time) temporal.Interval { return temporal.Interval{Start: start, End: end} }

func TestTimesIn(t *testing.T) {
	t.Parallel()
	at := date(2024, time.June, 1)
	for _, c := range []struct {
		text string
		want []askedTime
	}{
		{"Where does Alice live now?", nil},
		{"Where did Alice live last year?", []askedTime{{interval: span(date(2023, 1, 1), date(2024, 1, 1))}}},
		{"What happened in May?", []askedTime{{interval: span(date(2024, 5, 1), date(2024, 6, 1)), anyYear: true}}},
		{"What happened last May?", []askedTime{{interval: span(date(2024, 5, 1), date(2024, 6, 1))}}},
		{"What happened in May 2021?", []askedTime{{interval: span(date(2021, 5, 1), date(2021, 6, 1))}}},
		{"Where did she live before 2020?", []askedTime{{interval: span(time.Time{}, date(2020, 1, 1))}}},
		{"Where has she lived since 2020?", []askedTime{{interval: span(date(2020, 1, 1), time.Time{})}}},
		{"Where did she use to live?", []askedTime{{ended: true}}},
		{"Where did Alice live before?", []askedTime{{ended: true}}},
		{"What do I do every Monday for two hours?", nil},
	} {
		got := timesIn(c.text, dates.Find(c.text, at))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(askedTime{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	var never time.Time
	now := date(2024, 6, 1)
	inMay := askedTime{interval: span(date(2024, 5, 1), date(2024, 6, 1)), anyYear: true}
	year := askedTime{interval: span(date(2022, 1, 1), date(2023, 1, 1))}
	before := askedTime{interval: span(never, date(2022, 1, 1))}
	since := askedTime{interval: span(date(2022, 1, 1), never)}
	for _, c := range []struct {
		name  string
		asked askedTime
		valid temporal.Interval
		want  int
	}{
		{"began that year", year, span(date(2022, 3, 1), never), changedThen},
		{"ended that year", year, span(date(2020, 3, 1), date(2022, 3, 1)), changedThen},
		{"held all that year", year, span(date(2020, 3, 1), never), heldThen},
		{"ended when it began", year, span(date(2020, 3, 1), date(2022, 1, 1)), changedThen},
		{"ended before", year, span(date(2020, 3, 1), date(2021, 3, 1)), noFit},
		{"nobody knows when", year, span(never, never), noFit},
		{"a May of another year", inMay, span(date(2019, 5, 7), never), changedThen},
		{"ended in May", inMay, span(never, date(2019, 5, 7)), changedThen},
		{"since before May", inMay, span(date(2019, 6, 7), never), heldThen},
		{"no May", inMay, span(date(2019, 6, 7), date(2019, 9, 7)), noFit},
		{"only before", before, span(date(2019, 6, 7), date(2020, 6, 7)), changedThen},
		{"before and after", before, span(date(2019, 6, 7), never), heldThen},
		{"only after", before, span(date(2023, 6, 7), never), noFit},
		{"since then", since, span(date(2023, 6, 7), never), changedThen},
		{"longer than that", since, span(date(2021, 6, 7), never), heldThen},
		{"over by then", since, span(date(2021, 6, 7), date(2021, 7, 7)), noFit},
		{"ended", askedTime{ended: true}, span(date(2021, 6, 7), date(2021, 7, 7)), changedThen},
		{"to end", askedTime{ended: true}, span(date(2021, 6, 7), date(2025, 7, 7)), noFit},
		{"not ended", askedTime{ended: true}, span(date(2021, 6, 7), never), noFit},
	} {
		if got := c.asked.fit(c.valid, now); got != c.want {
			t.Errorf("%s: fits %d, want %d", c.name, got, c.want)
		}
	}
}

func TestEventIn(t *testing.T) {
	t.Parallel()
	at := date(2024, time.June, 1)
	for _, c := range []struct{ text, relation, clause string }{
		{"Where did Alice live before she moved to Lisbon?", "before", "she moved to Lisbon"},
		{"What did Bob say AFTER the wedding, and why?", "AFTER", "the wedding"},
		{"When did Alice move?", "", ""},
		{"Where did she live before May 2021?", "", ""},
		{"Where did she live before?", "", ""},
		{"Where has she lived since 2016", "", ""},
		{"", "", ""},
	} {
		if got, want := eventIn(c.text, dates.Find(c.text, at)), (event{c.relation, c.clause}); got != want {
			t.Errorf("%q: %q, want %q", c.text, got, want)
		}
	}
}
