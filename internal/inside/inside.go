// Package inside lets packages of this module reach what a Client works with,
// which programs have no business with: service is made of it. It keeps
// *annals.Client free of methods that only this module may call.
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

// Parts are what a Client works with.
type Parts struct {
	Pool             db.Pool // the primary; bound to the tenant of a Client that is
	Engine           *engine.Engine
	Embedder         model.Embedder
	Log              *slog.Logger
	InsecureWebhooks bool // as the Config says
	IndexedVectors   int  // as the Config says

	Admit   func(groupID string) error // refuses a name that no group can have, and a group that is not the tenant's
	Unbound func() error               // refuses a Client that is bound to a tenant
	Wrote   func(groups ...string)     // makes later reads of these groups, or of all, see what was written

	AddAllTx func(ctx context.Context, tx pgx.Tx, episodes []graph.Episode) ([]intake.Stored, error) // stores within the caller's transaction
}

// Of returns the parts of an *annals.Client. Package annals sets it when the
// program starts, and it is called with nothing else.
var Of func(client any) Parts
