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

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// plausible makes arguments for any statement, of rows that are there.
type plausible struct {
	ids    map[string][]uuid.UUID // of the group, by kind
	vector pgvector.HalfVector
	model  string
}

func newPlausible(t testing.TB, conn *pgx.Conn) *plausible {
	t.Helper()
	p := &plausible{ids: map[string][]uuid.UUID{}}
	for kind, table := range map[string]string{"episode": "episodes", "entity": "entities", "fact": "facts", "community": "communities", "agent": "agents", "block": "blocks", "webhook": "webhooks", "batch": "batches"} {
		rows, err := conn.Query(t.Context(), `SELECT id FROM annals.`+table+` WHERE group_id = ANY($1) ORDER BY id LIMIT 5`, []string{group, "app"})
		if err != nil {
			t.Fatal(err)
		}
		if p.ids[kind], err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil || len(p.ids[kind]) == 0 {
			t.Fatalf("%s: %v %v", table, p.ids[kind], err)
		}
	}
	var text string
	if err := conn.QueryRow(t.Context(), `SELECT embedding::text, model FROM annals.fact_embeddings WHERE group_id = $1 LIMIT 1`, group).Scan(&text, &p.model); err != nil {
		t.Fatal(err)
	}
	if err := p.vector.Parse(text); err != nil {
		t.Fatal(err)
	}
	return p
}

// of are the ids that an argument of a statement is about.
func (p *plausible) of(statement, name string) []uuid.UUID {
	for _, about := range []string{strings.ToLower(name), strings.ToLower(statement)} {
		for _, noun := range []struct{ stem, kind string }{
			{"webhook", "webhook"},
			{"batch", "batch"},
			{"agent", "agent"},
			{"block", "block"},
			{"communiti", "community"},
			{"community", "community"},
			{"episode", "episode"},
			{"fact", "fact"},
			{"entit", "entity"},
		} {
			if strings.Contains(about, noun.stem) {
				return p.ids[noun.kind]
			}
		}
	}
	return p.ids["entity"]
}

// words are arguments that are text and mean something.
var words = map[string]string{
	"GroupID": group, "Query": "lives in Paris", "Lesser": "", "ThreadID": "talk-1", "ExternalID": "line-3", "Namespace": "app", "OrderBy": "name", "After": "",
	"Reference": "Alice", "Words": "alice", "State": "done", "TimeZone": "UTC", "Url": "https://example.com", "Purpose": "graph", "Kind": "fact", "Kinds": "fact", "One": group,
	"Search": "ali", "Switch": "", "Among": group, "IndexName": "fact_embeddings_hnsw_000000000000000000000000", "Events": "episode.processed", "Role": "user", "Phrases": "lives in",
	"Door": "cli", "Step": "extract", "Origin": `{"door":"cli"}`, "Tables": "facts", "ToVacuum": "facts", "Scope": "fact", "Decision": "merge", "Digest": "x", "Rights": "all", "Threads": "talk-1",
	"Part": "facts", "Subject": "group", "Reader": "", "Relation": "WORKS_AT", "Embeddings": "[1]", "FromGroup": "g2",
}

func (p *plausible) text(name string) string {
	if name == "Model" || name == "Embedder" {
		return p.model
	}
	if word, ok := words[name]; ok {
		return word
	}
	return "Alice"
}

// fillIn makes the value of one argument.
func (p *plausible) fillIn(v reflect.Value, statement, name string) {
	switch x := v.Addr().Interface().(type) {
	case *uuid.UUID:
		*x = p.of(statement, name)[0]
	case *[]uuid.UUID:
		*x = p.of(statement, name)
	case *time.Time:
		*x = time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)
		if name == "Until" || name == "ToAt" {
			*x = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		}
	case *json.RawMessage:
		*x = p.object(name)
	case *[]byte:
		*x = make([]byte, 32)
	case *[][]byte:
		*x = [][]byte{make([]byte, 32)}
	case *pgvector.HalfVector:
		*x = p.vector
	case *graph.Kind:
		*x = graph.KindFact
	case *graph.FactKind:
		*x = graph.FactState
	case *graph.Authority:
		*x = graph.AuthorityUser
	case *graph.State:
		*x = graph.StateDone
	case *graph.Source:
		*x = graph.SourceMessage
	case *graph.GroupKind:
		*x = "graph"
	case *graph.EpisodeRole:
		*x = "states"
	case *temporal.Basis:
		*x = "stated"
	case *temporal.Precision:
		*x = "day"
	default:
		p.fillKind(v, statement, name)
	}
}

func (p *plausible) fillKind(v reflect.Value, statement, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(p.text(name))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(5)
		if name == "Bound" { // which rows are within it nothing says
			v.SetInt(10000)
		}
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.fillIn(v.Elem(), statement, name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		p.fillIn(v.Index(0), statement, strings.TrimSuffix(name, "s"))
	case reflect.Struct:
		for i := range v.NumField() {
			p.fillIn(v.Field(i), statement, v.Type().Field(i).Name)
		}
	}
}

func (p *plausible) object(name string) json.RawMessage {
	switch name {
	case "Filter":
		return json.RawMessage(`{"labels":["Person"],"actors":["Alice","Bob"],"episodes":true}`)
	case "Claims":
		return json.RawMessage(`[]`)
	}
	return json.RawMessage(`{}`)
}

// heard notes which statements are run, and with what.
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

// outcome is what a statement gave.
type outcome struct {
	err   error
	rows  string // what it returned
	tasks int    // the shards that it went to; 0: none, or not known
}

// call runs a generated query in a transaction that is taken back.
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

// inAnyOrder writes down what a statement returned: rows that are sorted by nothing come
// in any order.
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

// reconnect waits for a server that starts again.
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

// argument names the only argument of a statement, which the generated code does not.
func argument(statement string, t reflect.Type) string {
	switch {
	case t.Kind() != reflect.String && (t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.String):
		return ""
	case statement == "VectorIndexesRecheck" || statement == "VectorIndexesRetire" || strings.HasPrefix(statement, "Embedder"):
		return "Model"
	case statement == "GroupsFilledBy":
		return "Door"
	case statement == "OriginSet":
		return "Origin"
	case statement == "Readmit":
		return "Switch"
	case statement == "APIKeyByPrefix" || statement == "APIKeyRevoke" || statement == "LockTry" || statement == "LockWait":
		return "Name"
	}
	return "GroupID"
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

// statements are the names of all generated queries.
func statements(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no queries", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range nameOf.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

// shard is how names of tables differ on a cluster.
var shard = regexp.MustCompile(`_\d{6}\b`)

// code is that of an error: a COPY to a shard has another one than to a table.
var code = regexp.MustCompile(` \(SQLSTATE \w+\)`)

func told(err error) string {
	if err == nil {
		return ""
	}
	return code.ReplaceAllString(shard.ReplaceAllString(err.Error(), ""), "")
}

// ways are how a statement may be planned: for its arguments, and as a connection of a
// pool does in the end.
var ways = map[string]struct {
	setting string
	times   int
}{
	"custom": {`SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`, 1},
	"pooled": {`SELECT set_config('plan_cache_mode', 'auto', true)`, 7},
}

// Every generated query runs on a cluster as it does on one server: with the same
// rows, or the same complaint about made-up arguments.
func TestStatements(t *testing.T) {
	one, many := twins(t, func(address string) { fill(t, address) })
	single, cluster := connect(t, one), connect(t, many)
	p := newPlausible(t, single)
	only := strings.Fields(os.Getenv("ANNALS_TEST_STATEMENTS"))
	spread := map[string]int{}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		failed, differ, all := 0, 0, 0
		for _, name := range statements(t) {
			if len(only) > 0 && !slices.Contains(only, name) {
				continue
			}
			all++
			want := call(t.Context(), single, name, p, ways[way].times, ways[way].setting)
			if cluster.IsClosed() { // the statement before ended the server
				cluster = reconnect(t, many)
			}
			got := call(t.Context(), cluster, name, p, ways[way].times, ways[way].setting)
			switch {
			case told(got.err) != told(want.err):
				failed++
				t.Errorf("%s, %s plan: %v; on one server %v", name, way, got.err, want.err)
			case got.rows != want.rows && !slices.Contains(ownAnswer, name):
				differ++
				t.Errorf("%s, %s plan, returns\n%.500s\non one server\n%.500s", name, way, got.rows, want.rows)
			}
			if got.tasks > 1 {
				spread[name] = got.tasks
			}
		}
		t.Logf("%s plans: %d of %d run, %d of them with other rows", way, all-failed, all, differ)
	}
	t.Logf("to several shards (%d): %s", len(spread), slices.Sorted(maps.Keys(spread)))
}

// ownAnswer are the statements that tell the time, or of the server that is asked.
var ownAnswer = []string{
	"DistributionFunctions", "DistributionPossible", "EditBegin", "EntitySalience", "ExploreEntities", "ExploreSalient", "HealthClock", "HealthDeadRows", "HealthExtensions", "HealthSizes", "HealthStale",
	"LogMark", "LogReplayed", "QueueState", "TablesTouched", "VectorIndexSettings", "VectorType", "WriteBegin",
}
