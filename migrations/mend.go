package migrations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// mendLockTimeout is how long [Mend] waits for a table, in milliseconds. Later
// statements on the table wait behind it.
const mendLockTimeout = "10000"

// Mend repairs in one transaction what [Inspect] found and a restore need not bring
// back: the queue, the role of tenants, policies and grants. It returns what it
// did, or nothing if nothing was wrong. It does nothing while objects are missing.
// Only the owner of the tables or a superuser can run it. Others may read and write
// meanwhile.
func Mend(ctx context.Context, databaseURL string) (done []string, err error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2)", mendLockTimeout, lockID)
		if err != nil {
			return fmt.Errorf("wait for others who migrate: %w", err)
		}
		done, err = mend(ctx, tx)
		return err
	})
	if err != nil {
		return nil, explainMend(err)
	}
	return done, nil
}

func mend(ctx context.Context, tx pgx.Tx) (done []string, err error) {
	var s Structure
	if err := s.read(ctx, tx.Conn()); err != nil || len(s.Missing) > 0 {
		return nil, err
	}
	if s.NoQueue {
		if err := makeQueue(ctx, tx); err != nil {
			return nil, err
		}
		done = append(done, "made the queue anew: what waits in it comes from the episodes that wait")
	}
	if s.NoTenantRole {
		if _, err := tx.Exec(ctx, "SELECT annals_internal.make_tenant_role()"); err != nil {
			return nil, err
		}
	}
	before := s
	if err := s.read(ctx, tx.Conn()); err != nil { // an existing role needs policies and grants
		return nil, err
	}
	if before.NoTenantRole && !s.NoTenantRole {
		done = append(done, "had this user act as the role annals_tenant, which tenants need")
	}
	if len(s.Unprotected) > 0 {
		if _, err := tx.Exec(ctx, "SELECT annals_internal.protect_tenants()"); err != nil {
			return nil, err
		}
		done = append(done, fmt.Sprintf("made policies and grants of %s", each.Count(len(s.Unprotected), "relation")))
	}
	for _, function := range s.Open { // names from our list of objects
		if _, err := tx.Exec(ctx, "REVOKE EXECUTE ON FUNCTION "+function+" FROM PUBLIC"); err != nil {
			return nil, err
		}
	}
	if len(s.Open) > 0 && !before.NoQueue { // a new queue has new functions
		done = append(done, "took the right to call from everybody: "+strings.Join(s.Open, ", "))
	}
	for _, table := range s.Unread {
		if _, err := tx.Exec(ctx, "GRANT SELECT ON "+table+" TO PUBLIC"); err != nil {
			return nil, err
		}
		done = append(done, "gave everybody the right to read "+table)
	}
	return done, nil
}

// makeQueue drops the remains of River's tables and creates them again, as the
// migration does.
func makeQueue(ctx context.Context, tx pgx.Tx) error {
	files, err := all()
	if err != nil {
		return err
	}
	for _, f := range files {
		up, err := f.up()
		if err != nil {
			return err
		}
		_, script, begun := strings.Cut(up, riverBegins)
		script, _, ended := strings.Cut(script, riverEnds)
		if !begun || !ended {
			continue
		}
		if _, err := tx.Exec(ctx, dropRiver+script, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("make the queue: %w", err)
		}
	}
	return nil
}

// These comments enclose River's part of the migration.
const (
	riverBegins = "-- The tables of River begin here."
	riverEnds   = "-- The tables of River end here."
	dropRiver   = `DROP FUNCTION IF EXISTS annals_internal.river_job_state_in_bitmask;
		DROP TYPE IF EXISTS annals_internal.river_job_state;`
)

func explainMend(err error) error {
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
	case pg.Code == "42501": // insufficient_privilege
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "does not let this user mend the schema; run 'annals doctor --fix' as the owner of the schema annals", Err: err,
		}
	case pg.Code == "55P03": // lock_not_available
		return &graph.Error{
			Code: graph.CodeUnavailable, Field: "database",
			Message: "is busy: a transaction keeps a table locked; run 'annals doctor --fix' again", Err: err,
		}
	}
	return fmt.Errorf("mend the schema: %w", err)
}
