package retrieval

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// defaultHalfLife is the half-life of a mention if Query.Recency is not set.
const defaultHalfLife = 30 * 24 * time.Hour

// bySalience orders entities by how often they were mentioned lately (memary's entity knowledge
// store, with a half-life), and facts by the higher salience of their two entities. Other scopes
// stay as they are.
func (o ordering) bySalience(ctx context.Context, hits []scored) ([]scored, error) {
	var ends map[uuid.UUID][]uuid.UUID
	switch o.kind {
	case graph.KindEntity:
		ends = each.Map(hits, func(h scored) (uuid.UUID, []uuid.UUID) { return h.ID, []uuid.UUID{h.ID} })
	case graph.KindFact:
		rows, err := o.queries.FactEnds(ctx, db.FactEndsParams{GroupID: o.query.GroupID, Ids: idsOf(hits)})
		if err != nil {
			return nil, err
		}
		ends = each.Map(rows, func(row db.FactEndsRow) (uuid.UUID, []uuid.UUID) {
			return row.ID, []uuid.UUID{row.SourceID, row.TargetID}
		})
	default:
		return hits, nil
	}
	var ids []uuid.UUID
	for _, both := range ends {
		ids = append(ids, both...)
	}
	rows, err := o.queries.EntitySalience(ctx, db.EntitySalienceParams{
		GroupID: o.query.GroupID, Ids: ids, HalfLifeSeconds: cmp.Or(o.query.Recency, defaultHalfLife).Seconds(), At: o.query.askedAt(),
	})
	if err != nil {
		return nil, err
	}
	salience := each.Map(rows, func(row db.EntitySalienceRow) (uuid.UUID, float64) { return row.ID, row.Salience })
	return reordered(hits, func(h scored) float64 {
		most := 0.0
		for _, id := range ends[h.ID] {
			most = max(most, salience[id])
		}
		return most
	}), nil
}
