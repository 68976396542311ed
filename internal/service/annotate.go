package service

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
)

// Rows are facts, entities and episodes of one group that are to be shown.
type Rows struct {
	Facts    []annals.Fact
	Entities []annals.Entity
	Episodes []annals.Episode
}

// Annotate makes search hits of rows, without scores, and adds to each what has become of it, as
// [annals.Annotate] does. The caller has to show that.
func (s *Service) Annotate(ctx context.Context, q annals.Query, rows Rows) (annals.Result, error) {
	found := annals.Result{
		Facts:    each.Of(rows.Facts, func(f annals.Fact) annals.FactHit { return annals.FactHit{Fact: f} }),
		Entities: each.Of(rows.Entities, func(e annals.Entity) annals.EntityHit { return annals.EntityHit{Entity: e} }),
		Episodes: each.Of(rows.Episodes, func(e annals.Episode) annals.EpisodeHit { return annals.EpisodeHit{Episode: e} }),
	}
	if len(found.Facts)+len(found.Entities)+len(found.Episodes) == 0 {
		return found, s.admit(q.GroupID)
	}
	err := s.client.InSnapshot(ctx, q.GroupID, func(tx pgx.Tx) error { return annals.Annotate(ctx, tx, q, &found) })
	return found, err
}
