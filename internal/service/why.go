package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// MaxExpected is how many ids one call of [Service.Why] may have.
const MaxExpected = 20

// widest is the largest limit of a search. Expected hits are looked for among so many.
const widest = 1_000

// Expected says whether a search found something, at which rank, and what hid it.
type Expected struct {
	ID      uuid.UUID                       `json:"id" format:"uuid"`
	Kind    graph.Kind                      `json:"kind,omitempty" enum:"fact,entity,episode" doc:"Left out: the group has nothing with this id"`
	Text    string                          `json:"text" doc:"The fact, the name or the beginning of what was said"`
	Found   bool                            `json:"found" doc:"The search found it"`
	Rank    int                             `json:"rank" doc:"Where it came among those of its kind, from 1; 0: nowhere, even without what hid it"`
	Score   float64                         `json:"score"`
	Places  map[annals.Method]annals.Placed `json:"places" doc:"Where each method ranked it"`
	Reasons []Reason                        `json:"reasons" doc:"What hid it, each of which has to go for it to be found"`
}

// Reason is why something was not found.
type Reason struct {
	Code string `json:"code" doc:"no_such, gone, merged, not_read, not_embedded, no_match, scope, ended, as_of, known_at, filter, min_score, min_fit, reranked, limit or question"`
	Text string `json:"text" doc:"In words, with what to change"`
}

// Why explains why a search finds some facts, entities or episodes, or does not: the rank of each
// in every method, and what hid it. It repeats the query without its restrictions, and then with
// each of them alone.
func (s *Service) Why(ctx context.Context, q annals.Query, ids []uuid.UUID) ([]Expected, error) {
	if n := len(ids); n == 0 || n > MaxExpected {
		return nil, graph.Invalid("expected", "names %d things; it has to be 1 to %d", n, MaxExpected)
	}
	if err := s.admit(q.GroupID); err != nil {
		return nil, err
	}
	q.Explain = true
	as, err := s.client.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	expected := make([]Expected, len(ids))
	for i, id := range ids {
		w := &searchedFor{service: s, query: q, expected: Expected{ID: id, Reasons: []Reason{}, Places: map[annals.Method]annals.Placed{}}}
		if err := w.find(ctx, as); err != nil {
			return nil, fmt.Errorf("look for %s: %w", id, err)
		}
		expected[i] = w.expected
	}
	return expected, nil
}

// searchedFor is one expected hit.
type searchedFor struct {
	service  *Service
	query    annals.Query
	expected Expected
	fact     annals.FactVersion // its last version, if it is a fact
	state    graph.State        // if it is an episode
	gone     bool               // it exists no longer
}

func (w *searchedFor) find(ctx context.Context, as annals.Result) error {
	if err := w.identify(ctx); err != nil || w.expected.Kind == "" {
		return err
	}
	if w.note(as) {
		w.expected.Found = true
		return nil
	}
	wide := w.query
	wide.Limit = widest
	if found, err := w.finds(ctx, wide); err != nil || found {
		if found {
			return w.beyond(ctx)
		}
		return err
	}
	found, err := w.finds(ctx, w.loosest())
	if err != nil {
		return err
	}
	if !found {
		return w.hidden(ctx)
	}
	return w.try(ctx)
}

// note records the rank of the expected hit in a result, and reports whether it is there.
func (w *searchedFor) note(r annals.Result) bool {
	rank := 0
	for _, hit := range r.Explanation.Hits {
		if hit.Kind != w.expected.Kind || hit.GroupID != w.query.GroupID {
			continue
		}
		rank++
		if hit.ID == w.expected.ID {
			w.expected.Rank, w.expected.Score, w.expected.Places = rank, hit.Score, hit.Places
			return true
		}
	}
	return false
}

// finds searches and records the rank of the expected hit.
func (w *searchedFor) finds(ctx context.Context, q annals.Query) (bool, error) {
	r, err := w.service.client.Search(ctx, q)
	return err == nil && w.note(r), err
}

// still searches without recording anything, and reports whether the expected hit is found.
func (w *searchedFor) still(ctx context.Context, q annals.Query) (bool, error) {
	before := w.expected
	found, err := w.finds(ctx, q)
	w.expected = before
	return found, err
}

// loosest returns the query without any restriction.
func (w *searchedFor) loosest() annals.Query {
	q := w.query
	q.Limit, q.Scopes, q.Rerank, q.Filter = widest, []graph.Kind{w.expected.Kind}, nil, annals.Filter{}
	q.ValidAt, q.KnownAt, q.IncludeEnded, q.MinScore, q.MinFit = time.Time{}, time.Time{}, true, 0, -1
	q.AlsoIn, q.MentionBoost, q.Recency = nil, 0, 0
	if w.gone { // it may have existed at KnownAt
		q.KnownAt = w.query.KnownAt
	}
	return q
}

// restriction is a part of the query that may hide a hit.
type restriction struct {
	code string
	set  bool
	put  func(q *annals.Query) // adds it to a query without restrictions
	text func() string
}

func (w *searchedFor) restrictions() []restriction {
	q := w.query
	return []restriction{
		{"ended", q.ValidAt.IsZero() && !q.IncludeEnded && w.expected.Kind == graph.KindFact, func(l *annals.Query) { l.IncludeEnded = false }, func() string {
			return fmt.Sprintf("It has ended (%s), and the search leaves that out; include_ended, or as_of with a time at which it held, finds it.", w.fact.When(time.Now()))
		}},
		{"as_of", !q.ValidAt.IsZero(), func(l *annals.Query) { l.ValidAt = q.ValidAt }, func() string {
			return fmt.Sprintf("It did not hold at %s: it is %s. Another as_of, or none with include_ended, finds it.", atTime(q.ValidAt), w.fact.When(time.Now()))
		}},
		{"known_at", !q.KnownAt.IsZero(), func(l *annals.Query) { l.KnownAt = q.KnownAt }, func() string {
			return fmt.Sprintf("It was not known at %s, or not in these words. A later known_at finds it.", atTime(q.KnownAt))
		}},
		{"filter", true, func(l *annals.Query) { l.Filter = q.Filter }, func() string { return "The filter leaves it out; change it, or leave it away." }},
		{"min_score", q.MinScore != 0, func(l *annals.Query) {
			l.MinScore, l.Rerank, l.MentionBoost, l.Recency = q.MinScore, q.Rerank, q.MentionBoost, q.Recency
		}, func() string {
			return fmt.Sprintf("It scores less than min_score, which is %g; a smaller one finds it.", q.MinScore)
		}},
		{"min_fit", q.MinFit > 0, func(l *annals.Query) { l.MinFit, l.Scopes = q.MinFit, q.Scopes }, func() string {
			return fmt.Sprintf("Not even the best hit fits as well as min_fit asks, which is %g, so that nothing is found; a smaller one finds it.", q.MinFit)
		}},
	}
}

// try records which restrictions hide the expected hit, each by itself.
func (w *searchedFor) try(ctx context.Context) error {
	if scopes := w.query.Scopes; len(scopes) > 0 && !slices.Contains(scopes, w.expected.Kind) {
		w.because("scope", "The search looks for %v, and this is %s; add it to the scopes.", scopes, withArticle(w.expected.Kind))
	}
	for _, r := range w.restrictions() {
		if !r.set {
			continue
		}
		q := w.loosest()
		r.put(&q)
		found, err := w.still(ctx, q)
		if err != nil {
			return err
		}
		if !found {
			w.expected.Reasons = append(w.expected.Reasons, Reason{r.code, r.text()})
		}
	}
	if len(w.expected.Reasons) == 0 {
		w.because("question", "No restriction hides it by itself: they do together, or the other groups come first. Without them it comes %d.", w.expected.Rank)
	}
	return nil
}

// beyond records why the expected hit comes after the last hit that is shown.
func (w *searchedFor) beyond(ctx context.Context) error {
	limit := cmp.Or(w.query.Limit, annals.DefaultLimit)
	if len(w.query.Rerank) > 0 {
		plain := w.query
		plain.Rerank = nil
		found, err := w.still(ctx, plain)
		if err != nil {
			return err
		}
		if found {
			w.because("reranked", "The rerankers %v put it behind: it is number %d after them. Without them it is among the first %d.", w.query.Rerank, w.expected.Rank, limit)
			return nil
		}
	}
	w.because("limit", "It is number %d, and %d are shown; a limit of %d shows it.", w.expected.Rank, limit, w.expected.Rank)
	return nil
}

func (w *searchedFor) because(code, format string, args ...any) {
	w.expected.Reasons = append(w.expected.Reasons, Reason{code, fmt.Sprintf(format, args...)})
}

// hidden records why the expected hit is not found even without restrictions.
func (w *searchedFor) hidden(ctx context.Context) error {
	if w.gone {
		return w.goneBecause(ctx)
	}
	if w.state != graph.StateDone && w.expected.Kind == graph.KindEpisode {
		w.because("not_read", "It is %s: what is not read has no facts, and no vector. A worker, or 'annals retry', reads it.", w.state)
	}
	kind := w.expected.Kind
	embedded, err := db.New(w.service.pool).ExploreEmbedded(ctx, db.ExploreEmbeddedParams{
		GroupID: w.query.GroupID, Model: w.service.embedder.Name(), ID: w.expected.ID, Kind: kind,
	})
	if err != nil {
		return err
	}
	if !embedded && usesVectors(w.query) {
		w.because("not_embedded", "It has no vector of %s yet, so that only words find it; a worker, 'annals worker', makes what is missing.", w.service.embedder.Name())
	}
	w.because("no_match", "No method ranked it among its first %d: it shares no word with the question that tells it from others, and others mean more of the same. "+
		"Ask in other words, or let the search go along the graph (method bfs).", widest)
	return nil
}

func usesVectors(q annals.Query) bool {
	return len(q.Methods) == 0 || slices.Contains(q.Methods, annals.MethodVector)
}

func withArticle(kind graph.Kind) string {
	if kind == graph.KindFact {
		return "a fact"
	}
	return "an " + string(kind)
}

func atTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }
