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
)

// seen is an observation as a naive model has it.
type seen struct {
	Subject, Predicate string
	Proof, Against     int
	First, Last        string
	From, Until        string // from its first fact to its last in the world; empty: unbounded
}

// spans are when the facts of observations hold in the world.
type spans map[string][][2]string

// holdsAt reports whether one of the facts of an observation holds at a time.
func (s spans) holdsAt(key string, at time.Time) bool {
	t := at.UTC().Format(time.RFC3339Nano)
	return slices.ContainsFunc(s[key], func(span [2]string) bool { return span[0] <= t && (span[1] == "" || t < span[1]) })
}

// bound writes an end of an interval as it is compared.
func bound(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// counted is what the facts of a group show, worked out anew from what is believed of
// them and from when their episodes were said.
func counted(t *testing.T, client *annals.Client, said map[uuid.UUID]time.Time) (map[string]seen, spans) {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	type evidence struct {
		episodes    map[uuid.UUID]bool
		hand        int
		from, until []string
	}
	of := map[string]*evidence{}
	key := func(f annals.Fact, predicate string) string { return f.Source + " " + predicate + " " + f.Target }
	for _, f := range facts {
		k := key(f, f.Predicate)
		if of[k] == nil {
			of[k] = &evidence{episodes: map[uuid.UUID]bool{}}
		}
		for _, id := range f.Episodes {
			of[k].episodes[id] = true
		}
		if len(f.Episodes) == 0 {
			of[k].hand++
		}
		until := bound(f.Valid.End)
		if f.Kind == graph.FactEvent {
			until = ""
		}
		of[k].from, of[k].until = append(of[k].from, bound(f.Valid.Start)), append(of[k].until, until)
	}
	out, holding := map[string]seen{}, spans{}
	for k, e := range of {
		for i := range e.from {
			holding[k] = append(holding[k], [2]string{e.from[i], e.until[i]})
		}
		if len(e.episodes)+e.hand < 2 {
			continue
		}
		parts := strings.SplitN(k, " ", 3)
		s := seen{Subject: parts[0], Predicate: parts[1], Proof: len(e.episodes) + e.hand, From: slices.Min(e.from)}
		if !slices.Contains(e.until, "") {
			s.Until = slices.Max(e.until)
		}
		for id := range e.episodes {
			day := said[id].Format(time.DateOnly)
			if s.First == "" || day < s.First {
				s.First = day
			}
			s.Last = max(s.Last, day)
		}
		out[k] = s
	}
	return out, holding
}

// observedAt lists observations by what they are about: all that were believed at
// knownAt, or those of them that held at validAt.
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

// Observations, as they are, as they were believed at any time, and as of any time
// that was believed then, are what a naive model counts in the facts, whatever is
// added, told by hand, undone, edited, ended, withdrawn, merged or erased. They are kept
// so without being built again.
func TestObservationsAreWhatTheFactsShow(t *testing.T) {
	t.Parallel()
	histories := 200
	if testing.Short() {
		histories = 12
	}
	client := clienttest.Open(t, annals.Config{})
	for h := range histories {
		random := rand.New(rand.NewPCG(7, uint64(h)))
		said, targets := map[uuid.UUID]time.Time{}, map[uuid.UUID]string{}
		var episodes []uuid.UUID
		var believed []map[string]seen
		var called []map[uuid.UUID]string // the other ends of facts, which merging names anew
		var at []time.Time
		var holding []spans
		for step := range 5 {
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
			observed, spans := counted(t, client, said)
			believed, holding, called = append(believed, observed), append(holding, spans), append(called, maps.Clone(targets))
			time.Sleep(2 * time.Millisecond)
			at = append(at, time.Now())
		}
		for i := range believed {
			if diff := cmp.Diff(believed[i], observedAt(t, client, time.Time{}, at[i], called[i])); diff != "" {
				t.Fatalf("history %d, step %d of %d (-counted +observed):\n%s", h, i, len(believed), diff)
			}
			validAt := time.Date(2023, 12, 1+random.IntN(1000), random.IntN(24), 0, 0, 0, time.UTC)
			held := maps.Clone(believed[i])
			maps.DeleteFunc(held, func(key string, _ seen) bool { return !holding[i].holdsAt(key, validAt) })
			if diff := cmp.Diff(held, observedAt(t, client, validAt, at[i], called[i])); diff != "" {
				t.Fatalf("history %d, step %d of %d, as of %s (-counted +observed):\n%s", h, i, len(believed), validAt, diff)
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

// observingStep does something to the memory.
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
		if _, err = client.DeleteEpisode(ctx, "t", (*episodes)[i]); err != nil {
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
		_, err = client.EditFact(ctx, "t", facts[random.IntN(len(facts))].ID, annals.FactEdit{Predicate: &predicate})
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
			GroupID: "t", Actor: []string{"Alice", "Bob"}[random.IntN(2)], Content: text, OccurredAt: day, Force: true, // also what was erased
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

// Two hundred runs over the same facts write nothing.
func TestObservingAgainAddsNothing(t *testing.T) {
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
			|| coalesce((SELECT string_agg(h::text, ' ' ORDER BY h.id, h.recorded) FROM annals.observations_history h), '')
			|| coalesce((SELECT string_agg(l::text || l.xmin, ' ' ORDER BY l.observation_id, l.fact_id) FROM annals.observation_facts l), '')
			|| coalesce((SELECT string_agg(l::text || l.xmin, ' ' ORDER BY l.observation_id, l.episode_id) FROM annals.observation_episodes l), ''))`).Scan(&rows)
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
