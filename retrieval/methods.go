package retrieval

import (
	"context"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// rankings are what the methods found in one scope.
type rankings map[Method][]scored

// lists are the rankings to fuse, in a fixed order. Where words and vectors are one
// ranking it stands for both, and so counts as two.
func (r rankings) lists() [][]scored {
	var lists [][]scored
	methods := []Method{MethodTerms, MethodVector, MethodGraph, MethodPhrase, MethodDates}
	if len(r[MethodFit]) > 0 {
		methods[0], methods[1] = MethodFit, MethodFit
	}
	for _, m := range methods {
		if len(r[m]) > 0 {
			lists = append(lists, r[m])
		}
	}
	return lists
}

// whole reports whether words and vectors have both been asked.
func (r rankings) whole() bool {
	_, terms := r[MethodTerms]
	_, vectors := r[MethodVector]
	return terms && vectors
}

// rank ranks the scopes by the methods that need no other hits.
func (v *view) rank(ctx context.Context) (map[graph.Kind]rankings, error) {
	found, err := v.share(ctx, v.tasks())
	if err != nil {
		return nil, err
	}
	for _, kind := range v.kinds() {
		if v.wordsOverVectors(kind) && len(found[kind][MethodTerms]) == 0 {
			if found[kind][MethodVector], err = v.vectors(ctx, kind); err != nil {
				return nil, err
			}
		}
		if !v.uses(MethodTerms) {
			continue
		}
		if err := v.findPhrases(ctx, kind, found[kind]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// tasks are the rankings to make, the longest first: those of episodes, which then
// wait for what stands around them.
func (v *view) tasks() []task {
	var tasks []task
	kinds := v.kinds()
	if i := slices.Index(kinds, graph.KindEpisode); i >= 0 {
		kinds = append([]graph.Kind{graph.KindEpisode}, slices.Delete(kinds, i, i+1)...)
		if v.uses(MethodTerms) && !v.asWhole(graph.KindEpisode) {
			tasks = append(tasks, task{kind: graph.KindEpisode, method: MethodTerms})
		}
	}
	for _, kind := range kinds {
		if v.uses(MethodVector) && !v.wordsOverVectors(kind) {
			tasks = append(tasks, task{kind: kind, method: MethodVector, whole: v.asWhole(kind)})
		}
	}
	for _, kind := range kinds {
		if v.uses(MethodTerms) && kind != graph.KindEpisode && !v.asWhole(kind) {
			tasks = append(tasks, task{kind: kind, method: MethodTerms})
		}
	}
	return tasks
}

func (v *view) do(ctx context.Context, t task) (rankings, error) {
	if t.kind == graph.KindFact && v.seeksEnded() {
		return v.rankPast(ctx, t)
	}
	return v.rankNow(ctx, t)
}

func (v *view) rankNow(ctx context.Context, t task) (rankings, error) {
	var ranking []scored
	var err error
	switch {
	case t.whole:
		return v.rankWhole(ctx, t.kind)
	case t.method == MethodVector:
		ranking, err = v.vectors(ctx, t.kind)
	default:
		defer v.explanation.timed(string(t.kind) + " " + string(MethodTerms))()
		ranking, err = v.byTerms(ctx, t.kind)
	}
	return rankings{t.method: ranking}, err
}

func (v *view) byTerms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if kind == graph.KindEpisode && v.readsAround() {
		if v.fits(kind) {
			_, said, err := v.saidByTerms(ctx, v.maxSaid())
			return said, err
		}
		return v.episodesByTerms(ctx)
	}
	if v.asKnown(kind) {
		return v.knownByTerms(ctx, kind)
	}
	return v.okapi(ctx, v.ownWords(kind))
}

// ownWords are the words of the text, to be found in those of a kind.
func (p *plan) ownWords(kind graph.Kind) db.RankByTermsParams {
	return db.RankByTermsParams{
		GroupID: p.query.GroupID, Query: p.query.Text, Kind: kind, Narrowed: p.narrows(kind), Filter: p.filterOf(kind), ValidAt: p.validAt(),
		IncludeEnded: p.query.IncludeEnded, MaxRows: p.maxRows(kind),
	}
}

// vectors ranks by the nearness of vectors.
func (v *view) vectors(ctx context.Context, kind graph.Kind) ([]scored, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodVector))()
	return v.byVector(ctx, kind)
}

// findShape looks up what a search of the group has to heed and, unless only the graph
// is walked, how the group is searched best, and whom the question names where facts
// are weighed by that. What a small group is ranked by comes along.
func (v *view) findShape(ctx context.Context) (err error) {
	v.relating = &relating{view: v}
	if !v.uses(MethodTerms) && !v.uses(MethodVector) {
		v.shape, err = v.queries.ShapeOfRules(ctx, v.query.GroupID, v.knownAt())
		return err
	}
	question := ""
	if v.wants(graph.KindFact) && v.fits(graph.KindFact) || v.asksGraph() {
		question = v.query.Text
	}
	v.ahead = v.readAhead()
	defer v.explanation.timed("look up the group")()
	v.shape, err = v.queries.Shape(ctx, v.query.GroupID, v.model, question, v.knownAt(), v.ahead, v.relating.related())
	return err
}

func (v *view) byVector(ctx context.Context, kind graph.Kind) ([]scored, error) {
	if v.asKnown(kind) {
		return v.knownByVector(ctx, kind)
	}
	return rankingOf(v.queries.NearestRows(ctx, v.nearest(kind)))
}

func (p *plan) nearest(kind graph.Kind) db.Nearest {
	n := db.Nearest{
		Kind: kind, GroupID: p.query.GroupID, Model: p.model, Vector: p.vector, Limit: int(p.maxRows(kind)), Narrowed: p.narrows(kind),
		Filter: p.filterOf(kind), ValidAt: p.validAt(), IncludeEnded: p.query.IncludeEnded, Shape: p.shape,
	}
	if p.fits(kind) {
		n.Limit, n.Enough = max(n.Limit, p.nearby(kind)), n.Limit
	}
	if kind == graph.KindEpisode {
		n.Passages = !p.lexical()
		if p.unnamed != nil {
			n.Vector = p.unnamed
		}
	}
	return n
}
