package citus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
)

// heard records the executed statements and their arguments.
type heard struct {
	pgx.Tx
	statements []statement
}

type statement struct {
	sql  string
	args []any
}

func (h *heard) note(sql string, args []any) {
	h.statements = append(h.statements, statement{sql, args})
}

func (h *heard) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	h.note(sql, args)
	return h.Tx.Exec(ctx, sql, args...)
}

func (h *heard) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	h.note(sql, args)
	return h.Tx.Query(ctx, sql, args...)
}

func (h *heard) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	h.note(sql, args)
	return h.Tx.QueryRow(ctx, sql, args...)
}

func (h *heard) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	for _, q := range b.QueuedQueries {
		h.note(q.SQL, q.Arguments)
	}
	return h.Tx.SendBatch(ctx, b)
}

// outcome is the result of a statement.
type outcome struct {
	err   error
	rows  string // what it returned
	tasks int    // the shards that it went to; 0: none, or not known
}

// call runs a generated query in a transaction and rolls it back.
func call(ctx context.Context, conn *pgx.Conn, name string, p *plausible, times int, settings ...string) (o outcome) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return outcome{err: err}
	}
	defer func() { _ = tx.Rollback(ctx) }()
	for _, s := range append(settings, `SELECT set_config('statement_timeout', '60s', true)`) {
		if _, err := tx.Exec(ctx, s); err != nil {
			return outcome{err: err}
		}
	}
	h := &heard{Tx: tx}
	for range times {
		if _, err := tx.Exec(ctx, `SAVEPOINT before`); err != nil {
			return outcome{err: err}
		}
		h.statements = nil
		if o = invoke(ctx, db.New(h), name, p); o.err != nil {
			break
		}
		if _, err := tx.Exec(ctx, `ROLLBACK TO before`); err != nil {
			return outcome{err: err}
		}
	}
	if o.err == nil && len(h.statements) > 0 {
		o.tasks = tasksOf(ctx, tx, h.statements[0])
	}
	return o
}

// invoke calls a method of Queries with plausible arguments.
func invoke(ctx context.Context, q *db.Queries, name string, p *plausible) (o outcome) {
	method := reflect.ValueOf(q).MethodByName(name)
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.Type().NumIn(); i++ {
		arg := reflect.New(method.Type().In(i)).Elem()
		p.fillIn(arg, name, argument(name, arg.Type()))
		in = append(in, arg)
	}
	out := method.Call(in)
	last := out[len(out)-1]
	if results, ok := last.Interface().(interface{ Close() error }); ok { // of a batch
		return outcome{err: inBatch(reflect.ValueOf(results))}
	}
	if err, ok := last.Interface().(error); ok && !errors.Is(err, pgx.ErrNoRows) {
		return outcome{err: err}
	}
	if len(out) > 1 {
		o.rows = inAnyOrder(out[0])
	}
	return o
}

// inAnyOrder formats the rows of a statement; unsorted ones come in any order.
func inAnyOrder(v reflect.Value) string {
	var lines []string
	each := []reflect.Value{v}
	if v.Kind() == reflect.Slice {
		each = nil
		for i := range v.Len() {
			each = append(each, v.Index(i))
		}
	}
	for _, one := range each {
		text, err := json.Marshal(one.Interface())
		if err != nil {
			text = fmt.Append(nil, one.Interface())
		}
		lines = append(lines, string(text))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// inBatch reads the results of a batch.
func inBatch(results reflect.Value) (err error) {
	each := results.MethodByName("Exec")
	if !each.IsValid() {
		each = results.MethodByName("QueryRow")
	}
	if !each.IsValid() {
		each = results.MethodByName("Query")
	}
	note := reflect.MakeFunc(each.Type().In(0), func(args []reflect.Value) []reflect.Value {
		if got, failed := args[len(args)-1].Interface().(error); failed && err == nil && !errors.Is(got, pgx.ErrNoRows) {
			err = got
		}
		return nil
	})
	each.Call([]reflect.Value{note})
	results.MethodByName("Close").Call(nil)
	return err
}

// reconnect waits for a restarting server.
func reconnect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		conn, err := pgx.Connect(t.Context(), address)
		if err == nil || time.Now().After(deadline) {
			if err != nil {
				t.Fatal(err)
			}
			return conn
		}
	}
}

var taskCount = regexp.MustCompile(`Task Count: (\d+)`)

func tasksOf(ctx context.Context, tx pgx.Tx, s statement) (most int) {
	rows, err := tx.Query(ctx, "EXPLAIN (COSTS OFF) "+s.sql, s.args...)
	if err != nil {
		return 0
	}
	lines, _ := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, m := range taskCount.FindAllStringSubmatch(strings.Join(lines, "\n"), -1) {
		var n int
		_, _ = fmt.Sscan(m[1], &n)
		most = max(most, n)
	}
	return most
}

var nameOf = regexp.MustCompile(`(?m)^-- name: (\w+) `)

// texts returns the generated queries by name.
func texts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no queries", err)
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		marks := nameOf.FindAllStringSubmatchIndex(string(text), -1)
		for i, mark := range marks {
			end := len(text)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			found[string(text[mark[2]:mark[3]])] = string(text[mark[1]:end])
		}
	}
	return found
}

// shard matches the difference in table names on a cluster.
var shard = regexp.MustCompile(`_\d{6}\b`)

// code matches the code of an error: a COPY to a shard has another one than to a table.
var code = regexp.MustCompile(` \(SQLSTATE \w+\)`)

func told(err error) string {
	if err == nil {
		return ""
	}
	return code.ReplaceAllString(shard.ReplaceAllString(err.Error(), ""), "")
}

// ways are the ways to plan a statement: for its arguments, and as a pooled connection does
// in the end, which tries five custom plans before a generic one.
var ways = []struct {
	name, setting string
	times         int
}{
	{"custom", `SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`, 1},
	{"pooled", `SELECT set_config('plan_cache_mode', 'auto', true)`, 6},
}

// Every generated query gives the same rows on a cluster as on one server, or the same
// error for invented arguments.
func TestStatements(t *testing.T) {
	one, many := twins(t)
	single, cluster := connect(t, one), connect(t, many)
	p := newPlausible(t, single)
	only := strings.Fields(os.Getenv("ANNALS_TEST_STATEMENTS"))
	spread, all := map[string]int{}, 0
	for _, name := range slices.Sorted(maps.Keys(texts(t))) {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		all++
		want := call(t.Context(), single, name, p, 1, ways[0].setting)
		for _, way := range ways {
			if cluster.IsClosed() { // the statement before ended the server
				cluster = reconnect(t, many)
			}
			got := call(t.Context(), cluster, name, p, way.times, way.setting)
			switch {
			case told(got.err) != told(want.err):
				t.Errorf("%s, %s plan: %v; on one server %v", name, way.name, got.err, want.err)
			case got.rows != want.rows && !slices.Contains(ownAnswer, name):
				t.Errorf("%s, %s plan, returns\n%.500s\non one server\n%.500s", name, way.name, got.rows, want.rows)
			}
			if got.tasks > 1 {
				spread[name] = got.tasks
			}
		}
	}
	t.Logf("%d statements", all)
	t.Logf("to several shards (%d): %s", len(spread), slices.Sorted(maps.Keys(spread)))
	for name := range spread {
		if ofOneGroup(t, name) {
			t.Errorf("%s is about one group, and goes to %d shards", name, spread[name])
		}
	}
}

// severalGroups are statements that take one group but concern all groups that it names.
var severalGroups = []string{"BatchItems", "BatchPage"}

// ofOneGroup reports whether a statement concerns only its group argument.
func ofOneGroup(t testing.TB, name string) bool {
	t.Helper()
	return strings.Contains(texts(t)[name], "@group_id") && !slices.Contains(severalGroups, name)
}

// ownAnswer are statements whose result depends on the time or on the server.
var ownAnswer = []string{
	"DistributionFunctions", "DistributionPossible", "DistributionViews", "EditBegin", "EntitySalience", "ExploreEntities", "HealthClock", "HealthDeadRows", "HealthExtensions", "HealthSizes", "HealthStale",
	"LogMark", "LogReplayed", "QueueState", "TablesTouched", "VectorIndexSettings", "VectorType", "WriteBegin",
}
