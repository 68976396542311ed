package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// A search with KnownAt ranks rows by their texts at that time, also rows that have left the graph
// since. It reads the versions themselves, and so takes longer than a search of current rows, which
// have postings and indexes.

// knownRankings are the rankings of a kind at KnownAt; nil: not asked for.
type knownRankings struct{ terms, near []db.RankedRow }

// lookKnown asks for the rankings at KnownAt.
func (v *view) lookKnown(together *db.Together) {
	v.looked.known = map[graph.Kind]*knownRankings{}
	for _, kind := range v.kinds() {
		if !v.asKnown(kind) {
			continue
		}
		known := &knownRankings{}
		v.looked.known[kind] = known
		if v.uses(MethodTerms) {
			db.Ask(together, (*db.Queries).RankKnownByTerms, db.RankKnownByTermsParams{
				GroupID: v.query.GroupID, Query: v.query.Text, Kind: kind, Filter: v.filterOf(kind), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
				IncludeEnded: v.query.IncludeEnded, MaxRows: int32(v.maxRows(kind)),
			}, &known.terms)
		}
		if v.uses(MethodVector) {
			db.Ask(together, (*db.Queries).NearestKnown, db.NearestKnownParams{
				GroupID: v.query.GroupID, Model: v.model, Embedding: db.Vector(v.vector), Kind: kind, Filter: v.filterOf(kind),
				ValidAt: v.validAt(), KnownAt: v.query.KnownAt, IncludeEnded: v.query.IncludeEnded, MaxRows: int32(v.maxRows(kind)),
			}, &known.near)
		}
	}
	if v.event != (event{}) && v.asKnown(graph.KindFact) {
		v.lookKnownEvents(together)
	}
}

// lookKnownEvents asks for the facts that may be the event of the question, by its words; ended
// facts are included.
func (v *view) lookKnownEvents(together *db.Together) {
	filter, _ := Filter{}.document(v.query.KnownAt, graph.Trust(v.trusted()))
	for i, text := range []string{v.event.clause, v.query.Text} {
		db.Ask(together, (*db.Queries).RankKnownByTerms, db.RankKnownByTermsParams{
			GroupID: v.query.GroupID, Query: text, Kind: graph.KindFact, Filter: filter, KnownAt: v.query.KnownAt,
			IncludeEnded: true, MaxRows: eventCandidates,
		}, &v.looked.events[i])
	}
}

// add adds the rankings to those of their kind.
func (k knownRankings) add(found rankings) {
	if k.terms != nil {
		found[MethodTerms] = rankingOf(k.terms)
	}
	if k.near != nil {
		found[MethodVector] = rankingOf(k.near)
	}
}

func (v *view) knownAround(ctx context.Context, entities []uuid.UUID) ([]scored, error) {
	rows, err := v.queries.FactsAroundKnown(ctx, db.FactsAroundKnownParams{
		GroupID: v.query.GroupID, EntityIds: entities, Filter: v.filterOf(graph.KindFact), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
		IncludeEnded: v.query.IncludeEnded, MaxRows: int32(v.maxRows(graph.KindFact)),
	})
	return each.Of(rows, func(row db.FactsAroundKnownRow) scored { return scored{row.ID, 1 / float64(row.Place)} }), err
}
