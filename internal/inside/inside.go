// Package inside gives packages of this module access to the parts of a Client
// that are hidden from programs; package service uses them. *annals.Client thus
// needs no methods for this module alone.
package inside

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Parts are the parts of a Client.
type Parts struct {
	Pool             db.Pool // the primary; bound to the tenant if the Client is
	Engine           *engine.Engine
	Embedder         model.Embedder
	Log              *slog.Logger
	InsecureWebhooks bool // as the Config says
	IndexedVectors   int  // as the Config says

	Admit   func(groupID string) error // refuses an invalid group id, and a group that is not the tenant's
	Unbound func() error               // refuses a Client that is bound to a tenant
	Wrote   func(groups ...string)     // makes later reads of these groups, or of all, see the writes

	AddAllTx func(ctx context.Context, tx pgx.Tx, episodes []graph.Episode) ([]intake.Stored, error) // stores within the caller's transaction
}

// Of returns the parts of an *annals.Client. Package annals sets it at program
// start. client must be an *annals.Client.
var Of func(client any) Parts
