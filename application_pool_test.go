package annals_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/worker"
)

// newApplicationPool opens a pool as an application would, with a number of connections and one
// query mode.
func newApplicationPool(t *testing.T, url string, conns int32, mode pgx.QueryExecMode) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = conns
	config.ConnConfig.DefaultQueryExecMode = mode
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// ofAnApplication returns the URL of a migrated database of a program with a schema and a table of
// its own. The search path of connections has only that schema; the extensions are in another.
func ofAnApplication(t *testing.T) string {
	t.Helper()
	url := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), `CREATE SCHEMA extensions; ALTER EXTENSION vector SET SCHEMA extensions; ALTER EXTENSION pg_trgm SET SCHEMA extensions;
		ALTER EXTENSION unaccent SET SCHEMA extensions; ALTER EXTENSION btree_gist SET SCHEMA extensions;
		CREATE SCHEMA app; CREATE TABLE app.orders (id uuid PRIMARY KEY, item text NOT NULL);
		DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = app', current_database()); END $$`)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// The application's pool works with any query mode and a single connection, and is left unchanged.
func TestThePoolOfTheApplication(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, mode := range []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
	} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			pool := newApplicationPool(t, ofAnApplication(t), 1, mode)
			client, err := annals.Open(t.Context(), annals.Config{Pool: pool})
			if err != nil {
				t.Fatal(err)
			}
			useMemory(t, client)
			orderAndRemember(t, client, pool)
			client.Close()
			checkAsItWas(t, pool)
		})
	}
}

// useMemory uses a little of everything.
func useMemory(t *testing.T, client *annals.Client) {
	t.Helper()
	ctx := t.Context()
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I moved to Lisbon last week.", "2024-03-15"), clienttest.Alice("I work at Acme.", "2024-03-16"))
	for _, q := range []annals.Query{
		{Text: "Where does Alice live?"},
		{Text: "Where does Alice live?", ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)},
		{Text: "Where does Alice live?", KnownAt: time.Now()},
	} {
		q.GroupID = "t"
		found, err := client.Search(ctx, q)
		must("search", err)
		if len(found.Facts) == 0 {
			t.Errorf("%+v finds nothing", q)
		}
	}
	_, err := client.Context(ctx, annals.Query{GroupID: "t", Text: "Alice"})
	must("context", err)
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t"})
	must("facts", err)
	_, err = client.History(ctx, "t", facts[0].ID)
	must("history", err)
	_, err = client.Entity(ctx, "t", "Alice")
	must("entity", err)
	_, err = client.AddTriple(ctx, annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: "Bob"}})
	must("triple", err)
	_, err = client.BuildCommunities(ctx, "t")
	must("communities", err)
	_, err = client.UndoAll(ctx, annals.Undoing{GroupID: "t", EpisodeIDs: facts[0].Episodes[:1]})
	must("delete an episode", err)
	var exported bytes.Buffer
	_, err = client.Export(ctx, "t", &exported, annals.ExportOptions{})
	must("export", err)
	_, err = client.Import(ctx, &exported, annals.ImportOptions{GroupID: "copy"})
	must("import", err)
	tenant, err := client.ForTenant(ctx, "copy")
	must("bind to a tenant", err)
	_, err = tenant.Search(ctx, annals.Query{GroupID: "copy", Text: "Alice"})
	must("search as a tenant", err)
	_, err = client.Erase(ctx, annals.Erasure{GroupID: "copy"})
	must("erase", err)
}

// orderAndRemember stores a row of the application and an episode in one transaction.
func orderAndRemember(t *testing.T, client *annals.Client, pool *pgxpool.Pool) {
	t.Helper()
	for _, group := range []string{"t", "u"} {
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), "INSERT INTO orders (id, item) VALUES ($1, 'a lamp')", uuid.New().String()); err != nil {
				return err
			}
			at := time.Now()
			_, err := client.AddTx(t.Context(), tx, annals.Episode{GroupID: group, Actor: "Alice", Content: "I ordered a lamp.", OccurredAt: at})
			return err
		})
		if err != nil {
			t.Errorf("add within the application's transaction: %v", err)
		}
	}
}

// checkAsItWas checks that the only connection of a pool is unchanged: its settings, and the types
// that pgx knows.
func checkAsItWas(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatalf("the pool is closed: %v", err)
	}
	defer conn.Release()
	var left []string
	err = conn.QueryRow(t.Context(), `SELECT array_agg(what) FROM (
		SELECT name || ' = ' || setting FROM pg_settings WHERE source = 'session' AND name NOT LIKE 'transaction%'
		UNION ALL SELECT 'lock ' || locktype FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
		UNION ALL SELECT 'temporary ' || relname FROM pg_class WHERE relpersistence = 't' AND pg_table_is_visible(oid)
		UNION ALL SELECT 'listens to ' || pg_listening_channels()) AS x(what)`).Scan(&left)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind on the connection: %q (%v)", left, err)
	}
	if _, ok := conn.Conn().TypeMap().TypeForName("halfvec"); ok {
		t.Error("the connection knows a type of ours")
	}
	rows, err := conn.Query(t.Context(), "SELECT id FROM orders")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowToMap)
	if err != nil || len(ids) != 2 {
		t.Fatalf("orders: %v (%v)", ids, err)
	}
	if _, ok := ids[0]["id"].([16]byte); !ok {
		t.Errorf("an id of the application's is read as %T, not as pgx reads it", ids[0]["id"])
	}
}

// Background work has connections of its own. Indexes are built and searched also if the extension
// is in a schema outside the search path.
func TestWorkOnThePoolOfTheApplication(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := ofAnApplication(t)
	pool := newApplicationPool(t, url, 2, pgx.QueryExecModeExec)
	client := clienttest.Open(t, annals.Config{Pool: pool, IndexedVectors: 20})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, client, worker.Options{}) }()
	for i := range 30 {
		if _, err := client.Add(t.Context(), clienttest.Alice("I met Person"+strings.Repeat("x", i)+" in Lisbon.", "2024-03-15")); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	deadline := time.Now().Add(time.Minute)
	for indexed := false; !indexed; {
		if err := conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM annals_internal.vector_indexes WHERE kind = 'episode' AND valid)`).Scan(&indexed); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("there is no index after a minute")
		}
		time.Sleep(50 * time.Millisecond)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Whom did Alice meet?"})
	if err != nil || len(found.Episodes) == 0 {
		t.Errorf("found %+v (%v)", found, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestOneDatabaseIsNamed(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	pool := newApplicationPool(t, url, 1, pgx.QueryExecModeCacheStatement)
	if _, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, Pool: pool}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("with both a URL and a pool it says %v", err)
	}
}

// Behind PgBouncer the application's pool works if it is configured for that; otherwise the log
// says so.
func TestThePoolOfTheApplicationBehindAPooler(t *testing.T) {
	t.Parallel()
	through := pgtest.Bouncer(t, ofAnApplication(t))
	var log bytes.Buffer
	unset, err := annals.Open(t.Context(), annals.Config{
		Pool: newApplicationPool(t, through, 1, pgx.QueryExecModeCacheStatement), Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	unset.Close()
	if !strings.Contains(log.String(), "DefaultQueryExecMode") {
		t.Errorf("the log says %q", log.String())
	}
	pool := newApplicationPool(t, through, 2, pgx.QueryExecModeExec)
	client, err := annals.Open(t.Context(), annals.Config{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	useMemory(t, client)
	orderAndRemember(t, client, pool)
	client.Close()
}
