package retrieval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/temporal"
)

const (
	// Each method hands this many times the limit to fusion, and fusion to the
	// rerankers, so that a row which ranks just below the limit can still come
	// out on top.
	candidateFactor = 3

	// The least number of candidates, however few hits are asked for.
	minCandidates = 30
)

// Searcher answers queries. It is safe for concurrent use.
type Searcher struct {
	pool     db.Pool
	embedder model.Embedder
	reranker model.Reranker // nil: none
	shapes   *shapes
	log      *slog.Logger     // nil: none
	calls    func(model.Call) // nil: none
}

// Telling returns a copy of the searcher that reports models that do not answer: it logs to log,
// and passes a call to calls to be counted. Both may be nil.
func (s *Searcher) Telling(log *slog.Logger, calls func(model.Call)) *Searcher {
	other := *s
	other.log, other.calls = log, calls
	return &other
}

// New returns a searcher of a database whose vectors come from embedder. reranker may be nil;
// RerankModel is then refused.
func New(pool db.Pool, embedder model.Embedder, reranker model.Reranker) *Searcher {
	return &Searcher{pool: pool, embedder: embedder, reranker: reranker, shapes: &shapes{}}
}

// Knowing lets the searcher share the cache of group shapes with another one of the same groups,
// which may be nil.
func (s *Searcher) Knowing(other *Searcher) *Searcher {
	if other != nil {
		s.shapes = other.shapes
	}
	return s
}

// Search finds the rows that fit the query. Every method ranks the rows of every scope, the
// rankings of a scope are fused, and the result is reranked. Each group is read in one snapshot;
// only if nothing fits, what is found instead comes from a later one. An empty text, or a group
// that does not exist, finds nothing.
func (s *Searcher) Search(ctx context.Context, q Query) (Result, error) {
	q, err := q.prepared()
	if err != nil {
		return Result{}, err
	}
	if slices.Contains(q.Rerank, RerankModel) && s.reranker == nil {
		return Result{}, graph.Invalid("rerank", "is cross_encoder, but no reranking model is set: set ANNALS_RERANKER, or leave it out")
	}
	if q.Text == "" {
		return newResult(), nil
	}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: q.GroupID})
	v := view{plan: plan{query: q, model: s.embedder.Name(), searcher: s}, explanation: newExplanation(q.Explain), without: &lacking{}}
	v.findTimes()
	for tries := 1; ; tries++ {
		v.makesDo = tries >= mostTries
		result, err := v.searchAcquainted(ctx)
		if !errors.Is(err, errOtherwise) {
			result.Without = v.without.list()
			return result, err
		}
	}
}

// searchAcquainted searches groups, after reading the shapes that are not cached.
func (v *view) searchAcquainted(ctx context.Context) (Result, error) {
	groups := v.query.groups()
	if err := v.searcher.acquaint(ctx, groups); err != nil {
		return Result{}, fmt.Errorf("search %s: %w", v.query.GroupID, err)
	}
	if err := v.embed(ctx, groups); err != nil {
		return Result{}, err
	}
	if len(groups) > 1 {
		return v.searchGroups(ctx, groups)
	}
	return v.searchGroup(ctx)
}

func (v *view) searchGroup(ctx context.Context) (Result, error) {
	var result Result
	var once view
	err := db.InSnapshot(ctx, v.searcher.pool, v.query.GroupID, func(queries *db.Queries) error {
		once = v.afresh() // a retried transaction starts from a clean view
		once.queries, once.explanation = queries, v.explanation.begun()
		result = newResult()
		result.Explanation = once.explanation
		return once.search(ctx, &result)
	})
	if err == nil && !once.knowsSomething() {
		err = once.lookAgain(ctx, &result)
	}
	if err != nil {
		return Result{}, fmt.Errorf("search %s: %w", v.query.GroupID, err)
	}
	result.AsOf, result.ValidAt, result.Asked = v.query.readAt(), v.query.ValidAt, v.query.Text
	return result, nil
}

// view is one query over one snapshot of the database.
type view struct {
	plan
	queries     *db.Queries
	explanation *Explanation
	without     *lacking

	looked looked
	named  named
	around around
	fitted fitting
	passes passes // cached results of the filter

	relating *relating
	answers  map[uuid.UUID]bool // facts that answer by their relation
	near     map[uuid.UUID]bool // facts and episodes whose meaning is near to the question
}

// afresh returns a copy of the view with empty caches and the assumed shape of the group.
func (v *view) afresh() view {
	other := *v
	other.passes, other.held = passes{}, map[uuid.UUID]temporal.Interval{}
	other.times = slices.Clone(v.times)
	shape, _ := v.searcher.shapes.of(v.query.GroupID)
	other.take(shape)
	return other
}

func (v *view) embed(ctx context.Context, groups []string) error {
	if !v.uses(MethodVector) && !slices.Contains(v.query.Rerank, RerankMMR) {
		return nil
	}
	texts := v.embeddable(groups)
	defer v.explanation.timed("embed the query")()
	vectors, err := model.Vectors(ctx, v.searcher.embedder, texts)
	beside := slices.DeleteFunc(slices.Clone(v.query.Methods), func(m Method) bool { return m == MethodVector })
	switch {
	case err != nil && (ctx.Err() != nil || len(beside) == 0):
		return fmt.Errorf("embed the query: %w", err)
	case err != nil:
		v.without.note(ctx, v.searcher, withoutVectors, err)
		v.query.Methods = beside
		v.query.Rerank = slices.DeleteFunc(slices.Clone(v.query.Rerank), func(r Rerank) bool { return r == RerankMMR })
		return nil
	}
	v.vector, v.unnamed = vectors[0], nil
	if len(vectors) > 1 {
		v.unnamed = vectors[1]
	}
	return nil
}

// embeddable returns the texts to embed: the query and, if episodes are ranked by meaning and with
// their neighbours, the query without the names of speakers.
func (v *view) embeddable(groups []string) []string {
	texts := []string{v.query.Text}
	if v.lexical() || !v.readsAround() || !v.uses(MethodVector) || !v.wants(graph.KindEpisode) && !v.wants(graph.KindThread) {
		return texts
	}
	var actors []string
	for _, group := range groups {
		shape, _ := v.searcher.shapes.of(group)
		actors = append(actors, shape.Actors...)
	}
	if words := questionOf(v.query.Text, actors, v.dates).words; words != v.query.Text {
		texts = append(texts, words)
	}
	return texts
}

// search runs the search of one group.
func (v *view) search(ctx context.Context, result *Result) error {
	if err := v.look(ctx); err != nil {
		return err
	}
	found, err := v.find(ctx)
	if err != nil {
		return err
	}
	if err := v.findBeside(ctx, found, result); err != nil {
		return err
	}
	ordered := map[graph.Kind][]scored{}
	for _, kind := range v.kinds() {
		if ordered[kind], err = (ordering{v, kind}).order(ctx, found[kind]); err != nil {
			return err
		}
	}
	v.fitted = v.fitting(found, ordered)
	if !v.fitted.known && len(v.fitted.open) == 0 {
		return nil
	}
	if err := v.read(ctx, ordered, result, v.isDone()); err != nil {
		return err
	}
	for _, kind := range v.kinds() {
		v.explanation.add(v.query.GroupID, kind, ordered[kind], found[kind])
	}
	return v.note(ctx, result)
}

// find ranks rows by every method.
func (v *view) find(ctx context.Context) (map[graph.Kind]rankings, error) {
	found, err := v.ranked(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.lookAround(ctx, found); err != nil {
		return nil, err
	}
	v.fitTogether(found)
	if err := v.askGraph(ctx, found[graph.KindFact]); err != nil {
		return nil, err
	}
	v.findNear(found)
	if v.uses(MethodGraph) {
		err = v.walk(ctx, found)
	}
	return found, err
}

// findBeside finds conversations and observations. Both need MethodTerms.
func (v *view) findBeside(ctx context.Context, found map[graph.Kind]rankings, result *Result) (err error) {
	if v.wants(graph.KindThread) && v.uses(MethodTerms) {
		if result.Threads, err = v.threads(ctx, found[graph.KindEpisode][MethodVector]); err != nil {
			return err
		}
	}
	if v.wants(graph.KindObservation) && v.uses(MethodTerms) {
		result.Observations, err = v.observations(ctx)
	}
	return err
}

// order fuses the rankings of a scope and reranks the result.
func (o ordering) order(ctx context.Context, found rankings) ([]scored, error) {
	hits, err := o.fused(ctx, found)
	if err != nil {
		return nil, err
	}
	for _, r := range o.query.Rerank {
		stop := o.explanation.timed(string(o.kind) + " " + string(r))
		reranked, err := o.rerank(ctx, r, hits)
		stop()
		var unanswered *rerankFailure
		switch {
		case errors.As(err, &unanswered) && ctx.Err() == nil:
			o.without.note(ctx, o.searcher, withoutReranker, err)
		case err != nil:
			return nil, err
		default:
			hits = reranked
		}
	}
	if hits, err = o.weighedByRecency(ctx, hits); err != nil {
		return nil, err
	}
	if hits, err = o.weighedByJudgement(ctx, hits); err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h scored) bool { return o.scoresTooLittle(h.Score) })
	return hits[:min(o.query.Limit, len(hits))], nil
}

// read fetches the rows of the hits, in their order. last says that the search reads nothing after
// them.
func (v *view) read(ctx context.Context, hits map[graph.Kind][]scored, result *Result, last bool) error {
	ids := map[graph.Kind][]uuid.UUID{}
	for kind, found := range hits {
		if len(found) > 0 {
			ids[kind] = idsOf(found)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	defer v.explanation.timed("read")()
	var rows db.Found
	var behind db.Behind
	var answered []db.EpisodeRow
	together := v.queries.Together()
	together.Rows(v.query.GroupID, v.query.Text, v.knownAt(), ids, &rows)
	if reading := v.reading(); reading != nil {
		together.Behind(v.query.GroupID, v.knownAt(), *reading, v.stale(), ids, &behind)
	}
	v.askFit(together)
	if v.query.Replies {
		v.readReplies(together, ids[graph.KindEpisode], &answered)
	}
	send := together.Send
	if last {
		send = together.SendLast
	}
	if err := send(ctx); err != nil {
		return err
	}
	if found := hits[graph.KindFact]; len(found) > 0 {
		result.Facts = inOrder(found, factsOf(rows), v.factHit)
	}
	if found := hits[graph.KindEntity]; len(found) > 0 {
		result.Entities = inOrder(found, entitiesOf(rows), func(e graph.Entity, score float64) EntityHit { return EntityHit{Entity: e, Score: score} })
	}
	if found := hits[graph.KindCommunity]; len(found) > 0 {
		result.Communities = inOrder(found, communitiesOf(rows), func(c graph.Community, score float64) CommunityHit { return CommunityHit{c, score} })
	}
	if found := hits[graph.KindEpisode]; len(found) > 0 {
		passages := passagesOf(rows)
		result.Episodes = inOrder(found, episodesOf(rows), func(e graph.Episode, score float64) EpisodeHit {
			return EpisodeHit{Episode: e, Score: score, Passage: passages[e.ID], Near: v.near[e.ID]}
		})
	}
	if reading := v.reading(); reading != nil {
		noteChanges(result, behind, *reading)
	}
	noteReplies(result.Episodes, answered)
	return nil
}

// factHit is the hit of a fact, with how it answers the question.
func (v *view) factHit(f graph.Fact, score float64) FactHit {
	h := FactHit{Fact: f, Score: score, Answers: v.answers[f.ID], Near: v.near[f.ID]}
	for _, outgoing := range []bool{true, false} {
		h.Related = h.Related || v.relating.fitOfRelation(db.NamedFactsRow{Predicate: f.Predicate, Fact: f.Fact, Outgoing: outgoing}, v.relating.relations) > 0
	}
	if known := !f.Valid.Start.IsZero() || !f.Valid.End.IsZero(); known && len(v.times) > 0 {
		h.Then = slices.ContainsFunc(v.times, func(a askedTime) bool { return a.fit(f.Valid.Interval, v.query.askedAt()) > noFit })
		h.NotThen = !h.Then
	}
	return h
}

func inOrder[Row, Hit any](hits []scored, rows map[uuid.UUID]Row, hit func(Row, float64) Hit) []Hit {
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		if row, ok := rows[h.ID]; ok {
			out = append(out, hit(row, h.Score))
		}
	}
	return out
}
