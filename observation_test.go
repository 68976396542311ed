package annals_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/temporal"
)

// seen is an observation in the naive model.
type seen struct {
	Subject, Predicate string
	Proof              int
	First, Last        string
	From, Until        string // of its first and last fact in the world; empty: unbounded
}

// showing holds the facts that count for observations, by what they say, after a step of a history.
type showing struct {
	facts map[string][]annals.Fact
	said  map[uuid.UUID]time.Time // episodes, including removed ones
}

// counted returns the facts that count: those believed, believed for a while, and not only planned.
func counted(t *testing.T, client *annals.Client, said map[uuid.UUID]time.Time) showing {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s := showing{map[string][]annals.Fact{}, maps.Clone(said)}
	for _, f := range facts {
		if f.Trust == graph.TrustBelieved && !f.Valid.Empty() && f.Valid.From.Basis != temporal.Planned && !strings.HasPrefix(f.Predicate, graph.NoLonger) {
			k := f.Source + " " + f.Predicate + " " + f.Target
			s.facts[k] = append(s.facts[k], f)
		}
	}
	return s
}

// shownFrom returns the time from which a fact had been said and had begun or happened.
func shownFrom(f annals.Fact) time.Time {
	began := f.Valid.Start
	if began.IsZero() && f.Kind == graph.FactEvent {
		began = f.Valid.End
	}
	if f.SaidAt.After(began) {
		return f.SaidAt
	}
	return began
}

// at returns the observations as of a time; zero: all that were believed.
func (s showing) at(validAt time.Time) map[string]seen {
	all := validAt.IsZero()
	out := map[string]seen{}
	for k, facts := range s.facts {
		parts := strings.SplitN(k, " ", 3)
		o := seen{Subject: parts[0], Predicate: parts[1], From: "9", Until: "0"}
		holds, episodes := all, map[uuid.UUID]bool{}
		for _, f := range facts {
			until := bound(f.Valid.End)
			if f.Kind == graph.FactEvent {
				until = ""
			}
			o.From = min(o.From, bound(f.Valid.Start))
			if until == "" || o.Until == "" {
				o.Until = ""
			} else {
				o.Until = max(o.Until, until)
			}
			if !all && shownFrom(f).After(validAt) {
				continue
			}
			holds = holds || until == "" || f.Valid.End.After(validAt)
			if len(f.Episodes) == 0 {
				o.Proof++
			}
			for _, id := range f.Episodes {
				if all || !s.said[id].After(validAt) {
					episodes[id] = true
				}
			}
		}
		o.Proof += len(episodes)
		for id := range episodes {
			day := s.said[id].Format(time.DateOnly)
			if o.First == "" || day < o.First {
				o.First = day
			}
			o.Last = max(o.Last, day)
		}
		if o.Proof >= 2 && holds {
			out[k] = o
		}
	}
	return out
}

// bound formats an end of an interval for comparisons.
func bound(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// observedAt lists observations by their subject: all that were believed at knownAt, or those of
// them that held at validAt.
func observedAt(t *testing.T, client *annals.Client, validAt, knownAt time.Time, targets map[uuid.UUID]string) map[string]seen {
	t.Helper()
	f := annals.ObservationFilter{GroupID: "t", ValidAt: validAt, KnownAt: knownAt, Ended: validAt.IsZero(), Limit: 1000}
	list, err := client.Observations(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]seen{}
	for _, o := range list {
		target := ""
		for _, id := range o.Facts {
			target = targets[id]
		}
		s := seen{Subject: o.Subject, Predicate: o.Predicate, Proof: o.Proof, From: bound(o.Valid.Start), Until: bound(o.Valid.End)}
		s.First, s.Last = o.FirstSeen.Format(time.DateOnly), o.LastSeen.Format(time.DateOnly)
		k := o.Subject + " " + o.Predicate + " " + target
		if _, twice := out[k]; twice {
			t.Errorf("%s is there twice", k)
		}
		out[k] = s
	}
	return out
}

// Observations, now, as believed at any time, and as of any time that was believed then, equal a
// naive count of the facts, whatever is added, undone, edited, ended, withdrawn, merged or erased.
// They stay so without being built again.
func TestObservationsAreWhatTheFactsShow(t *testing.T) {
	t.Parallel()
	histories := slow.Of(2, 12, 200)
	client := clienttest.Open(t, annals.Config{})
	for h := range histories {
		random := rand.New(rand.NewPCG(7, uint64(h)))
		said, targets := map[uuid.UUID]time.Time{}, map[uuid.UUID]string{}
		var episodes []uuid.UUID
		var believed []showing
		var called []map[uuid.UUID]string // the other ends of facts, which merging renames
		var at []time.Time
		for step := range 5 {
			tellChanges(t, client, random, &episodes, said)
			observingStep(t, client, random, &episodes, said)
			if step == 0 {
				if err := client.Observe(t.Context(), "t"); err != nil {
					t.Fatal(err)
				}
			}
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				targets[f.ID] = f.Target
			}
			believed, called = append(believed, counted(t, client, said)), append(called, maps.Clone(targets))
			time.Sleep(2 * time.Millisecond)
			at = append(at, time.Now())
		}
		for i := range believed {
			for _, validAt := range []time.Time{{}, time.Date(2023, 12, 1+random.IntN(1000), random.IntN(24), 0, 0, 0, time.UTC)} {
				if diff := cmp.Diff(believed[i].at(validAt), observedAt(t, client, validAt, at[i], called[i])); diff != "" {
					t.Fatalf("history %d, step %d of %d, as of %s (-counted +observed):\n%s", h, i, len(believed), validAt, diff)
				}
			}
		}
		if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t"}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t", Force: true}); err != nil {
			t.Fatal(err)
		}
	}
}

// observingStep does a random operation on the memory.
func observingStep(t *testing.T, client *annals.Client, random *rand.Rand, episodes *[]uuid.UUID, said map[uuid.UUID]time.Time) {
	t.Helper()
	ctx := t.Context()
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	switch what := random.IntN(11); {
	case what == 0 && len(*episodes) > 2:
		i := random.IntN(len(*episodes))
		if _, err = client.Undo(ctx, "t", (*episodes)[i]); err != nil {
			t.Fatal(err)
		}
		*episodes = slices.Delete(*episodes, i, i+1)
	case what == 1 && len(facts) > 0:
		err = client.WithdrawFact(ctx, "t", facts[random.IntN(len(facts))].ID)
	case what == 2 && len(facts) > 0:
		until := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		_, err = client.EditFact(ctx, "t", facts[random.IntN(len(facts))].ID, annals.FactEdit{InvalidAt: &until})
	case what == 3 && len(facts) > 0:
		predicate := []string{"LIKES", "LOVES", "LIVES_IN"}[random.IntN(3)]
		if f := facts[random.IntN(len(facts))]; !strings.HasPrefix(f.Predicate, graph.NoLonger) { // it still says that something stopped
			_, err = client.EditFact(ctx, "t", f.ID, annals.FactEdit{Predicate: &predicate})
		}
	case what == 4 && len(facts) > 0:
		from, into := facts[random.IntN(len(facts))], facts[random.IntN(len(facts))]
		if from.TargetID != into.TargetID {
			_, err = client.MergeEntities(ctx, "t", from.TargetID, into.TargetID)
		}
	case what == 5:
		day := time.Date(2024, 1, 1+random.IntN(300), 10, 0, 0, 0, time.UTC)
		var added annals.AddedTriple
		added, err = client.AddTriple(ctx, annals.Triple{
			GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "opera"}, Fact: "Alice likes opera.", OccurredAt: day,
		})
		*episodes, said[added.EpisodeID] = append(*episodes, added.EpisodeID), day
	default:
		tell(ctx, t, client, random, episodes, said)
	}
	if err != nil && annals.CodeOf(err) != annals.CodeConflict {
		t.Fatal(err)
	}
}

func tell(ctx context.Context, t *testing.T, client *annals.Client, random *rand.Rand, episodes *[]uuid.UUID, said map[uuid.UUID]time.Time) {
	t.Helper()
	for range 3 {
		day := time.Date(2024, 1, 1+random.IntN(300), 10, 0, 0, 0, time.UTC)
		text := fmt.Sprintf([]string{"I like %s.", "I love %s.", "I live in %s."}[random.IntN(3)], []string{"opera", "Lisbon", "chess"}[random.IntN(3)])
		stored, err := client.Add(ctx, annals.Episode{
			GroupID: "t", Actor: []string{"Alice", "Bob"}[random.IntN(2)], Content: text, OccurredAt: day, Force: true, // also erased content
		})
		if err != nil {
			t.Fatal(err)
		}
		*episodes, said[stored.ID] = append(*episodes, stored.ID), day
	}
	if err := client.Process(ctx, "t", nil); err != nil {
		t.Fatal(err)
	}
}

// tellChanges adds values, posts, plans, events at an unknown time, and ends.
func tellChanges(t *testing.T, client *annals.Client, random *rand.Rand, episodes *[]uuid.UUID, said map[uuid.UUID]time.Time) {
	t.Helper()
	texts := []string{
		"I weigh 80 kg.", "I weigh 78 kg.", "I work at Acme as a junior engineer.", "I was promoted to senior engineer at Acme.",
		"I went to Rome.", "I am flying to Lisbon on 3 June 2024.", "I flew to Lisbon on 3 June 2024.", "I no longer live in Lisbon.",
	}
	for range 2 {
		told := clienttest.Alice(texts[random.IntN(len(texts))], "2024-01-01")
		told.OccurredAt, told.Force = time.Date(2024, 1, 1+random.IntN(300), 10, 0, 0, 0, time.UTC), true
		stored, err := client.Add(t.Context(), told)
		if err != nil {
			t.Fatal(err)
		}
		*episodes, said[stored.ID] = append(*episodes, stored.ID), told.OccurredAt
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
}

// Two hundred runs over the same facts write nothing.
func TestObservingAgainAddsNothing(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	random := rand.New(rand.NewPCG(3, 4))
	var episodes []uuid.UUID
	said := map[uuid.UUID]time.Time{}
	for range 6 {
		tell(t.Context(), t, client, random, &episodes, said)
	}
	conn := clienttest.Dial(t, url)
	state := func() (rows string) {
		err := conn.QueryRow(t.Context(), `SELECT md5(coalesce((SELECT string_agg(o::text, ' ' ORDER BY o.id) FROM annals.observations o), '')
			|| coalesce((SELECT string_agg(h::text, ' ' ORDER BY h.id, h.recorded) FROM annals_internal.observations_history h), '')
			|| coalesce((SELECT string_agg(l::text || l.xmin, ' ' ORDER BY l.observation_id, l.fact_id) FROM annals_internal.observation_facts l), '')
			|| coalesce((SELECT string_agg(l::text || l.xmin, ' ' ORDER BY l.observation_id, l.episode_id) FROM annals_internal.observation_episodes l), ''))`).Scan(&rows)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t"})
	if err != nil || len(list) == 0 {
		t.Fatalf("nothing is observed (%v)", err)
	}
	first := state()
	for i := range 200 {
		if err := client.Observe(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
		if state() != first {
			t.Fatalf("run %d changed something", i)
		}
	}
}
