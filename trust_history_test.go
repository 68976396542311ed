package annals_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// saying is an episode in the naive model.
type saying struct {
	id              uuid.UUID
	actor, sentence string
	authority       graph.Authority
	thread          string
	released        bool
}

// believing is the naive model of a group: statements and decisions, from which it computes
// everything anew.
type believing struct {
	said      []saying
	policy    graph.TrustPolicy
	confirmed map[string]bool // by sentence
}

func (b *believing) held(s saying) bool {
	switch {
	case s.released:
		return false
	case s.authority == graph.AuthorityAssistant:
		return b.policy.Assistants
	case s.authority == graph.AuthorityDocument:
		return b.policy.Documents || slices.Contains(b.policy.Threads, s.thread)
	}
	return false
}

// states returns the trust of each sentence.
func (b *believing) states() map[string]graph.Trust {
	out := map[string]graph.Trust{}
	for _, s := range b.said {
		if out[s.sentence] == "" {
			out[s.sentence] = graph.TrustCandidate
		}
		if !b.held(s) || b.confirmed[s.sentence] {
			out[s.sentence] = graph.TrustBelieved
		}
	}
	return out
}

// told returns the sentences of a speaker, with their episodes.
func (b *believing) told(actor string) map[string][]uuid.UUID {
	out := map[string][]uuid.UUID{}
	for _, s := range b.said {
		if s.actor == actor {
			out[s.sentence] = append(out[s.sentence], s.id)
		}
	}
	return out
}

// dated are the sentences to say, with when each of them holds.
var dated = []struct {
	sentence    string
	from, until time.Time
}{
	{"Alice worked at Acme from 2023-01-01 to 2024-02-20.", day(2023, 1, 1), day(2024, 2, 21)},
	{"Alice visited Porto in February 2024.", day(2024, 2, 1), day(2024, 3, 1)},
	{"Alice has lived in Rome since March 2024.", day(2024, 3, 1), day(9999, 1, 1)},
}

// holding returns those of some sentences that hold at a time.
func holding(states map[string]graph.Trust, at time.Time) map[string]graph.Trust {
	out := maps.Clone(states)
	for _, d := range dated {
		if at.Before(d.from) || !at.Before(d.until) {
			delete(out, d.sentence)
		}
	}
	return out
}

// Which facts are believed, and who states them, is what a naive model computes, as of any time and
// as known at any time, whatever is said, undone, confirmed, released and withheld from any moment:
// what did we believe on 3 May about February?
func TestTrustIsWhatWasSaidAndDecided(t *testing.T) {
	t.Parallel()
	histories := slow.Of(2, 10, 200)
	client := clienttest.Open(t, annals.Config{})
	for h := range histories {
		group := fmt.Sprint("t", h)
		h := &trustHistory{t: t, client: client, group: group, random: rand.New(rand.NewPCG(25, uint64(h))), now: &believing{confirmed: map[string]bool{}}}
		h.step(0)
		for range 6 {
			h.step(h.random.IntN(9))
			h.remember()
		}
		h.check()
	}
}

type trustHistory struct {
	t      *testing.T
	client *annals.Client
	group  string
	random *rand.Rand
	now    *believing

	at     []time.Time
	states []map[string]graph.Trust
	told   []map[string][]uuid.UUID // by Sam
	gone   map[uuid.UUID]bool
}

func (h *trustHistory) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("group %s: %v", h.group, err)
	}
}

// step does an operation on the memory and on the model.
func (h *trustHistory) step(what int) {
	h.t.Helper()
	ctx, s := h.t.Context(), service.New(h.client)
	switch {
	case what == 1 && len(h.now.said) > 1:
		i := h.random.IntN(len(h.now.said))
		if h.gone == nil {
			h.gone = map[uuid.UUID]bool{}
		}
		h.gone[h.now.said[i].id] = true
		_, err := h.client.Undo(ctx, h.group, h.now.said[i].id)
		h.must(err)
		sentence := h.now.said[i].sentence
		h.now.said = slices.Delete(h.now.said, i, i+1)
		if !slices.ContainsFunc(h.now.said, func(s saying) bool { return s.sentence == sentence }) {
			delete(h.now.confirmed, sentence) // said again, it is another fact
		}
	case what == 2 || what == 3:
		h.now.policy = graph.TrustPolicy{Assistants: h.random.IntN(2) == 0, Documents: h.random.IntN(3) == 0, Threads: []string{"a", "b"}[:h.random.IntN(3)]}
		h.must(s.SetTrustPolicy(ctx, h.group, h.now.policy))
	case what == 4 && len(h.now.said) > 0:
		sentence := h.now.said[h.random.IntN(len(h.now.said))].sentence
		ids := []uuid.UUID{h.facts(annals.FactFilter{Trust: graph.TrustAll})[sentence].ID}
		_, err := s.Confirm(ctx, h.group, ids, !h.now.confirmed[sentence])
		h.must(err)
		h.now.confirmed[sentence] = !h.now.confirmed[sentence]
	case what == 5 && len(h.now.said) > 0:
		i := h.random.IntN(len(h.now.said))
		said := &h.now.said[i]
		if hold := said.released; hold || h.now.held(*said) {
			_, err := s.Release(ctx, h.group, service.Release{EpisodeIDs: []uuid.UUID{said.id}, Hold: hold})
			h.must(err)
			said.released = !hold || !h.holds(*said) // an episode outside the policy is not put back
		}
	default:
		h.tell()
	}
}

// holds reports whether the policy applies to an episode.
func (h *trustHistory) holds(s saying) bool {
	s.released = false
	return h.now.held(s)
}

func (h *trustHistory) tell() {
	h.t.Helper()
	for range 2 {
		s := saying{
			actor:    []string{"Sam", "Ann", "Helper"}[h.random.IntN(3)],
			sentence: dated[h.random.IntN(len(dated))].sentence,
			thread:   []string{"a", "b"}[h.random.IntN(2)], authority: graph.AuthorityUser,
		}
		e := annals.Episode{GroupID: h.group, Actor: s.actor, Content: s.sentence, ThreadID: s.thread}
		switch h.random.IntN(3) {
		case 0:
			e.Role, s.authority = "assistant", graph.AuthorityAssistant
		case 1:
			e.Source, s.authority = graph.SourceText, graph.AuthorityDocument
		}
		stored, err := h.client.Add(h.t.Context(), e)
		h.must(err)
		s.id = stored.ID
		h.now.said = append(h.now.said, s)
	}
	h.must(h.client.Process(h.t.Context(), h.group, nil))
}

// facts returns facts by their sentences.
func (h *trustHistory) facts(f annals.FactFilter) map[string]annals.Fact {
	h.t.Helper()
	f.GroupID, f.Limit = h.group, 100
	list, err := h.client.Facts(h.t.Context(), f)
	h.must(err)
	out := map[string]annals.Fact{}
	for _, fact := range list {
		if _, twice := out[fact.Fact]; twice {
			h.t.Fatalf("group %s: %q is there twice", h.group, fact.Fact)
		}
		out[fact.Fact] = fact
	}
	return out
}

func (h *trustHistory) remember() {
	h.t.Helper()
	h.states, h.told = append(h.states, h.now.states()), append(h.told, h.now.told("Sam"))
	h.compare(len(h.states)-1, time.Time{})
	time.Sleep(2 * time.Millisecond)
	h.at = append(h.at, time.Now())
	time.Sleep(2 * time.Millisecond)
}

// check compares what was known at each step.
func (h *trustHistory) check() {
	h.t.Helper()
	for i, at := range h.at {
		h.compare(i, at)
	}
	verified, err := service.New(h.client).Verify(h.t.Context(), h.group, false)
	h.must(err)
	for _, c := range verified.Checks {
		if c.Name == "trust" && c.Found > 0 {
			h.t.Errorf("group %s: verify finds %+v", h.group, c)
		}
	}
}

func (h *trustHistory) compare(step int, knownAt time.Time) {
	h.t.Helper()
	got := map[string]graph.Trust{}
	for sentence, f := range h.facts(annals.FactFilter{Trust: graph.TrustAll, KnownAt: knownAt}) {
		got[sentence] = f.Trust
	}
	if diff := cmp.Diff(h.states[step], got); diff != "" {
		h.t.Fatalf("group %s, step %d, known at %s (-model +memory):\n%s", h.group, step, knownAt, diff)
	}
	believed, candidates := map[string]graph.Trust{}, map[string]graph.Trust{}
	for sentence, state := range h.states[step] {
		if state == graph.TrustCandidate {
			candidates[sentence] = state
		} else {
			believed[sentence] = state
		}
	}
	for trust, want := range map[graph.Trust]map[string]graph.Trust{"": believed, graph.TrustCandidate: candidates} {
		list := h.facts(annals.FactFilter{Trust: trust, KnownAt: knownAt})
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(list))); diff != "" && len(want)+len(list) > 0 {
			h.t.Fatalf("group %s, step %d, known at %s, asked for %q:\n%s", h.group, step, knownAt, trust, diff)
		}
		h.search(step, annals.Query{KnownAt: knownAt, Trust: trust}, want)
	}
	about := []time.Time{day(2022, 12, 31), day(2024, 2, 10), day(2024, 2, 25), day(2024, 4, 1)}[h.random.IntN(4)]
	held := holding(believed, about)
	list := h.facts(annals.FactFilter{ValidAt: about, KnownAt: knownAt})
	if got := slices.Sorted(maps.Keys(list)); !slices.Equal(slices.Sorted(maps.Keys(held)), got) {
		h.t.Fatalf("group %s, step %d, known at %s, as of %s: %v, want %v", h.group, step, knownAt, about, got, held)
	}
	h.search(step, annals.Query{KnownAt: knownAt, ValidAt: about}, held)
	var told []string
	for sentence, episodes := range h.told[step] { // a removed episode is removed for all times
		if slices.ContainsFunc(episodes, func(id uuid.UUID) bool { return !h.gone[id] }) {
			told = append(told, sentence)
		}
	}
	slices.Sort(told)
	list = h.facts(annals.FactFilter{Trust: graph.TrustAll, ToldBy: []string{"Sam"}, KnownAt: knownAt})
	if got := slices.Sorted(maps.Keys(list)); !slices.Equal(told, got) {
		h.t.Fatalf("group %s, step %d, known at %s: Sam tells %v, want %v", h.group, step, knownAt, got, told)
	}
}

// search checks that a search finds the same as the list, in both rankings.
func (h *trustHistory) search(step int, q annals.Query, want map[string]graph.Trust) {
	h.t.Helper()
	q.GroupID, q.Text, q.Scopes, q.MinFit, q.IncludeEnded = h.group, "What of Alice?", []graph.Kind{graph.KindFact}, -1, q.ValidAt.IsZero()
	found, err := h.client.Search(h.t.Context(), q)
	h.must(err)
	var got []string
	for _, hit := range found.Facts {
		got = append(got, hit.Fact.Fact)
	}
	slices.Sort(got)
	if sentences := slices.Sorted(maps.Keys(want)); !slices.Equal(sentences, got) {
		h.t.Fatalf("group %s, step %d: a search %+v finds %v, want %v", h.group, step, q, got, sentences)
	}
}
