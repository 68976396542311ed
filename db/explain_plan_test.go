package db_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
)

// node is a step of an executed plan.
type node struct {
	Type      string  `json:"Node Type"`
	Index     string  `json:"Index Name"`
	Relation  string  `json:"Relation Name"`
	Sort      string  `json:"Sort Method"`
	SortSpace string  `json:"Sort Space Type"`
	Rows      float64 `json:"Actual Rows"`
	Loops     float64 `json:"Actual Loops"`
	Filtered  float64 `json:"Rows Removed by Filter"`
	Rechecked float64 `json:"Rows Removed by Index Recheck"`
	Plans     []node
}

// all are the step and those below it.
func (n node) all(yield func(node) bool) {
	queue := []node{n}
	for len(queue) > 0 && yield(queue[0]) {
		queue = append(queue[1:], queue[0].Plans...)
	}
}

// read is the number of table rows that the plan read.
func (n node) read() int {
	rows := 0.0
	for n := range n.all {
		if n.Relation != "" && !slices.Contains(smallTables, n.Relation) {
			rows += (n.Rows + n.Filtered + n.Rechecked) * n.Loops
		}
	}
	return int(rows)
}

// Tables so small that reading them whole is right.
var smallTables = []string{"groups", "search_statistics", "frequent_terms", "vector_indexes", "settings", "pg_extension"}

// hot is a query that searching depends on, with the plan that it must have.
type hot struct {
	run   run
	steps []string // that it must have
	most  int      // rows that it may look at
	sort  string   // that it must have; empty: any in memory
}

// faults lists what is wrong with a plan.
func (h hot) faults(plan node) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	found := map[string]bool{}
	for n := range plan.all {
		found[strings.TrimSpace(n.Type+" "+n.Index)] = true
		found[n.Sort] = true
		if n.Type == "Seq Scan" && n.Loops > 0 && !slices.Contains(smallTables, n.Relation) { // one without loops never ran
			fault("reads all of %s", n.Relation)
		}
		if n.SortSpace == "Disk" {
			fault("sorts on disk")
		}
	}
	for _, step := range append(h.steps, h.sort) {
		if step != "" && !found[step] {
			fault("no %q among %q", step, slices.Sorted(maps.Keys(found)))
		}
	}
	if rows := plan.read(); rows > h.most {
		fault("looks at %d rows, want no more than %d", rows, h.most)
	}
	return faults
}

// explainer answers a query with its plan, and no rows.
type explainer struct {
	conn   *pgx.Conn
	plan   node
	within []node // the plans of what the functions of a query ran
}

// autoExplain makes the server report the plans of statements within functions, which EXPLAIN does
// not show.
const autoExplain = `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
	SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET auto_explain.log_format = json; SET auto_explain.log_level = notice`

// newExplainer connects to the database of a pool.
func newExplainer(t *testing.T, pool *pgxpool.Pool) *explainer {
	t.Helper()
	e := &explainer{}
	config := pool.Config().ConnConfig
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { e.hear(n.Message) }
	var err error
	if e.conn, err = pgx.ConnectConfig(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.conn.Close(context.WithoutCancel(t.Context())) })
	if _, err := e.conn.Exec(t.Context(), autoExplain); err != nil {
		t.Fatal(err)
	}
	return e
}

// hear notes the plan of a statement of a function.
func (e *explainer) hear(notice string) {
	_, text, is := strings.Cut(notice, "plan:")
	var logged struct {
		Query string `json:"Query Text"`
		Plan  node
	}
	if is && json.Unmarshal([]byte(text), &logged) == nil && !strings.HasPrefix(logged.Query, "-- name:") {
		e.within = append(e.within, logged.Plan)
	}
}

var errExplained = errors.New("explained")

func (e *explainer) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errors.ErrUnsupported
}

func (e *explainer) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	_, err := e.Query(ctx, sql, args...) //nolint:sqlclosecheck // it has no rows
	return noRow{err}
}

// noRow is the answer to a query that was only explained.
type noRow struct{ err error }

func (r noRow) Scan(...any) error { return r.err }

func (e *explainer) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	var err error
	if e.plan, err = e.explain(ctx, sql, args); err != nil {
		return nil, err
	}
	return nil, errExplained
}

// SendBatch explains the last statement, after it has run those before.
func (e *explainer) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	last := len(batch.QueuedQueries) - 1
	for _, q := range batch.QueuedQueries[:last] {
		if _, err := e.conn.Exec(ctx, q.SQL, q.Arguments...); err != nil {
			return noResults{err: err}
		}
	}
	var err error
	if e.plan, err = e.explain(ctx, batch.QueuedQueries[last].SQL, batch.QueuedQueries[last].Arguments); err == nil {
		err = errExplained
	}
	return noResults{err: err}
}

// noResults are the results of a batch whose only use is its error.
type noResults struct {
	pgx.BatchResults
	err error
}

func (r noResults) Close() error { return r.err }

// explain prepares a statement, as pgx does with every statement, and returns the plan that the
// server executes. EXPLAIN takes no parameters for EXECUTE, hence the literals.
func (e *explainer) explain(ctx context.Context, sql string, args []any) (node, error) {
	const name = "explained"
	prepared, err := e.conn.Prepare(ctx, name, sql)
	if err != nil {
		return node{}, err
	}
	defer func() { _ = e.conn.Deallocate(ctx, name) }()
	literals := make([]string, len(args))
	for i, arg := range args {
		text, err := e.conn.TypeMap().Encode(prepared.ParamOIDs[i], pgtype.TextFormatCode, arg, []byte{}) // nil is NULL
		if err != nil {
			return node{}, fmt.Errorf("argument %d: %w", i+1, err)
		}
		literals[i] = "NULL"
		if text != nil {
			literals[i] = "'" + strings.ReplaceAll(string(text), "'", "''") + "'"
		}
	}
	e.within = nil
	execute := "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE " + name + "(" + strings.Join(literals, ", ") + ")"
	var document []byte
	if err := e.conn.QueryRow(ctx, execute, pgx.QueryExecModeSimpleProtocol).Scan(&document); err != nil {
		return node{}, err
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal(document, &plans); err != nil {
		return node{}, err
	}
	plan := plans[0].Plan
	if plan.Type == "Function Scan" {
		plan.Plans = append(plan.Plans, e.within...)
	}
	return plan, nil
}

// inMode runs do with generic plans, as a search does (see [db.InSnapshot]), or with plans for the
// arguments.
func inMode(t *testing.T, pool *pgxpool.Pool, mode string, do func(*testing.T, *explainer)) {
	t.Helper()
	t.Run(mode, func(t *testing.T) {
		e := newExplainer(t, pool)
		tx, err := e.conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }() // what is explained is also run
		settings := `SELECT set_config('plan_cache_mode', $1, true), set_config('jit', 'off', true)`
		if mode == "as tenant" {
			mode, settings = "force_generic_plan", settings+`, set_config('annals.group_id', 'large', true), set_config('role', 'annals_tenant', true)`
		}
		if _, err := tx.Exec(t.Context(), settings, mode); err != nil {
			t.Fatal(err)
		}
		do(t, e)
	})
}

// checkReads checks that queries read no more rows than they may, by both kinds of plans, before
// and after analyse.
func checkReads(t *testing.T, pool *pgxpool.Pool, analyse string, all map[string]hot) {
	t.Helper()
	for _, known := range []string{"nothing known", "analysed"} {
		t.Run(known, func(t *testing.T) {
			if known == "analysed" {
				exec(t, pool, analyse)
			}
			for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
				inMode(t, pool, mode, func(t *testing.T, e *explainer) {
					for name, h := range all {
						if rows := e.planOf(t, name, h.run).read(); rows > h.most || rows == 0 {
							t.Errorf("%s: looks at %d rows, want no more than %d", name, rows, h.most)
						}
					}
				})
			}
		})
	}
}

// planOf returns the plan of a query.
func (e *explainer) planOf(t *testing.T, name string, run run) node {
	t.Helper()
	if err := run(t.Context(), db.New(e)); !errors.Is(err, errExplained) {
		t.Fatalf("%s: %v", name, err)
	}
	return e.plan
}
