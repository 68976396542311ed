package annals_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// word is a mark at a time; zero: the mark before it was ended.
type word struct {
	at, expires time.Time
	mark        graph.Mark
}

// standing returns the last mark at a time.
func standing(words []word, at time.Time) word {
	var last word
	for _, w := range words {
		if !w.at.After(at) {
			last = w
		}
	}
	return last
}

func gone(words []word, at time.Time) bool {
	w := standing(words, at)
	return !w.expires.IsZero() && !w.expires.After(at)
}

// modelled is a fact in the naive model, with every mark of it and of the episodes that state it. A
// fact that is said again after it expired is another one.
type modelled struct {
	id       uuid.UUID
	sentence string
	since    time.Time
	withdrew time.Time
	expiry   []word
	pins     []word
	verdicts []word
	episodes []*markedSaying
}

type markedSaying struct {
	id     uuid.UUID
	since  time.Time
	expiry []word
}

func (m *modelled) visible(at time.Time) bool {
	if m.since.After(at) || !m.withdrew.IsZero() && !m.withdrew.After(at) || gone(m.expiry, at) {
		return false
	}
	return slices.ContainsFunc(m.episodes, func(s *markedSaying) bool { return !s.since.After(at) && !gone(s.expiry, at) })
}

// shown is what a model, or a memory, shows of a group at a time.
type shown map[string]graph.Marks

func (h *history) expected(at time.Time) shown {
	out := shown{}
	for _, m := range h.facts {
		if !m.visible(at) {
			continue
		}
		marks := graph.Marks{ExpiresAt: standing(m.expiry, at).expires, Pinned: standing(m.pins, at).mark == graph.MarkPinned}
		switch standing(m.verdicts, at).mark {
		case graph.MarkUseful:
			marks.Useful = 1
		case graph.MarkWrong:
			marks.Wrong = 1
		case graph.MarkOutdated:
			marks.Outdated = 1
		}
		out[m.sentence] = marks
	}
	return out
}

// history is a group, the operations on it, and the times at which it is checked.
type history struct {
	t      *testing.T
	client *annals.Client
	conn   *pgx.Conn
	group  string
	facts  []*modelled
	looks  []time.Time
	log    []string
}

var likings = []string{"tea", "jazz", "chess", "snow"}

func (h *history) now() time.Time {
	h.t.Helper()
	var at time.Time
	if err := h.conn.QueryRow(h.t.Context(), `SELECT clock_timestamp()`).Scan(&at); err != nil {
		h.t.Fatal(err)
	}
	return at.UTC()
}

// fatal also reports the operations.
func (h *history) fatal(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf("%s: %s\n%s", h.group, fmt.Sprintf(format, args...), strings.Join(h.log, "\n"))
}

// say adds messages in which Alice says that she likes things, until a time, one message each.
func (h *history) say(things []string, expires []time.Time) {
	h.t.Helper()
	said := map[string]*markedSaying{}
	for i, thing := range things {
		e := clienttest.Alice("I like "+thing+".", "2024-03-01")
		e.GroupID, e.ExpiresAt = h.group, expires[i]
		stored, err := h.client.Add(h.t.Context(), e)
		if err != nil {
			h.fatal("add: %v", err)
		}
		said["Alice likes "+thing+"."] = &markedSaying{id: stored.ID, expiry: []word{{expires: expires[i]}}}
	}
	if err := h.client.Process(h.t.Context(), h.group, func(p annals.Processed) {
		if p.Err != nil {
			h.t.Error(p.Err)
		}
	}); err != nil {
		h.fatal("process: %v", err)
	}
	at := h.now()
	for sentence, s := range said {
		if err := h.conn.QueryRow(h.t.Context(), `SELECT processed_at FROM annals.episodes WHERE group_id = $1 AND id = $2`, h.group, s.id).Scan(&s.since); err != nil {
			h.fatal("%v", err) // it expired before it was looked at: histories leave time for that
		}
		h.log = append(h.log, fmt.Sprintf("%s said %q until %s", s.since, sentence, s.expiry[0].expires))
		h.take(sentence, s, at)
	}
}

// take adds a message to the fact that it states, or makes the fact.
func (h *history) take(sentence string, s *markedSaying, at time.Time) {
	h.t.Helper()
	var id uuid.UUID
	if err := h.conn.QueryRow(h.t.Context(), `SELECT fact_id FROM annals.fact_episodes WHERE group_id = $1 AND episode_id = $2 AND role = 'states'`,
		h.group, s.id).Scan(&id); err != nil {
		h.fatal("find the fact that states %q: %v", sentence, err)
	}
	for _, m := range h.facts {
		if m.id == id {
			m.episodes = append(m.episodes, s)
			return
		}
	}
	h.facts = append(h.facts, &modelled{id: id, sentence: sentence, since: s.since, episodes: []*markedSaying{s}})
}

// mark marks a present row, and records it in the model.
func (h *history) mark(r *rand.Rand) {
	h.t.Helper()
	at := h.now()
	live := slices.DeleteFunc(slices.Clone(h.facts), func(m *modelled) bool { return !m.visible(at.Add(200 * time.Millisecond)) })
	if len(live) == 0 {
		return
	}
	m := live[r.IntN(len(live))]
	mark := []graph.Mark{"expires", "expires", "expires", "keeps", "pinned", "unpinned", "useful", "wrong", "outdated", "unjudged"}[r.IntN(10)]
	change := service.MarkChange{IDs: []uuid.UUID{m.id}, Mark: mark}
	words := &m.verdicts
	switch mark {
	case graph.MarkExpires, graph.MarkKeeps:
		words = &m.expiry
		if r.IntN(2) == 0 {
			s := m.episodes[r.IntN(len(m.episodes))]
			if gone(s.expiry, at.Add(200*time.Millisecond)) {
				return
			}
			change.IDs, words = []uuid.UUID{s.id}, &s.expiry
		}
	case graph.MarkPinned, graph.MarkUnpinned:
		words = &m.pins
	}
	w := word{mark: mark}
	if mark == graph.MarkExpires {
		w.expires = h.now().Add([]time.Duration{40 * time.Millisecond, 80 * time.Millisecond, time.Hour}[r.IntN(3)]).Truncate(time.Microsecond)
		change.ExpiresAt = w.expires
	}
	_, err := service.New(h.client).Mark(h.t.Context(), h.group, change)
	if err != nil {
		if annals.CodeOf(err) == annals.CodeInvalid && mark == graph.MarkExpires {
			return // the machine was slow: the time had passed
		}
		h.fatal("mark %s: %v", mark, err)
	}
	w.at = h.now()
	*words = append(*words, w)
	h.log = append(h.log, fmt.Sprintf("%s marked %q (%s) %s %s", w.at, m.sentence, change.IDs[0], mark, w.expires))
}

func (h *history) withdraw(r *rand.Rand) {
	h.t.Helper()
	at := h.now()
	live := slices.DeleteFunc(slices.Clone(h.facts), func(m *modelled) bool { return !m.visible(at.Add(200 * time.Millisecond)) })
	if len(live) < 3 {
		return
	}
	m := live[r.IntN(len(live))]
	if err := h.client.WithdrawFact(h.t.Context(), h.group, m.id); err != nil {
		h.fatal("withdraw: %v", err)
	}
	m.withdrew = h.now()
	h.log = append(h.log, fmt.Sprintf("%s withdrew %q", m.withdrew, m.sentence))
}

// look compares the memory at a time with the model: its list of facts, and searches by words and
// by vectors.
func (h *history) look(at time.Time, known bool) {
	h.t.Helper()
	var knownAt time.Time
	if known {
		knownAt = at
	}
	want := h.expected(at)
	listed, found := shown{}, shown{}
	facts, err := h.client.Facts(h.t.Context(), annals.FactFilter{GroupID: h.group, KnownAt: knownAt, Limit: 100})
	if err != nil {
		h.fatal("list: %v", err)
	}
	for _, f := range facts {
		listed[f.Fact] = f.Marks
	}
	hits, err := h.client.Search(h.t.Context(), annals.Query{GroupID: h.group, Text: "What does Alice like?", KnownAt: knownAt, Scopes: []graph.Kind{graph.KindFact}, Limit: 100})
	if err != nil {
		h.fatal("search: %v", err)
	}
	for _, f := range hits.Facts {
		found[f.Fact.Fact] = f.Marks
	}
	if now := h.expected(h.now()); !known && !maps.Equal(want, now) {
		return // something expired meanwhile
	}
	for door, got := range map[string]shown{"listed": listed, "found": found} {
		if !maps.Equal(got, want) {
			h.fatal("known at %s (%v) %s\n got %v\nwant %v", at, known, door, got, want)
		}
	}
}

// In 200 random histories the expired, pinned and judged rows are those of a naive model, now and
// as known at any time, before and after they are swept.
func TestMarksEqualANaiveModel(t *testing.T) {
	t.Parallel()
	histories := slow.Of(3, 15, 200)
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	hidden := 0
	for i := range histories {
		r := rand.New(rand.NewPCG(uint64(i), 25))
		h := &history{t: t, client: client, conn: conn, group: fmt.Sprint("h", i)}
		h.say(likings[:3], []time.Time{{}, {}, h.now().Add(time.Hour).Truncate(time.Microsecond)})
		h.looks = append(h.looks, h.now())
		for range 6 {
			switch n := r.IntN(12); {
			case n < 8:
				h.mark(r)
			case n < 9:
				h.withdraw(r)
			case n < 11:
				time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
			default:
				h.sayAgain(r)
			}
			h.looks = append(h.looks, h.now())
			h.look(h.looks[len(h.looks)-1], false)
		}
		time.Sleep(20 * time.Millisecond)
		for _, swept := range []bool{false, true} {
			if swept {
				if _, err := client.ApplyRetention(t.Context(), h.group, false); err != nil {
					h.fatal("sweep: %v", err)
				}
				h.log = append(h.log, fmt.Sprint(h.now(), " swept"))
			}
			h.look(h.now(), false)
			for _, at := range h.looks {
				h.look(at, true)
			}
		}
		if len(h.expected(h.looks[0])) > len(h.expected(h.now())) {
			hidden++
		}
	}
	if hidden < histories/5 {
		t.Errorf("only in %d of %d histories something was hidden", hidden, histories)
	}
}

// sayAgain repeats a statement that nobody withdrew, possibly an expired one.
func (h *history) sayAgain(r *rand.Rand) {
	h.t.Helper()
	thing := likings[r.IntN(len(likings))]
	sentence := "Alice likes " + thing + "."
	if slices.ContainsFunc(h.facts, func(m *modelled) bool { return m.sentence == sentence && !m.withdrew.IsZero() }) {
		return
	}
	h.say([]string{thing}, []time.Time{{}})
}
