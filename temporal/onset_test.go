package temporal_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/temporal"
)

func TestOnset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, text, want string }{
		{"2024-03-15", "last week", "2024-03-08"},
		{"2024-03-31", "last month", "2024-02-29"},
		{"2024-02-29", "last year", "2023-03-01"},
		{"2024-03-15", "in May 2023", "2023-05-01"},
		{"2024-03-15", "until May 2023", ""},
	} {
		ref, err := time.Parse(time.DateOnly, c.said)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range temporal.Find(c.text, ref.Add(9*time.Hour)) {
			if at := e.Onset(ref.Add(9 * time.Hour)); !at.IsZero() {
				got = at.Format(time.DateOnly)
			}
		}
		if got != c.want {
			t.Errorf("%q said on %s began on %q, want %q", c.text, c.said, got, c.want)
		}
	}
}
