package service

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
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
	var found annals.Result
	for _, f := range rows.Facts {
		found.Facts = append(found.Facts, annals.FactHit{Fact: f})
	}
	for _, e := range rows.Entities {
		found.Entities = append(found.Entities, annals.EntityHit{Entity: e})
	}
	for _, e := range rows.Episodes {
		found.Episodes = append(found.Episodes, annals.EpisodeHit{Episode: e})
	}
	if len(found.Facts)+len(found.Entities)+len(found.Episodes) == 0 {
		return found, s.admit(q.GroupID)
	}
	err := s.client.InSnapshot(ctx, q.GroupID, func(tx pgx.Tx) error { return annals.Annotate(ctx, tx, q, &found) })
	return found, err
}
