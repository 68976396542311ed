package timeline_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/timeline"
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

var (
	statedDay   = temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}
	inferredDay = temporal.Bound{Basis: temporal.Inferred, Precision: temporal.ToTheDay}
	statedMonth = temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheMonth}
	saidThen    = temporal.Bound{Basis: temporal.Said, Precision: temporal.ToInstant}
)

// stretch is a validity whose bounds, where it has any, are known as given.
func stretch(from, to int, known ...temporal.Bound) temporal.Validity {
	v := temporal.Validity{Interval: between(from, to)}
	if from != 0 {
		v.From, known = known[0], known[1:]
	}
	if to != 0 {
		v.Until = known[0]
	}
	return v
}

// stated is a validity with bounds that are stated to the day.
func stated(from, to int) temporal.Validity { return stretch(from, to, statedDay, statedDay) }

func TestResolve(t *testing.T) {
	t.Parallel()
	type claim = timeline.Claim
	said := func(n int) claim { return claim{Valid: temporal.SaidSince(day(n)), Said: day(n)} }
	tests := []struct {
		name     string
		old, new claim
		wantOld  temporal.Validity
		wantNew  temporal.Validity
		expired  timeline.Side
	}{
		{
			name: "claims that share no time both stay", old: claim{Valid: stated(1, 5)}, new: claim{Valid: stated(5, 0)},
			wantOld: stated(1, 5), wantNew: stated(5, 0),
		},
		{
			name: "a later stated start ends what was stated", old: claim{Valid: stated(1, 0)}, new: claim{Valid: stated(7, 0)},
			wantOld: stretch(1, 7, statedDay, inferredDay), wantNew: stated(7, 0),
		},
		{
			name: "a later stated start ends what was said", old: said(1), new: claim{Valid: stated(7, 0), Said: day(9)},
			wantOld: stretch(1, 7, saidThen, inferredDay), wantNew: stated(7, 0),
		},
		{
			name: "what is said later ends what was said", old: said(1), new: said(7),
			wantOld: stretch(1, 7, saidThen, inferredDay), wantNew: temporal.SaidSince(day(7)),
		},
		{
			name: "a start stated later wins over what was said to hold after it", old: said(10), new: claim{Valid: stated(1, 0), Said: day(20)},
			wantOld: stretch(0, 1, inferredDay), wantNew: stated(1, 0),
		},
		{
			name: "and so in the other order of arrival", old: claim{Valid: stated(1, 0), Said: day(20)}, new: said(10),
			wantOld: stated(1, 0), wantNew: stretch(0, 1, inferredDay),
		},
		{
			name: "a month that holds the day on which something was said is divided after that day",
			old:  said(10), new: claim{Valid: stretch(1, 0, statedMonth), Said: day(40)},
			wantOld: stretch(10, 11, saidThen, temporal.Bound{Basis: temporal.Inferred, Precision: temporal.ToTheMonth}),
			wantNew: stretch(11, 0, statedMonth),
		},
		{
			name: "a start stated before gives way to what is said to hold after it", old: claim{Valid: stated(1, 0), Said: day(5)}, new: said(10),
			wantOld: stretch(1, 10, statedDay, inferredDay), wantNew: temporal.SaidSince(day(10)),
		},
		{
			name: "a stated stretch that is over keeps its time, what was said goes on after it",
			old:  said(10), new: claim{Valid: stated(5, 15), Said: day(20)},
			wantOld: stretch(15, 0, inferredDay), wantNew: stated(5, 15),
		},
		{
			name: "a stated end without a start, too", old: said(10), new: claim{Valid: stretch(0, 15, statedDay), Said: day(20)},
			wantOld: stretch(15, 0, inferredDay), wantNew: stretch(0, 15, statedDay),
		},
		{
			name: "an unknown start counts as earlier", old: claim{}, new: claim{Valid: stated(7, 0)},
			wantOld: stretch(0, 7, inferredDay), wantNew: stated(7, 0),
		},
		{
			name: "a claim of earlier times that arrives late is born ended", old: claim{Valid: stated(7, 0)}, new: claim{Valid: stated(1, 0)},
			wantOld: stated(7, 0), wantNew: stretch(1, 7, statedDay, inferredDay),
		},
		{
			name: "what was over when it was said does not outlast what was said to hold",
			old:  said(3), new: claim{Valid: temporal.OverBy(day(9)), Said: day(9)},
			wantOld: temporal.SaidSince(day(3)), wantNew: stretch(0, 3, inferredDay),
		},
		{
			name: "with equal starts what was said later is believed",
			old:  claim{Valid: stated(3, 0), Said: day(4), Recorded: day(9)}, new: claim{Valid: stated(3, 0), Said: day(5), Recorded: day(8)},
			wantOld: stated(3, 0), wantNew: stated(3, 0), expired: timeline.Old,
		},
		{
			name: "said at the same time, what was recorded later",
			old:  claim{Valid: stated(3, 0), Recorded: day(9)}, new: claim{Valid: stated(3, 0), Recorded: day(8)},
			wantOld: stated(3, 0), wantNew: stated(3, 0), expired: timeline.New,
		},
		{
			name: "an event ends the state and keeps its time", old: said(1), new: claim{Valid: stated(9, 10), Event: true},
			wantOld: stretch(1, 9, saidThen, inferredDay), wantNew: stated(9, 10),
		},
		{
			name: "in the other order of arrival, too", old: claim{Valid: stated(9, 10), Event: true}, new: said(1),
			wantOld: stated(9, 10), wantNew: stretch(1, 9, saidThen, inferredDay),
		},
		{
			name: "an event without a date ends the state by when it was told", old: said(1), new: claim{Valid: temporal.OverBy(day(9)), Event: true, Said: day(9)},
			wantOld: stretch(1, 9, saidThen, saidThen), wantNew: temporal.OverBy(day(9)),
		},
		{
			name: "a state that began within the event's time ends with it", old: said(9), new: claim{Valid: stated(1, 31), Event: true, Said: day(60)},
			wantOld: stretch(9, 31, saidThen, statedDay), wantNew: stated(1, 31),
		},
		{
			name: "a stated event told later wins over what was said to hold after it",
			old:  said(40), new: claim{Valid: stated(1, 31), Event: true, Said: day(60)},
			wantOld: stretch(0, 1, inferredDay), wantNew: stated(1, 31),
		},
		{
			name: "what was said after the event was told has begun again", old: claim{Valid: stated(1, 31), Event: true, Said: day(35)}, new: said(40),
			wantOld: stated(1, 31), wantNew: temporal.SaidSince(day(40)),
		},
		{
			name: "of two events at one time the one told later is believed",
			old:  claim{Valid: stated(3, 4), Event: true, Said: day(5)}, new: claim{Valid: stated(3, 4), Event: true, Said: day(6)},
			wantOld: stated(3, 4), wantNew: stated(3, 4), expired: timeline.Old,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := timeline.Resolution{Old: tt.wantOld, New: tt.wantNew, Expired: tt.expired}
			if diff := cmp.Diff(want, timeline.Resolve(tt.old, tt.new)); diff != "" {
				t.Errorf("Resolve (-want +got):\n%s", diff)
			}
		})
	}
}

// drawClaim draws a claim that starts on the given day: stated, or said to hold then.
func drawClaim(t *rapid.T, start int) timeline.Claim {
	c := timeline.Claim{Recorded: day(rapid.IntRange(1, 60).Draw(t, "recorded"))}
	if rapid.Bool().Draw(t, "said") {
		c.Valid, c.Said = temporal.SaidSince(day(start)), day(start)
		return c
	}
	c.Said = day(rapid.IntRange(1, 60).Draw(t, "told"))
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		c.Valid = stated(start, start+rapid.IntRange(1, 30).Draw(t, "length"))
	case 1:
		c.Valid = stretch(0, start, statedDay)
	case 2:
		c.Valid, c.Event = stated(start, start+rapid.IntRange(1, 30).Draw(t, "length")), true
	case 3:
		c.Valid, c.Said = temporal.OverBy(day(start)), day(start)
		c.Event = rapid.Bool().Draw(t, "event")
	default:
		c.Valid = stated(start, 0)
	}
	return c
}

func TestResolveInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := drawClaim(t, rapid.IntRange(1, 40).Draw(t, "old"))
		fresh := drawClaim(t, rapid.IntRange(1, 40).Draw(t, "new"))
		r := timeline.Resolve(old, fresh)
		for _, side := range []struct {
			claim timeline.Claim
			now   temporal.Validity
		}{{old, r.Old}, {fresh, r.New}} {
			before, now := side.claim.Valid, side.now
			switch {
			case now.Empty():
				t.Fatalf("an empty stretch: %+v", r)
			case side.claim.Event && now != before:
				t.Fatalf("an event moved: %v from %v", now, before)
			case before.From.Basis == temporal.Stated && now.From != before.From:
				t.Fatalf("a stated start was given up: %v from %v", now, before)
			case before.From.Basis == temporal.Stated && !now.Within(before.Interval):
				t.Fatalf("a stated stretch grew: %v from %v", now, before)
			case now.Start.IsZero() != (now.From == temporal.Bound{}) || now.End.IsZero() != (now.Until == temporal.Bound{}):
				t.Fatalf("an open end is known, or a closed one is not: %+v", now)
			}
		}
		if r.Expired == timeline.Neither && !old.Event && !fresh.Event && r.Old.Overlaps(r.New.Interval) {
			t.Fatalf("believed states overlap: %+v", r)
		}
		swapped := timeline.Resolve(fresh, old)
		if r.Expired == timeline.Neither && (swapped.Old != r.New || swapped.New != r.Old) {
			t.Fatalf("the order of arrival matters: %+v, and %+v", r, swapped)
		}
		old.Valid, fresh.Valid = r.Old, r.New
		if again := timeline.Resolve(old, fresh); again != r {
			t.Fatalf("applied twice: %+v, then %+v", r, again)
		}
	})
}

// toldInTurn adds claims one by one, as an engine would, and returns those believed.
func toldInTurn(claims []timeline.Claim) []timeline.Claim {
	var believed []timeline.Claim
	for _, c := range claims {
		kept := believed[:0]
		alive := true
		for _, old := range believed {
			if !alive {
				kept = append(kept, old)
				continue
			}
			r := timeline.Resolve(old, c)
			c.Valid = r.New
			alive = r.Expired != timeline.New
			if r.Expired != timeline.Old {
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

// Claims of one basis share the timeline by their starts alone.
func TestResolveDoesNotDependOnTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		starts := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 1, 6, rapid.ID[int]).Draw(t, "starts")
		said := rapid.Bool().Draw(t, "said")
		var claims []timeline.Claim
		for _, s := range starts {
			c := timeline.Claim{Valid: stated(s, 0), Said: day(rapid.IntRange(1, 60).Draw(t, "told"))}
			if said {
				c.Valid, c.Said = temporal.SaidSince(day(s)), day(s)
			}
			claims = append(claims, c)
		}
		want := toldInTurn(slices.Clone(claims))
		if len(want) != len(claims) {
			t.Fatalf("%d of %d claims lost", len(claims)-len(want), len(claims))
		}
		got := toldInTurn(rapid.Permutation(claims).Draw(t, "arrival"))
		byStart := func(a, b timeline.Claim) int { return a.Valid.Start.Compare(b.Valid.Start) }
		slices.SortFunc(want, byStart)
		slices.SortFunc(got, byStart)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("timelines differ (-first +permuted):\n%s", diff)
		}
		for i := 1; i < len(want); i++ {
			if want[i-1].Valid.Overlaps(want[i].Valid.Interval) {
				t.Fatalf("%v overlaps %v", want[i-1].Valid, want[i].Valid)
			}
		}
	})
}

func ExampleResolve() {
	acme := timeline.Claim{Valid: temporal.SaidSince(day(10)), Said: day(10)}
	globex := timeline.Claim{Valid: stated(1, 0), Said: day(20)} // "since 1 January"
	r := timeline.Resolve(acme, globex)
	fmt.Println("Acme  ", r.Old)
	fmt.Println("Globex", r.New)
	// Output:
	// Acme   (…, 2024-01-01)
	// Globex [2024-01-01, …)
}
