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
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// A large group and one whose facts' vectors have an index, among forty small
// ones. The rows are numbered; row n of a kind has the id that md5 makes of the
// kind, the group and n.
//
// loadGroups writes past the triggers, which would take ten times as long.
var loadGroups = []string{
	`SET session_replication_role = replica`,
	`CREATE TEMP TABLE sizes ON COMMIT PRESERVE ROWS AS
		SELECT 'large' AS g, 20000 AS facts, 4000 AS entities, 8000 AS episodes, 300 AS communities
		UNION ALL SELECT 'indexed', 1500, 300, 300, 30
		UNION ALL SELECT 'other' || n, 400, 100, 150, 10 FROM generate_series(1, 40) n`,
	`CREATE FUNCTION pg_temp.key(kind text, g text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
		$$ SELECT md5(kind || g || n)::uuid $$`,
	`INSERT INTO annals.groups (group_id) SELECT g FROM sizes`,
	`INSERT INTO annals.entities (group_id, id, name, length)
		SELECT g, pg_temp.key('entity', g, n), 'entity ' || n, 4 FROM sizes, generate_series(1, entities) n`,
	`INSERT INTO annals.communities (group_id, id, name, length)
		SELECT g, pg_temp.key('community', g, n), 'community ' || n, 4 FROM sizes, generate_series(1, communities) n`,
	`INSERT INTO annals.episodes (group_id, id, content, content_hash, actor, thread_id, occurred_at, length)
		SELECT g, pg_temp.key('episode', g, n), 'said last week: ' || n, '', 'actor ' || n % 9, 'thread ' || n / 40,
			'2024-01-01'::timestamptz + n * interval '1 minute', 4
		FROM sizes, generate_series(1, episodes) n`,
	// The first entity is a hub: every tenth fact is about it.
	`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id, length)
		SELECT g, pg_temp.key('fact', g, n), pg_temp.key('entity', g, CASE WHEN n % 10 = 0 THEN 1 ELSE 2 + n % (entities - 1) END),
			pg_temp.key('entity', g, 2 + (n + 5 + n % 13) % (entities - 1)), 'P' || n % 20, 'fact ' || n,
			CASE WHEN n % 10 = 1 THEN tstzrange('2020-01-01', '2021-01-01') ELSE tstzrange('2020-01-01', NULL) END,
			pg_temp.key('fact', g, n), 4
		FROM sizes, generate_series(1, facts) n`,
	`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
		SELECT g, pg_temp.key('fact', g, n), pg_temp.key('episode', g, 1 + n % episodes), 'states' FROM sizes, generate_series(1, facts) n`,
	`INSERT INTO annals.mentions (group_id, episode_id, entity_id)
		SELECT g, pg_temp.key('episode', g, n), pg_temp.key('entity', g, 1 + (n * m) % entities)
		FROM sizes, generate_series(1, episodes) n, generate_series(1, 2) m ON CONFLICT DO NOTHING`,
	`INSERT INTO annals.facts_history (group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, statement_id, evidence)
		SELECT f.group_id, f.id, f.source_id, f.target_id, f.predicate, f.fact, false, '{}', f.valid, '[2024-01-01,2024-06-01)', '2024-01-01', f.id, '{}'
		FROM sizes, generate_series(1, facts, 20) n JOIN annals.facts f ON f.id = pg_temp.key('fact', 'large', n) WHERE g = 'large'`,
	// Of the four terms of a row one is in every row, one in 1 of 100, two are rare.
	`INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
		SELECT g, kind, t.term, pg_temp.key(kind::text, g, n), 1, 4
		FROM sizes, LATERAL (VALUES ('fact'::annals.kind, facts), ('entity', entities), ('episode', episodes), ('community', communities)) k(kind, rows),
			generate_series(1, rows) n, LATERAL (VALUES ('common'), ('hundredth' || n % 100), ('rare' || n % 3001), ('own' || n)) t(term)`,
	`SET session_replication_role = origin`,
	`DELETE FROM annals.settings WHERE name = 'embedding_dimension'`,
	`SELECT annals.fix_embedding_dimension(32)`, // smaller vectors load faster
	`SET session_replication_role = replica`,
}

// loadVectors are spread over the rows by their number.
const loadVectors = `INSERT INTO annals.%[1]s_embeddings (group_id, model, %[1]s_id, embedding)
	SELECT g, 'm', pg_temp.key('%[1]s', g, n), ARRAY(SELECT sin(n * d * 0.37 + d) FROM generate_series(1, 32) d)::real[]::halfvec(32)
	FROM sizes, generate_series(1, %[2]s) n`

func openLarge(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := open(t)
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	statements := slices.Clone(loadGroups)
	for kind, rows := range map[string]string{"fact": "facts", "entity": "entities", "episode": "episodes", "community": "communities"} {
		statements = append(statements, fmt.Sprintf(loadVectors, kind, rows))
	}
	for _, statement := range statements {
		began := time.Now()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		t.Log(time.Since(began), statement[:min(70,len(statement))])
	}
	if _, err := db.BuildVectorIndexes(t.Context(), pool, "indexed", 1500); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"large", "indexed"} {
		if err := db.New(pool).StatisticsRefresh(t.Context(), group); err != nil {
			t.Fatal(err)
		}
		if err := db.New(pool).FrequentTermsRefresh(t.Context(), group); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, pool, `VACUUM (ANALYZE) annals.facts_history, annals.groups, annals.communities, annals.search_statistics, annals.frequent_terms`)
	if err := db.VacuumSearch(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return pool
}

// keys are the ids of some rows of the large group.
func keys(t *testing.T, pool *pgxpool.Pool, kind string, n int) []uuid.UUID {
	t.Helper()
	return one[[]uuid.UUID](t, pool, `SELECT array_agg(md5($1::text || 'large' || n)::uuid) FROM generate_series(1, $2::int) n`, kind, n)
}

// node is a step of a plan that was run.
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

// read is how many rows of tables the plan looked at.
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
var smallTables = []string{"groups", "search_statistics", "frequent_terms", "vector_indexes", "settings"}

// hot is a query that searching rests on and the plan it is to have.
type hot struct {
	run   run
	steps []string // that it must have
	most  int      // rows that it may look at
	sort  string   // that it must have; empty: any in memory
}

// faults are what is wrong with a plan.
func (h hot) faults(plan node) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	found := map[string]bool{}
	for n := range plan.all {
		found[strings.TrimSpace(n.Type+" "+n.Index)] = true
		found[n.Sort] = true
		if n.Type == "Seq Scan" && !slices.Contains(smallTables, n.Relation) {
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
	conn *pgx.Conn
	plan node
}

var errExplained = errors.New("explained")

func (e *explainer) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errors.ErrUnsupported
}

func (e *explainer) QueryRow(context.Context, string, ...any) pgx.Row {
	panic("no query of search gives a single row")
}

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
	_, err := e.Query(ctx, batch.QueuedQueries[last].SQL, batch.QueuedQueries[last].Arguments...)
	return noResults{err: err}
}

// noResults are those of a batch of which only an error is asked.
type noResults struct {
	pgx.BatchResults
	err error
}

func (r noResults) Close() error { return r.err }

// explain prepares a statement, as pgx does with all it runs, and has the
// server tell how it executes it. EXPLAIN takes no arguments for EXECUTE, hence
// the literals.
func (e *explainer) explain(ctx context.Context, sql string, args []any) (node, error) {
	const name = "explained"
	prepared, err := e.conn.Prepare(ctx, name, sql)
	if err != nil {
		return node{}, err
	}
	defer func() { _ = e.conn.Deallocate(ctx, name) }()
	literals := make([]string, len(args))
	for i, arg := range args {
		text, err := e.conn.TypeMap().Encode(prepared.ParamOIDs[i], pgtype.TextFormatCode, arg, nil)
		if err != nil {
			return node{}, fmt.Errorf("argument %d: %w", i+1, err)
		}
		literals[i] = "NULL"
		if text != nil {
			literals[i] = "'" + strings.ReplaceAll(string(text), "'", "''") + "'"
		}
	}
	execute := "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE " + name + "(" + strings.Join(literals, ", ") + ")"
	var document []byte
	if err := e.conn.QueryRow(ctx, execute, pgx.QueryExecModeSimpleProtocol).Scan(&document); err != nil {
		return node{}, err
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal(document, &plans); err != nil {
		return node{}, err
	}
	return plans[0].Plan, nil
}

// asPgx runs do as pgx would after a few times with a plan that suits any
// arguments, and as it does the first times with one for these.
func asPgx(t *testing.T, pool *pgxpool.Pool, do func(*testing.T, *pgx.Conn)) {
	t.Helper()
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		t.Run(mode, func(t *testing.T) {
			err := pool.AcquireFunc(t.Context(), func(c *pgxpool.Conn) error {
				return pgx.BeginFunc(t.Context(), c, func(tx pgx.Tx) error {
					if _, err := tx.Exec(t.Context(), `SELECT set_config('plan_cache_mode', $1, true)`, mode); err != nil {
						return err
					}
					do(t, tx.Conn())
					return nil
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func somewhere() []float32 {
	v := make([]float32, 32)
	for i := range v {
		v[i] = float32(i%5) - 2
	}
	return v
}

type run = func(context.Context, *db.Queries) error

// query is a call of a query of search.
func query[P, R any](call func(*db.Queries, context.Context, P) (R, error), params P) run {
	return func(ctx context.Context, q *db.Queries) error {
		_, err := call(q, ctx, params)
		return err
	}
}

// words is a search by words, narrowed where there is a filter.
func words(kind graph.Kind, text, filter string) run {
	p := db.RankByTermsParams{GroupID: "large", Kind: kind, MaxRows: 50, Query: text}
	if filter != "" {
		p.Narrowed, p.Filter = true, []byte(filter)
	}
	return query((*db.Queries).RankByTerms, p)
}

// near is a search of facts by vector, by the group's index if it has one.
func near(t *testing.T, pool *pgxpool.Pool, group string, narrow func(*db.Nearest)) run {
	t.Helper()
	n := db.Nearest{Kind: graph.KindFact, GroupID: group, Model: "m", Vector: somewhere(), Limit: 50}
	narrow(&n)
	var err error
	if n.Indexes, err = db.New(pool).VectorIndexes(t.Context(), group, "m"); err != nil {
		t.Fatal(err)
	}
	return query((*db.Queries).NearestRows, n)
}

const topN = "top-N heapsort"

// What searching by words, by vector and along the graph costs in a group of
// 20,000 facts.
func hotQueries(t *testing.T, pool *pgxpool.Pool) map[string]hot {
	t.Helper()
	const (
		some     = "hundredth7 rare3 common"
		filter   = `{"predicates": ["P7"]}`
		postings = "Index Only Scan postings_pkey"
		vectors  = "Index Only Scan fact_embeddings_pkey"
	)
	indexed := "Index Scan " + one[string](t, pool, `SELECT index_name FROM annals.vector_indexes WHERE group_id = 'indexed' AND kind = 'fact'`)
	vector, entities := db.Vector(somewhere()), keys(t, pool, "entity", 50)
	everything := func(n *db.Nearest) { n.IncludeEnded = true }
	inForce := func(*db.Nearest) {}
	narrowed := func(n *db.Nearest) { n.Narrowed, n.Filter = true, []byte(filter) }
	return map[string]hot{
		"words, facts":           {words(graph.KindFact, some, ""), []string{postings, "Index Scan facts_pkey"}, 1000, ""},
		"words, facts, narrowed": {words(graph.KindFact, some, filter), []string{postings}, 25_000, ""},
		"words, entities":        {words(graph.KindEntity, some, ""), []string{postings}, 300, ""},
		"words, episodes":        {words(graph.KindEpisode, some, ""), []string{postings}, 500, ""},
		"words, communities":     {words(graph.KindCommunity, some, ""), []string{postings}, 500, ""},
		"words, all frequent":    {words(graph.KindEpisode, "common", ""), []string{postings}, 8100, ""},

		"vector, facts": {
			query((*db.Queries).FactsByVector, db.FactsByVectorParams{GroupID: "large", Model: "m", Embedding: vector, MaxRows: 50}),
			[]string{vectors, "Index Scan facts_pkey"},
			20_200, "",
		},
		"vector, entities": {
			query((*db.Queries).EntitiesByVector, db.EntitiesByVectorParams{GroupID: "large", Model: "m", Embedding: vector, MaxRows: 50}),
			[]string{"Index Only Scan entity_embeddings_pkey"},
			4000, topN,
		},
		"vector, episodes": {
			query((*db.Queries).EpisodesByVector, db.EpisodesByVectorParams{GroupID: "large", Model: "m", Embedding: vector, MaxRows: 50}),
			[]string{"Index Only Scan episode_embeddings_pkey"},
			8000, topN,
		},
		"vector, communities": {
			query((*db.Queries).CommunitiesByVector, db.CommunitiesByVectorParams{GroupID: "large", Model: "m", Embedding: vector, MaxRows: 50}),
			[]string{"Index Only Scan community_embeddings_pkey"},
			300, topN,
		},
		"vector, exact":             {near(t, pool, "large", everything), []string{vectors}, 20_000, topN},
		"vector, exact, in force":   {near(t, pool, "large", inForce), []string{vectors, "Index Scan facts_pkey"}, 20_500, topN},
		"vector, exact, narrowed":   {near(t, pool, "large", narrowed), []string{vectors}, 45_000, topN},
		"vector, indexed":           {near(t, pool, "indexed", everything), []string{indexed}, 200, ""},
		"vector, indexed, in force": {near(t, pool, "indexed", inForce), []string{indexed, "Index Scan facts_pkey"}, 400, ""},
		"vector, indexed, narrowed": {near(t, pool, "indexed", narrowed), []string{indexed}, 4000, ""},

		"facts around": {
			query((*db.Queries).FactsAround, db.FactsAroundParams{GroupID: "large", EntityIds: entities, MaxRows: 50}),
			[]string{"Index Only Scan facts_source", "Index Only Scan facts_target", "Index Scan facts_pkey"},
			1100, "",
		},
	}
}

// The rows of what was found, and what is beside them.
func hotReads(t *testing.T, pool *pgxpool.Pool) map[string]hot {
	t.Helper()
	facts, entities, episodes := keys(t, pool, "fact", 50), keys(t, pool, "entity", 50), keys(t, pool, "episode", 50)
	known := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	return map[string]hot{
		"facts": {
			query((*db.Queries).FactsByIDs, db.FactsByIDsParams{GroupID: "large", Ids: facts}),
			[]string{"Index Scan facts_pkey", "Index Scan entities_pkey", "Index Only Scan fact_episodes_pkey"},
			200, "",
		},
		"facts as known": {
			query((*db.Queries).FactsKnownByIDs, db.FactsKnownByIDsParams{GroupID: "large", Ids: facts, KnownAt: known}),
			[]string{"Index Scan facts_pkey", "Index Scan entities_pkey"},
			250, "",
		},
		"entities": {
			query((*db.Queries).EntitiesByIDs, db.EntitiesByIDsParams{GroupID: "large", Ids: entities}), []string{"Index Scan entities_pkey"}, 50, "",
		},
		"episodes": {
			query((*db.Queries).EpisodesByIDs, db.EpisodesByIDsParams{GroupID: "large", Ids: episodes}), []string{"Index Scan episodes_pkey"}, 50, "",
		},
		"episodes and their neighbours": {
			query((*db.Queries).EpisodeContexts, db.EpisodeContextsParams{GroupID: "large", Ids: episodes}),
			[]string{"Index Scan episodes_pkey", "Index Only Scan episodes_thread"},
			150, "",
		},
		"speakers": {
			query((*db.Queries).Actors, db.ActorsParams{GroupID: "large", MaxRows: 200}), []string{"Index Only Scan episodes_actor"}, 10, "",
		},
		"entities of episodes": {
			query((*db.Queries).EntitiesOfEpisodes, db.EntitiesOfEpisodesParams{GroupID: "large", EpisodeIds: episodes, MaxRows: 50}),
			[]string{"Index Only Scan mentions_pkey"},
			100, "",
		},
		"entities of late": {
			query((*db.Queries).EntitiesRecent, db.EntitiesRecentParams{GroupID: "large", Episodes: 50, MaxRows: 50}),
			[]string{"Index Only Scan Backward episodes_pkey", "Index Only Scan mentions_pkey"},
			150, "",
		},
		"mentions": {
			query((*db.Queries).EntityMentions, db.EntityMentionsParams{GroupID: "large", Ids: entities}),
			[]string{"Index Only Scan mentions_entity"},
			300, "",
		},
		"vectors": {
			query((*db.Queries).FactVectors, db.FactVectorsParams{GroupID: "large", Model: "m", Ids: facts}),
			[]string{"Index Only Scan fact_embeddings_pkey"},
			50, "",
		},
	}
}

// Every query of a search reads what it needs by the index meant for it,
// however large the group is and whatever is beside it.
func TestSearchPlans(t *testing.T) {
	t.Parallel()
	pool := openLarge(t)
	all := hotQueries(t, pool)
	maps.Copy(all, hotReads(t, pool))
	asPgx(t, pool, func(t *testing.T, conn *pgx.Conn) {
		for name, h := range all {
			e := &explainer{conn: conn}
			if err := h.run(t.Context(), db.New(e)); !errors.Is(err, errExplained) {
				t.Fatalf("%s: %v", name, err)
			}
			for _, fault := range h.faults(e.plan) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	})
	asPgx(t, pool, func(t *testing.T, conn *pgx.Conn) { walkPlans(t, pool, conn) })
}

// walkPlans counts how often a walk reads facts by which index: what a function
// does is in no plan.
func walkPlans(t *testing.T, pool *pgxpool.Pool, conn *pgx.Conn) {
	t.Helper()
	scans := func(relation string) (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), `SELECT pg_stat_get_xact_numscans($1::text::regclass)`, "annals."+relation).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const seeds = 5
	before := map[string]int{}
	relations := []string{"facts", "facts_source", "facts_target", "entities", "entities_pkey"}
	for _, r := range relations {
		before[r] = scans(r)
	}
	reached, err := db.New(conn).Neighborhood(t.Context(), db.NeighborhoodParams{
		GroupID: "large", SeedIds: keys(t, pool, "entity", seeds), Hops: 1, MaxRows: 300,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(reached) <= seeds {
		t.Fatalf("the walk reached %d entities", len(reached))
	}
	// Sequential scans are counted with the table, others with the index.
	want := map[string]int{"facts": 0, "facts_source": seeds, "facts_target": seeds, "entities": 0, "entities_pkey": len(reached)}
	for _, r := range relations {
		if got := scans(r) - before[r]; got != want[r] {
			t.Errorf("a walk scans %s %d times, want %d", r, got, want[r])
		}
	}
}
