package retrieval

import (
	"cmp"
	"context"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// mostKnownOf is how many facts a result holds if nothing is known of what was asked.
const mostKnownOf = 5

// lookAgain measures the fit of the kinds of hits that were not measured yet. If none fits, it
// replaces the result by what holds of the entities that the question names. It runs after the
// search has ended, as few searches need it.
func (v *view) lookAgain(ctx context.Context, result *Result) error {
	fitted := v.fitted
	return db.InSnapshot(ctx, v.searcher.pool, v.query.GroupID, func(queries *db.Queries) error {
		v.queries, v.fitted = queries, fitted
		if err := v.askFitOfOthers(ctx); err != nil || v.knowsSomething() {
			return err
		}
		v.fitted = fitting{}
		known := newResult()
		known.Explanation = v.explanation.begun()
		err := v.readKnownOf(ctx, &known)
		if err == nil {
			err = v.note(ctx, &known)
		}
		if err == nil {
			*result = known
		}
		return err
	})
}

// readKnownOf reads what holds of the entities that the question names, the facts with most
// episodes first. In a large group with vectors of meanings it reads nothing: there a question that
// lies far from all that is known is about nobody in it.
func (v *view) readKnownOf(ctx context.Context, result *Result) error {
	if !v.query.Changes || !v.lexical() && !v.shape.HasFew(graph.KindFact) {
		return nil
	}
	var holding []scored
	for _, row := range v.looked.related {
		a := answering{NamedFactsRow: row}
		begun := !db.Interval(row.Valid).Start.After(v.now())
		if v.relating.atItsTime(&a) && row.Outgoing && begun && !a.ended && !a.over && row.Kind == graph.FactState && row.Trust == graph.TrustBelieved {
			holding = append(holding, scored{row.ID, a.score})
		}
	}
	if v.narrows(graph.KindFact) {
		var err error
		if holding, err = v.thatMayBeFound(ctx, holding); err != nil {
			return err
		}
	}
	if len(holding) == 0 {
		return nil
	}
	if err := v.read(ctx, map[graph.Kind][]scored{graph.KindFact: holding}, result, false); err != nil {
		return err
	}
	each.Sort(result.Facts, func(a, b FactHit) int {
		return cmp.Or(cmp.Compare(len(b.Episodes), len(a.Episodes)), b.Valid.Start.Compare(a.Valid.Start))
	})
	result.Facts = result.Facts[:min(mostKnownOf, len(result.Facts))]
	for _, f := range result.Facts {
		if !slices.Contains(result.KnownOf, f.Source) {
			result.KnownOf = append(result.KnownOf, f.Source)
		}
	}
	return nil
}
