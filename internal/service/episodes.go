package service

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
)

// AddAllTx is [annals.Client.AddAll] within the caller's transaction, so that [Service.SaveReplyTx]
// can store the reply in the same one.
func (s *Service) AddAllTx(ctx context.Context, tx pgx.Tx, episodes []annals.Episode) ([]annals.Stored, error) {
	return s.addAllTx(ctx, tx, episodes)
}
