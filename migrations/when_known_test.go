package migrations_test

import (
	"cmp"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/temporal"
)

// SQL and the library describe the time of a fact in the same words.
func TestWhenKnownSaysWhatTheLibrarySays(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	grains := []calendar.Granularity{
		calendar.Second, calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.Season, calendar.Year, calendar.Decade,
	}
	unit := func() (temporal.Interval, temporal.Precision) {
		g := grains[r.IntN(len(grains))]
		from, end := calendar.Around(time.Date(1990+r.IntN(40), 1, 1, 0, 0, r.IntN(365*86400), 0, time.UTC), g)
		return temporal.Interval{Start: from, End: end}, dates.Precision(g)
	}
	bases := []temporal.Basis{temporal.Stated, temporal.Said, temporal.Inferred, temporal.Planned}
	reading := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	for range 2000 {
		first, from := unit()
		f := graph.Fact{Kind: graph.FactState}
		if r.IntN(2) == 0 {
			f.Kind = graph.FactEvent
		}
		if r.IntN(5) > 0 {
			f.Valid.Start, f.Valid.From = first.Start, temporal.Bound{Basis: bases[r.IntN(4)], Precision: from}
		}
		switch last, until := unit(); {
		case r.IntN(3) == 0 && !f.Valid.Start.IsZero():
			f.Valid.End, f.Valid.Until = first.End, f.Valid.From
		case r.IntN(2) == 0 && last.End.After(first.Start):
			f.Valid.End, f.Valid.Until = last.End, temporal.Bound{Basis: bases[r.IntN(3)], Precision: until}
		}
		var said string
		err := conn.QueryRow(t.Context(), `SELECT annals.when_known($1::annals.fact_kind, tstzrange($2, $3), $4::annals.basis, $5::annals.exactness,
			$6::annals.basis, $7::annals.exactness, $8)`, f.Kind, orNull(f.Valid.Start), orNull(f.Valid.End),
			cmp.Or(string(f.Valid.From.Basis), "unknown"), cmp.Or(string(f.Valid.From.Precision), "unknown"),
			cmp.Or(string(f.Valid.Until.Basis), "unknown"), cmp.Or(string(f.Valid.Until.Precision), "unknown"), reading).Scan(&said)
		if want := f.When(reading); err != nil || said != want {
			t.Fatalf("seed %d: %+v: %q, %v; the library says %q", seed, f.Valid, said, err, want)
		}
	}
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
