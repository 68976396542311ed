package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/graph"
)

// TenantRole is the database role that a [Tenant] acts as. Row-level security lets it see only the
// group that its transaction names.
const TenantRole = "annals_tenant"

// tenant is the database as seen by one group. Every statement runs in a transaction that first
// gives up all other rights. A single statement is sent in one batch with that, which is a
// transaction of its own and one round trip. Nothing outlasts the transaction, so that connections
// may be shared with others, by this pool or by a pooler.
type tenant struct {
	pool    Pool
	groupID string
}

// Tenant binds every transaction of a pool to one group: it acts as [TenantRole], and the database
// returns only rows of that group. The user of the pool must be a member of that role.
func Tenant(pool Pool, groupID string) Pool { return tenant{pool, groupID} }

// CheckTenant reports what keeps the user of a pool from acting as [TenantRole], as a
// [graph.CodeConflict] that says how to fix it.
func CheckTenant(ctx context.Context, pool Pool, groupID string) error {
	var got TenantStateRow
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		q := New(tx)
		err := q.TenantBind(ctx, groupID)
		if err == nil {
			got, err = q.TenantState(ctx)
		}
		return err
	})
	var pg *pgconn.PgError
	switch {
	case err == nil && got.Role == TenantRole && got.GroupID == groupID:
		return nil
	case errors.As(err, &pg) && pg.Code == "22023": // no such role
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "has no role " + TenantRole + ", as whoever migrated it may not make roles: have an administrator run what 'annals migrate grants' prints, " +
				"then run 'annals doctor --fix'", Err: err,
		}
	case errors.As(err, &pg) && pg.Code == "42501": // not a member
		return &graph.Error{
			Code: graph.CodeConflict, Field: "database",
			Message: "does not let this user act as " + TenantRole + ": run 'annals doctor --fix', and where that says so GRANT " +
				TenantRole + " to the user as an administrator", Err: err,
		}
	case err != nil:
		return fmt.Errorf("act as %s: %w", TenantRole, err)
	}
	return fmt.Errorf("act as %s: the server took neither role nor group", TenantRole)
}

// InTenant binds a transaction of the caller's to one group while do runs.
func InTenant(ctx context.Context, tx pgx.Tx, groupID string, do func() error) error {
	queries := New(tx)
	before, err := queries.TenantState(ctx)
	if err != nil {
		return fmt.Errorf("ask who the transaction acts as: %w", err)
	}
	if err := queries.TenantBind(ctx, groupID); err != nil {
		return fmt.Errorf("act as %s: %w", TenantRole, err)
	}
	if err := do(); err != nil {
		if tx.Conn().PgConn().TxStatus() == 'E' { // only a rollback can follow, which undoes the binding
			return err
		}
		return errors.Join(err, queries.TenantRestore(ctx, TenantRestoreParams(before)))
	}
	if err := queries.TenantRestore(ctx, TenantRestoreParams(before)); err != nil {
		return fmt.Errorf("stop acting as %s: %w", TenantRole, err)
	}
	return nil
}

func (t tenant) Acquire(ctx context.Context) (*pgxpool.Conn, error) { return t.pool.Acquire(ctx) }

func (t tenant) Config() *pgxpool.Config { return t.pool.Config() }

func (t tenant) Stat() *pgxpool.Stat { return t.pool.Stat() }

func (t tenant) Begin(ctx context.Context) (pgx.Tx, error) { return t.BeginTx(ctx, pgx.TxOptions{}) }

func (t tenant) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	tx, err := t.pool.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := New(tx).TenantBind(ctx, t.groupID); err != nil {
		return nil, errors.Join(fmt.Errorf("act as %s: %w", TenantRole, err), tx.Rollback(context.WithoutCancel(ctx)))
	}
	return tx, nil
}

func (t tenant) bind() statement { return statement{tenantBind, []any{t.groupID}} }

// SendBatch sends a batch as a transaction of its own. On a cluster it sends BEGIN and COMMIT:
// without them, the coordinator does not pass the settings to the server that has the group.
func (t tenant) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if _, cluster := t.pool.(clusterPool); cluster {
		first := &pgx.Batch{}
		first.Queue(`BEGIN`)
		batch.Queue(`COMMIT`)
		return sendAfter(ctx, t.pool, first, []statement{t.bind()}, batch)
	}
	return sendAfter(ctx, t.pool, &pgx.Batch{}, []statement{t.bind()}, batch)
}

func (t tenant) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return execOne(t.SendBatch(ctx, oneOf(sql, args)))
}

func (t tenant) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return queryOne(t.SendBatch(ctx, oneOf(sql, args)))
}

func (t tenant) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := t.Query(ctx, sql, args...)
	return batchRow{rows, err}
}
