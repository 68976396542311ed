package temporal_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

func TestResolve(t *testing.T) {
	t.Parallel()
	const now = 20
	tests := []struct {
		name     string
		old, new temporal.Claim
		want     temporal.Resolution
	}{
		{
			"disjoint claims both stay",
			temporal.Claim{Valid: between(1, 5)},
			temporal.Claim{Valid: between(5, 0)},
			temporal.Resolution{Old: between(1, 5), New: between(5, 0)},
		},
		{
			"a later start closes the old claim",
			temporal.Claim{Valid: between(1, 0)},
			temporal.Claim{Valid: between(7, 0)},
			temporal.Resolution{Old: between(1, 7), New: between(7, 0)},
		},
		{
			"an unknown start counts as earlier",
			temporal.Claim{Valid: between(0, 0)},
			temporal.Claim{Valid: between(7, 0)},
			temporal.Resolution{Old: between(0, 7), New: between(7, 0)},
		},
		{
			"a late-arriving older claim is born closed",
			temporal.Claim{Valid: between(7, 0)},
			temporal.Claim{Valid: between(1, 0)},
			temporal.Resolution{Old: between(7, 0), New: between(1, 7)},
		},
		{
			"a new claim without a start begins at the reference",
			temporal.Claim{Valid: between(1, 0)},
			temporal.Claim{},
			temporal.Resolution{Old: between(1, now), New: between(now, 0)},
		},
		{
			"a new claim that ended before the reference keeps its unknown start",
			temporal.Claim{Valid: between(1, 0)},
			temporal.Claim{Valid: between(0, 3)},
			temporal.Resolution{Old: between(1, 0), New: between(0, 1)},
		},
		{
			"with equal starts the claim recorded later wins",
			temporal.Claim{Valid: between(3, 0), Recorded: day(3)},
			temporal.Claim{Valid: between(3, 0), Recorded: day(4)},
			temporal.Resolution{Old: between(3, 0), New: between(3, 0), Expired: temporal.Old},
		},
		{
			"with equal starts an old claim recorded later wins",
			temporal.Claim{Valid: between(3, 0), Recorded: day(9)},
			temporal.Claim{Valid: between(3, 0), Recorded: day(4)},
			temporal.Resolution{Old: between(3, 0), New: between(3, 0), Expired: temporal.New},
		},
		{
			"a termination closes what it ends and stays",
			temporal.Claim{Valid: between(1, 0)},
			temporal.Claim{Valid: between(9, 0), Terminates: true},
			temporal.Resolution{Old: between(1, 9), New: between(9, 0)},
		},
		{
			"a termination without a date ends at the reference",
			temporal.Claim{Valid: between(1, 0)},
			temporal.Claim{Terminates: true},
			temporal.Resolution{Old: between(1, now), New: between(now, 0)},
		},
		{
			"a termination wins over a claim of the same instant whenever recorded",
			temporal.Claim{Valid: between(3, 0), Recorded: day(4)},
			temporal.Claim{Valid: between(3, 0), Recorded: day(3), Terminates: true},
			temporal.Resolution{Old: between(3, 0), New: between(3, 0), Expired: temporal.Old},
		},
		{
			"what becomes true again after a termination closes it",
			temporal.Claim{Valid: between(3, 0), Terminates: true},
			temporal.Claim{Valid: between(8, 0)},
			temporal.Resolution{Old: between(3, 8), New: between(8, 0)},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, temporal.Resolve(tt.old, tt.new, day(now))); diff != "" {
				t.Errorf("Resolve (-want +got):\n%s", diff)
			}
		})
	}
}

// drawClaim draws a claim that starts on the given day.
func drawClaim(t *rapid.T, start int) temporal.Claim {
	c := temporal.Claim{
		Recorded:   day(rapid.IntRange(1, 60).Draw(t, "recorded")),
		Terminates: rapid.Bool().Draw(t, "terminates"),
	}
	c.Valid.Start = day(start)
	if rapid.Bool().Draw(t, "bounded") {
		c.Valid.End = day(start + rapid.IntRange(1, 30).Draw(t, "length"))
	}
	return c
}

func TestResolveInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := drawClaim(t, rapid.IntRange(1, 10).Draw(t, "old"))
		fresh := drawClaim(t, rapid.IntRange(1, 10).Draw(t, "new"))
		if rapid.Bool().Draw(t, "unknown") {
			old.Valid.Start = time.Time{}
		}
		r := temporal.Resolve(old, fresh, day(50))
		if r.Old.Empty() || r.New.Empty() {
			t.Fatalf("an empty range: %+v", r)
		}
		if !r.Old.Within(old.Valid) || !r.New.Within(fresh.Valid) {
			t.Fatalf("a range grew: %+v from %v and %v", r, old.Valid, fresh.Valid)
		}
		if r.Expired == temporal.Neither && r.Old.Overlaps(r.New) {
			t.Fatalf("believed ranges overlap: %+v", r)
		}
		if !r.Old.Start.Equal(old.Valid.Start) || !r.New.Start.Equal(fresh.Valid.Start) {
			t.Fatalf("a start moved: %+v", r)
		}
		old.Valid, fresh.Valid = r.Old, r.New
		if again := temporal.Resolve(old, fresh, day(50)); again != r {
			t.Fatalf("applied twice: %+v, then %+v", r, again)
		}
	})
}

// timeline adds claims one after another, as an engine would, and returns what is believed.
func timeline(claims []temporal.Claim) []temporal.Claim {
	var believed []temporal.Claim
	for _, c := range claims {
		kept := believed[:0]
		alive := true
		for _, old := range believed {
			if !alive {
				kept = append(kept, old)
				continue
			}
			r := temporal.Resolve(old, c, day(90))
			c.Valid = r.New
			alive = r.Expired != temporal.New
			if r.Expired != temporal.Old {
				old.Valid = r.Old
				kept = append(kept, old)
			}
		}
		believed = kept
		if alive {
			believed = append(believed, c)
		}
	}
	return believed
}

func TestResolveDoesNotDependOnTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		starts := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 1, 6, rapid.ID[int]).Draw(t, "starts")
		var claims []temporal.Claim
		for _, s := range starts {
			claims = append(claims, drawClaim(t, s))
		}
		want := timeline(claims)
		if len(want) != len(claims) {
			t.Fatalf("%d of %d claims lost", len(claims)-len(want), len(claims))
		}
		got := timeline(rapid.Permutation(claims).Draw(t, "arrival"))
		byStart := func(a, b temporal.Claim) int { return a.Valid.Start.Compare(b.Valid.Start) }
		slices.SortFunc(want, byStart)
		slices.SortFunc(got, byStart)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("timelines differ (-first +permuted):\n%s", diff)
		}
		for i := 1; i < len(want); i++ {
			if want[i-1].Valid.Overlaps(want[i].Valid) {
				t.Fatalf("%v overlaps %v", want[i-1].Valid, want[i].Valid)
			}
		}
	})
}

func ExampleResolve() {
	paris := temporal.Claim{Valid: temporal.From(day(1)), Recorded: day(1)}
	lisbon := temporal.Claim{Valid: temporal.From(day(8)), Recorded: day(15)}
	r := temporal.Resolve(paris, lisbon, day(15))
	fmt.Println("Paris ", r.Old)
	fmt.Println("Lisbon", r.New)
	// Output:
	// Paris  [2024-01-01, 2024-01-08)
	// Lisbon [2024-01-08, …)
}
