package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Groups makes groups and users, and keeps their ontologies.
type Groups struct{ pool db.Pool }

// NewGroups returns a Groups on a migrated database.
func NewGroups(pool db.Pool) *Groups { return &Groups{pool} }

// CreateGroup makes a group, and reports whether it is new. For an erased group it returns a
// [graph.CodeConflict].
func (g *Groups) CreateGroup(ctx context.Context, group graph.Group) (bool, error) {
	if err := group.Validate(); err != nil {
		return false, err
	}
	var made bool
	err := db.InTx(ctx, g.pool, func(q *db.Queries) (err error) {
		made, err = createGroup(ctx, q, group)
		return err
	})
	return made, err
}

// createGroup makes a group. Force frees the name of an erased group, on record. The caller must
// have the right to erase, and no lower authority than whoever erased it.
func createGroup(ctx context.Context, q *db.Queries, group graph.Group) (bool, error) {
	doing := "add"
	if group.Force {
		doing = "readmit"
	}
	if err := q.OriginSet(ctx, graph.OriginOf(ctx).Doing(doing)); err != nil {
		return false, err
	}
	var made int64
	err := readmitting(ctx, q, group.Force, func() (err error) {
		made, err = q.GroupCreate(ctx, db.GroupCreateParams{
			GroupID: group.ID, Kind: group.Kind, Name: group.Name, Description: group.Description, TimeZone: group.TimeZone,
		})
		return err
	})
	if isErased(err) {
		return false, erasedGroup()
	}
	if err != nil {
		return false, fmt.Errorf("make group %s: %w", group.ID, err)
	}
	return made > 0, nil
}

// CreateUser makes a group of the kind user, with its user. It reports whether the group is new.
func (g *Groups) CreateUser(ctx context.Context, u graph.User) (bool, error) {
	if err := u.Validate(); err != nil {
		return false, err
	}
	var made bool
	err := db.InTx(ctx, g.pool, func(q *db.Queries) (err error) {
		made, err = createGroup(ctx, q, graph.Group{ID: u.GroupID, Kind: graph.GroupUser, TimeZone: u.TimeZone, Force: u.Force})
		if err != nil || !made {
			return err
		}
		_, err = q.UserInsert(ctx, db.UserInsertParams{
			GroupID: u.GroupID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, Metadata: change.Object(u.Metadata), Plain: u.Plain,
		})
		return change.Refused(err)
	})
	return made, err
}

// readmitting runs insert. With force, insert may store what was erased.
func readmitting(ctx context.Context, queries *db.Queries, force bool, insert func() error) error {
	if !force {
		return insert()
	}
	if err := queries.Readmit(ctx, "on"); err != nil {
		return fmt.Errorf("take in again what was erased: %w", err)
	}
	if err := insert(); err != nil {
		return err
	}
	return queries.Readmit(ctx, "")
}

// erasedGroup returns the error for a group that was erased.
func erasedGroup() *graph.Error {
	return &graph.Error{
		Code: graph.CodeConflict, Field: graph.ErasedField,
		Message: "this group was erased and is not made again unasked. Where it is meant to be, POST /v1/users or /v1/groups with \"force\": true, " +
			"'annals groups create --group ID --force', or CreateGroup with Force in Go, frees its name; what it held is not refused then",
	}
}

func isErased(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == db.CodeErased
}

// CreateThread makes a conversation, and reports whether it is new.
func CreateThread(ctx context.Context, q db.DBTX, groupID, id string, metadata json.RawMessage) (bool, error) {
	made, err := db.New(q).ThreadCreate(ctx, db.ThreadCreateParams{GroupID: groupID, ID: id, Metadata: change.Object(metadata)})
	return made > 0, change.Failed(change.Refused(err), "make thread %q", id)
}
