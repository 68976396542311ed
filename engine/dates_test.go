package engine

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
)

var saidAt = time.Date(2024, 3, 15, 9, 0, 0, 0, time.UTC)

func TestReadDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"2024-03-08", "2024-03-08T00:00:00Z"},
		{"2024-03-08T10:00:00+02:00", "2024-03-08T08:00:00Z"},
		{"2024-03-08T10:00:00.5Z", "2024-03-08T10:00:00.5Z"},
		{"2024-03-08 10:00:00", "2024-03-08T10:00:00Z"},
		{"2024-03", "2024-03-01T00:00:00Z"},
		{"2019", "2019-01-01T00:00:00Z"},
		{"last week", "2024-03-08T00:00:00Z"},
		{"yesterday", "2024-03-14T00:00:00Z"},
		{"since May 2020", "2020-05-01T00:00:00Z"},
		{"two years ago", "2022-03-15T00:00:00Z"},
		{"", ""},
		{"null", ""},
		{"soon, I hope", "?"},
		{"3023-01-01", "?"},
		{"0000-00-00", "?"},
		{"2024-02-31", "?"},
	} {
		got, problem := readDate(c.text, saidAt)
		switch {
		case c.want == "?" && (problem == "" || !got.IsZero()):
			t.Errorf("%q is read as %v, %q; want a problem", c.text, got, problem)
		case c.want == "" && (problem != "" || !got.IsZero()):
			t.Errorf("%q is read as %v, %q; want no date", c.text, got, problem)
		case len(c.want) > 1 && got.Format(time.RFC3339Nano) != c.want:
			t.Errorf("%q is read as %v, %q; want %s", c.text, got, problem, c.want)
		}
	}
}

// Whatever a model writes for a date, what is kept can be stored and comes in order.
func FuzzReadDate(f *testing.F) {
	for _, text := range []string{"2024-03-08", "last week", "3023", "-1", "since 2016", "31 June", "\xff", "yesterday until tomorrow"} {
		f.Add(text, "2019", int64(1_700_000_000))
	}
	f.Fuzz(func(t *testing.T, from, until string, said int64) {
		ref := time.Unix(said%200_000_000_000, 0).UTC()
		if graph.ValidateTime("", ref) != nil {
			return
		}
		var s statement
		s.date(from, until, ref)
		for _, at := range []time.Time{s.claimed.Start, s.claimed.End} {
			if !at.IsZero() && graph.ValidateTime("", at) != nil {
				t.Errorf("%q to %q, said at %v, holds %v", from, until, ref, s.claimed)
			}
		}
		if s.claimed.Empty() {
			t.Errorf("%q to %q, said at %v, holds at no time", from, until, ref)
		}
	})
}
