package temporal_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/temporal"
)

func day(n int) time.Time { return time.Date(2024, 1, n, 0, 0, 0, 0, time.UTC) }

func between(from, to int) temporal.Interval {
	i := temporal.Interval{}
	if from != 0 {
		i.Start = day(from)
	}
	if to != 0 {
		i.End = day(to)
	}
	return i
}

func TestIntervalString(t *testing.T) {
	t.Parallel()
	for want, i := range map[string]temporal.Interval{
		"(…, …)":                             {},
		"[2024-01-03, …)":                    between(3, 0),
		"(…, 2024-01-03)":                    between(0, 3),
		"[2024-01-03, 2024-01-05)":           between(3, 5),
		"[2024-01-03T12:00:00Z, 2024-01-04)": {Start: day(3).Add(12 * time.Hour), End: day(4)},
	} {
		if got := i.String(); got != want {
			t.Errorf("String() = %s, want %s", got, want)
		}
	}
}

// drawInterval draws an interval that is not empty, unbounded sides included.
func drawInterval(t *rapid.T, name string) temporal.Interval {
	from := rapid.IntRange(0, 10).Draw(t, name+" from")
	to := 0
	if rapid.Bool().Draw(t, name+" ends") {
		to = from + rapid.IntRange(1, 10).Draw(t, name+" length")
	}
	return between(from, to)
}

func TestIntervalAlgebra(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawInterval(t, "a"), drawInterval(t, "b")
		both := a.Intersect(b)
		if both.Empty() == a.Overlaps(b) {
			t.Fatalf("%v and %v intersect in %v", a, b, both)
		}
		if a.Overlaps(b) != b.Overlaps(a) || !both.Equal(b.Intersect(a)) {
			t.Fatalf("%v and %v are not symmetric", a, b)
		}
		if !both.Empty() && (!both.Within(a) || !both.Within(b)) {
			t.Fatalf("%v lies outside %v or %v", both, a, b)
		}
		at := day(rapid.IntRange(1, 25).Draw(t, "instant"))
		if both.Contains(at) != (a.Contains(at) && b.Contains(at)) {
			t.Fatalf("%v in %v: %v, in %v: %v", at, a, a.Contains(at), b, b.Contains(at))
		}
		if closed := a.Close(at); !closed.Within(a) || a.Ongoing() && !closed.End.Equal(at) {
			t.Fatalf("%v closed at %v is %v", a, at, closed)
		}
		if a.Within(b) != both.Equal(a) {
			t.Fatalf("%v within %v: %v", a, b, a.Within(b))
		}
	})
}
