package db_test

import (
	"context"

	"github.com/annalsdb/annals/db"
)

// hotComparisons are the queries for the facts that new ones are compared with, and for what is
// removed with facts that are taken back. They read a handful of rows, however much is known of an
// entity.
func hotComparisons() map[string]hot {
	const group = "large"
	ids := keys(50)
	return map[string]hot{
		"rivals": {
			func(ctx context.Context, q *db.Queries) error {
				return q.FactRivals(ctx, []db.FactRivalsParams{{
					GroupID: group, SourceID: ids[0], TargetID: ids[20], Predicate: "P7", Model: "m", Embedding: db.Vector(somewhere(16)), MaxRows: 20,
				}}).Close()
			},
			[]string{"Index Scan facts_pkey", "Index Scan facts_statement"},
			900, "",
		},
		"latest of a hub": {
			query((*db.Queries).FactsLatestOf, db.FactsLatestOfParams{GroupID: group, EntityIds: ids[:1], MaxRows: 40}),
			[]string{"Index Scan facts_statement"},
			300, "",
		},
		"latest of some": {
			query((*db.Queries).FactsLatestOf, db.FactsLatestOfParams{GroupID: group, EntityIds: ids[20:23], MaxRows: 40}),
			[]string{"Index Scan facts_statement"},
			300, "",
		},
		"bounded": {
			query((*db.Queries).FactsBoundedBy, db.FactsBoundedByParams{GroupID: group, Ids: ids}), []string{"Index Scan facts_bounded"}, 50, "",
		},
		"before they were bounded": {
			query((*db.Queries).FactsBeforeBound, db.FactsBeforeBoundParams{GroupID: group, Ids: ids}), []string{"Index Scan facts_bounded"}, 50, "",
		},
	}
}
