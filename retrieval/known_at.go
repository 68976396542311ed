package retrieval

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// A search with KnownAt ranks the rows by what they said then, those among them
// that have left the graph since. It reads the versions themselves and so takes
// longer than one in what is believed now, for which postings and indexes are
// kept.

func (v *view) knownByTerms(ctx context.Context, kind graph.Kind) ([]scored, error) {
	return rankingOf(v.queries.RankKnownByTerms(ctx, db.RankKnownByTermsParams{
		GroupID: v.query.GroupID, Query: v.query.Text, Kind: kind, Filter: v.filterOf(kind), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
		IncludeEnded: v.query.IncludeEnded, MaxRows: v.maxRows(kind),
	}))
}

func (v *view) knownByPhrases(ctx context.Context, kind graph.Kind, phrases []string) ([]scored, error) {
	return rankingOf(v.queries.RankKnownByPhrases(ctx, db.RankKnownByPhrasesParams{
		GroupID: v.query.GroupID, Phrases: phrases, Kind: kind, Filter: v.filterOf(kind), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
		IncludeEnded: v.query.IncludeEnded, MaxRows: phraseMatches,
	}))
}

// knownEvents are the facts, ended ones too, that an event may be, by its words.
func (v *view) knownEvents(ctx context.Context, text string) ([]scored, error) {
	filter, _ := Filter{}.document(v.query.KnownAt, graph.Trust(v.trusted()))
	return rankingOf(v.queries.RankKnownByTerms(ctx, db.RankKnownByTermsParams{
		GroupID: v.query.GroupID, Query: text, Kind: graph.KindFact, Filter: filter, KnownAt: v.query.KnownAt,
		IncludeEnded: true, MaxRows: eventCandidates,
	}))
}

func (v *view) knownByVector(ctx context.Context, kind graph.Kind) ([]scored, error) {
	return rankingOf(v.queries.NearestKnown(ctx, db.NearestKnownParams{
		GroupID: v.query.GroupID, Model: v.model, Embedding: db.Vector(v.vector), Kind: kind, Filter: v.filterOf(kind),
		ValidAt: v.validAt(), KnownAt: v.query.KnownAt, IncludeEnded: v.query.IncludeEnded, MaxRows: v.maxRows(kind),
	}))
}

func (v *view) knownAround(ctx context.Context, entities []uuid.UUID) ([]scored, error) {
	rows, err := v.queries.FactsAroundKnown(ctx, db.FactsAroundKnownParams{
		GroupID: v.query.GroupID, EntityIds: entities, Filter: v.filterOf(graph.KindFact), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
		IncludeEnded: v.query.IncludeEnded, MaxRows: v.maxRows(graph.KindFact),
	})
	return each.Of(rows, func(row db.FactsAroundKnownRow) scored { return scored{row.ID, 1 / float64(row.Place)} }), err
}
