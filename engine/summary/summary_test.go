package summary

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

func at(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t
}

// told is a state that was said to hold on a day.
func told(sentence, day string) graph.Fact {
	return graph.Fact{ID: uuid.Must(uuid.NewV7()), Fact: sentence, Kind: graph.FactState, SaidAt: at(day), Valid: temporal.SaidSince(at(day))}
}

func stated(sentence, from, until string) graph.Fact {
	f := told(sentence, "2024-03-20")
	f.Valid = temporal.Validity{Interval: temporal.Interval{Start: at(from)}, From: temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}}
	if until != "" {
		f.Valid.End, f.Valid.Until = at(until), temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}
	}
	return f
}

func happened(sentence, day string) graph.Fact {
	f := stated(sentence, day, "")
	f.Kind, f.Valid.End, f.Valid.Until = graph.FactEvent, f.Valid.Start.AddDate(0, 0, 1), f.Valid.From
	return f
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		about, written string
		facts          []graph.Fact
		want           string
	}{
		{"nothing", "", nil, ""},
		{"the newest first", "", []graph.Fact{told("A.", "2024-01-01"), told("B", "2024-02-01")}, "B. A."},
		{"a start that is stated counts, not when it was told", "", []graph.Fact{told("A.", "2024-01-01"), stated("B.", "2021-05-06", "")}, "A. B (since 6 May 2021)."},
		{"what has ended", "", []graph.Fact{told("A.", "2024-01-01"), stated("B.", "2021-05-06", "2024-04-30")}, "A."},
		{"what will end", "", []graph.Fact{stated("B.", "2021-05-06", "2030-01-01")}, "B (from 6 May 2021 until 31 December 2029)."},
		{"what will end, in its own words", "", []graph.Fact{stated("B until 31 December 2029.", "2021-05-06", "2030-01-01")}, "B until 31 December 2029."},
		{"only its beginning in its own words", "", []graph.Fact{stated("B since 6 May 2021.", "2021-05-06", "2030-01-01")}, "B since 6 May 2021 (from 6 May 2021 until 31 December 2029)."},
		{"a date in its own words", "", []graph.Fact{stated("Kim moved to Lisbon on March 6.", "2024-03-06", "")}, "Kim moved to Lisbon on 6 March 2024."},
		{"another date in its own words", "", []graph.Fact{stated("Kim has the flat that she saw in 2019.", "2024-03-06", "")}, "Kim has the flat that she saw in 2019 (since 6 March 2024)."},
		{"events after states", "", []graph.Fact{happened("B happened.", "2024-03-01"), told("A.", "2024-01-01")}, "A. B happened (on 1 March 2024)."},
		{"what is planned", "", []graph.Fact{happened("B happened.", "2024-03-01"), told("A.", "2024-01-01"), happened("C happens.", "2026-03-01")}, "C happens (planned for 1 March 2026). A. B happened (on 1 March 2024)."},
		{"what is said twice", "", []graph.Fact{told("Likes tea.", "2024-01-01"), told("likes tea", "2024-02-01"), told("A.", "2024-01-15")}, "likes tea. A."},
		{"what was written by hand", "She is kind. A.", []graph.Fact{told("A.", "2024-01-01"), told("B?", "2024-02-01")}, "She is kind. A. B?"},
		{"another script", "", []graph.Fact{stated("安喜欢茶。", "2024-03-06", "")}, "安喜欢茶 (since 6 March 2024)。"},
	} {
		if got := Of(tt.written, tt.facts, at("2025-06-01")).Shortened().Text(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// A summary is cut by whole statements: the newest stay.
func TestShortened(t *testing.T) {
	t.Parallel()
	var facts []graph.Fact
	for day := range 28 {
		facts = append(facts, told("On this day she liked "+strings.Repeat("x", 30)+" best of all.", at("2024-01-01").AddDate(0, 0, day).Format(time.DateOnly)))
		facts[day].Fact = strings.Replace(facts[day].Fact, "xx", string(rune('a'+day)), 1)
	}
	all := Of("", facts, at("2025-06-01"))
	short := all.Shortened()
	text := short.Text()
	if all.Fits() || len(text) > Limit || len(text) < Limit-80 {
		t.Errorf("%d bytes are shortened to %d", len(all.Text()), len(text))
	}
	if !slices.Equal(short.Lines, all.Lines[:len(short.Lines)]) || !strings.Contains(all.Lines[0], string(rune('a'+27))) || text != strings.Join(short.Lines, " ") {
		t.Errorf("the newest are not all there, or something is cut: %q", text)
	}
	long := told(strings.Repeat("Long words. ", 60), "2024-05-01")
	if got := Of("", append(facts, long), at("2025-06-01")).Shortened(); len(got.Lines) != 1 || !strings.HasPrefix(got.Text(), "Long words.") {
		t.Errorf("of the newest, which is too long by itself, there is told %q", got.Text())
	}
}
