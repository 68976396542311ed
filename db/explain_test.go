package db_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// A large group among twenty small ones. The rows are numbered; the id of a
// row is its number.
//
// loadGroups writes past the triggers, which would take ten times as long.
var loadGroups = []string{
	`SET session_replication_role = replica`,
	`SET synchronous_commit = off`,
	`CREATE TEMP TABLE sizes AS
		SELECT 'large' AS g, 12000 AS facts, 2000 AS entities, 4000 AS episodes, 300 AS communities
		UNION ALL SELECT 'small' || n, 200, 50, 100, 10 FROM generate_series(1, 20) n`,
	`CREATE FUNCTION pg_temp.key(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$`,
	`INSERT INTO annals.groups (group_id, text_search, text_search_from) SELECT g, 'annals.english', 'default' FROM sizes`,
	`INSERT INTO annals.entities (group_id, id, name, length)
		SELECT g, pg_temp.key(n), 'entity ' || n, 3 FROM sizes, generate_series(1, entities) n`,
	`INSERT INTO annals_internal.entity_names (group_id, name_key, entity_id) SELECT group_id, name, id FROM annals.entities`,
	`INSERT INTO annals.communities (group_id, id, name, length)
		SELECT g, pg_temp.key(n), 'community ' || n, 3 FROM sizes, generate_series(1, communities) n`,
	`INSERT INTO annals.episodes (group_id, id, content, content_hash, authority, actor, thread_id, occurred_at, length, says_when, metadata)
		SELECT g, pg_temp.key(n), 'said last week: ' || n, '', 'user', 'actor ' || n % 9, 'thread ' || n / 40,
			'2024-01-01'::timestamptz + n * interval '1 minute', 3, true,
			jsonb_build_object('user_id', 'user ' || n % 100, 'agent_id', 'agent ' || n % 50, 'run_id', 'run ' || n / 40)
		FROM sizes, generate_series(1, episodes) n`,
	// The first entity is a hub: every tenth fact is about it. Every tenth gave
	// the one before an end.
	`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, told, valid, statement_id, length, bounded_by)
		SELECT g, pg_temp.key(n), pg_temp.key(CASE WHEN n % 10 = 0 THEN 1 ELSE 2 + n % (entities - 1) END),
			pg_temp.key(2 + (n + 5 + n % 13) % (entities - 1)), 'P' || n % 20, 'fact ' || n, 'fact ' || n,
			CASE WHEN n % 10 = 1 THEN tstzrange('2020-01-01', '2021-01-01') ELSE tstzrange('2020-01-01', NULL) END, pg_temp.key(n), 3,
			CASE WHEN n % 10 = 1 THEN pg_temp.key(n + 1) END
		FROM sizes, generate_series(1, facts) n`,
	`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
		SELECT g, pg_temp.key(n), pg_temp.key(1 + n * episodes / (facts + 1)), 'states' FROM sizes, generate_series(1, facts) n`,
	`INSERT INTO annals.mentions (group_id, episode_id, entity_id)
		SELECT g, pg_temp.key(n), pg_temp.key(1 + (n + m * 7) % entities) FROM sizes, generate_series(1, episodes) n, generate_series(1, 2) m`,
	`INSERT INTO annals_internal.entity_mentions (group_id, entity_id, name, mentions)
		SELECT e.group_id, e.id, e.name, count(m) FROM annals.entities e
		LEFT JOIN annals.mentions m ON m.group_id = e.group_id AND m.entity_id = e.id GROUP BY e.group_id, e.id`,
	// Of the three terms of a row one is in every row, one in 1 of 100, one is rare.
	`INSERT INTO annals_internal.postings (group_id, kind, term, document_id, tf, length)
		SELECT g, kind, term, pg_temp.key(n), 1, 3
		FROM sizes, LATERAL (VALUES ('fact'::annals.kind, facts), ('entity', entities), ('episode', episodes), ('community', communities)) k(kind, rows),
			generate_series(1, rows) n, LATERAL (VALUES ('common'), ('hundredth' || n % 100), ('rare' || n % 3001)) t(term)
		ORDER BY 1, 2, 3, 4`,
	// One of the small groups has all rejections of the database.
	`INSERT INTO annals.rejections (group_id, predicate, fact_id, told, terms, authority, door, written_by)
		SELECT 'small1', 'P1', pg_temp.key(n), ARRAY[sha256(n::text::bytea)], ARRAY['fact', 'word' || n], 'user', 'sql', 'app' FROM generate_series(1, 10000) n`,
	`DELETE FROM annals_internal.settings WHERE name = 'embedding_dimension'`,
	`SELECT annals_internal.fix_embedding_dimension(16)`, // the smaller, the faster they load
}

// loadVectors are spread over the rows by their number, those of two embedders, as
// while vectors are made anew.
const loadVectors = `INSERT INTO annals_internal.%[1]s_embeddings (group_id, model, %[1]s_id, embedding)
	SELECT g, model, pg_temp.key(n), ARRAY(SELECT sin(n * d * 0.37 + d) FROM generate_series(1, 16) d)::real[]::halfvec(16)
	FROM (VALUES ('m'), ('next')) AS x(model), sizes, generate_series(1, %[2]s) n`

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
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, group := range []string{"large", "small7"} {
		if err := db.RefreshStatistics(t.Context(), pool, group); err != nil { // packs the postings of these two
			t.Fatal(err)
		}
	}
	exec(t, pool, `VACUUM (ANALYZE) annals.groups, annals_internal.entity_names, annals_internal.entity_mentions, annals.communities, annals_internal.search_statistics, annals_internal.frequent_terms,
		annals_internal.postings, annals_internal.posting_blocks, annals.episodes, annals.entities, annals.facts, annals.mentions, annals.fact_episodes, annals.rejections,
		annals_internal.episode_embeddings, annals_internal.entity_embeddings, annals_internal.fact_embeddings, annals_internal.community_embeddings`)
	return pool
}

// keys are the ids of the first rows of any kind.
func keys(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		binary.BigEndian.PutUint64(ids[i][8:], uint64(i+1))
	}
	return ids
}

func somewhere(dimensions int) []float32 {
	v := make([]float32, dimensions)
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
	return byWords("large", db.Words{Kind: kind, MaxRows: 50, Text: text, Filter: filter})
}

func byWords(group string, w db.Words) run {
	return func(ctx context.Context, q *db.Queries) error {
		_, err := q.ByWords(ctx, group, nil, w)
		return err
	}
}

// near is a search by vector that compares all.
func near(kind graph.Kind, narrow func(*db.Nearest)) run {
	n := db.Nearest{Kind: kind, GroupID: "large", Model: "m", Vector: somewhere(16), Limit: 50}
	narrow(&n)
	return query((*db.Queries).NearestRows, n)
}

const topN = "top-N heapsort"

// hotQueries are the queries of searches by words, by vector and along the graph, in a group of
// 12,000 facts.
func hotQueries() map[string]hot {
	const (
		some     = "hundredth7 rare3 common"
		filter   = `{"predicates": ["P7"]}`
		postings = "Index Only Scan postings_pkey"
		blocks   = "Index Scan posting_blocks_pkey"
		vectors  = "Index Scan fact_embeddings_pkey"
	)
	everything := func(n *db.Nearest) { n.IncludeEnded = true }
	inForce := func(*db.Nearest) {}
	passages := func(n *db.Nearest) { n.Passages = true }
	narrowed := func(n *db.Nearest) { n.Narrowed, n.Filter = true, []byte(filter) }
	return map[string]hot{
		"words, facts":           {words(graph.KindFact, some, ""), []string{postings, blocks}, 600, ""},
		"words, facts, narrowed": {words(graph.KindFact, some, filter), []string{postings, blocks}, 600, ""},
		"words, entities":        {words(graph.KindEntity, some, ""), []string{postings, blocks}, 2100, ""},
		"words, episodes":        {words(graph.KindEpisode, some, ""), []string{postings, blocks}, 4100, ""},
		"words, communities":     {words(graph.KindCommunity, some, ""), []string{postings, blocks}, 700, ""},
		"words, frequent":        {words(graph.KindFact, "common", ""), []string{postings, blocks}, 2100, ""},

		"vector, facts":           {near(graph.KindFact, everything), []string{vectors}, 12_000, topN},
		"vector, facts in force":  {near(graph.KindFact, inForce), []string{vectors, "Index Only Scan facts_closed"}, 12_400, topN},
		"vector, facts, narrowed": {near(graph.KindFact, narrowed), []string{vectors, "Index Scan facts_pkey"}, 12_800, topN},
		"vector, entities":        {near(graph.KindEntity, inForce), []string{"Index Scan entity_embeddings_pkey"}, 2000, topN},
		"vector, episodes":        {near(graph.KindEpisode, inForce), []string{"Index Scan episode_embeddings_pkey"}, 4000, topN},
		"vector, passages":        {near(graph.KindEpisode, passages), []string{"Index Scan episode_embeddings_pkey"}, 4000, topN},
		"vector, communities":     {near(graph.KindCommunity, inForce), []string{"Index Scan community_embeddings_pkey"}, 300, topN},

		"facts around": {
			query((*db.Queries).FactsAround, db.FactsAroundParams{GroupID: "large", EntityIds: keys(50), Told: 10, MaxRows: 50}),
			[]string{"Index Scan facts_source", "Index Scan facts_target"},
			1000, "",
		},
		"when facts hold": {
			query((*db.Queries).FactTimes, db.FactTimesParams{GroupID: "large", Ids: keys(50)}), []string{"Index Scan facts_pkey"}, 50, "",
		},
		"facts around facts": {
			query((*db.Queries).FactsAround, db.FactsAroundParams{GroupID: "large", EntityIds: []uuid.UUID{}, FactIds: keys(5), Told: 10, MaxRows: 50}),
			[]string{"Index Scan facts_pkey", "Index Scan facts_source", "Index Scan facts_target"},
			1000, "",
		},
	}
}

// hotReads are the queries for the rows that were found, and for what is read beside them.
func hotReads() map[string]hot {
	const group = "large"
	ids := keys(50)
	return map[string]hot{
		"facts": {
			query((*db.Queries).FactsByIDs, db.FactsByIDsParams{GroupID: group, Ids: ids}),
			[]string{"Index Scan facts_pkey", "Index Scan entities_pkey", "Index Only Scan fact_episodes_pkey"},
			200, "",
		},
		"facts passing": {
			query((*db.Queries).FactsPassing, db.FactsPassingParams{GroupID: group, Ids: ids, Filter: []byte(`{"labels":["x"],"actors":["y"],"episodes":true}`)}),
			[]string{"Index Scan facts_pkey", "Index Scan entities_pkey"},
			300, "",
		},
		"entities passing": {
			query((*db.Queries).EntitiesPassing, db.EntitiesPassingParams{GroupID: group, Ids: ids, Filter: []byte(`{"labels":["x"]}`)}),
			[]string{"Index Scan entities_pkey"},
			50, "",
		},
		"episodes passing": {
			query((*db.Queries).EpisodesPassing, db.EpisodesPassingParams{GroupID: group, Ids: ids, Filter: []byte(`{"actors":["y"]}`)}),
			[]string{"Index Scan episodes_pkey"},
			50, "",
		},
		"entities": {
			query((*db.Queries).EntitiesByIDs, db.EntitiesByIDsParams{GroupID: group, Ids: ids}), []string{"Index Scan entities_pkey"}, 50, "",
		},
		"episodes": {
			query((*db.Queries).EpisodesByIDs, db.EpisodesByIDsParams{GroupID: group, Ids: ids}), []string{"Index Scan episodes_pkey"}, 50, "",
		},
		"episodes and their neighbours": {
			query((*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: group, Ids: ids, WithNeighbours: true}),
			[]string{"Index Scan episodes_pkey", "Index Only Scan episodes_thread"},
			6 * 50, "", // each, and with the two before and the two after
		},
		"messages that episodes answer": {
			query((*db.Queries).EpisodesAnswered, db.EpisodesAnsweredParams{GroupID: group, Ids: ids, MaxBytes: 400, Trust: "believed", Unexpired: true}),
			[]string{"Index Scan episodes_pkey", "Index Only Scan episodes_thread"},
			3 * 50, "",
		},
		"episodes that state facts": {
			query((*db.Queries).EpisodesAround, db.EpisodesAroundParams{GroupID: group, FactIds: ids, MostStating: 20}),
			[]string{"Index Only Scan fact_episodes_pkey"},
			20 * 50, "",
		},
		"words of episodes": {
			query((*db.Queries).EpisodeWords, db.EpisodeWordsParams{GroupID: group, Query: "harbour", Ids: ids}),
			[]string{"Index Scan episodes_pkey"},
			150, "",
		},
		"conversations of episodes": {
			query((*db.Queries).ThreadsOfEpisodes, db.ThreadsOfEpisodesParams{GroupID: group, Ids: ids, AssistantWeight: 1, MostMessages: 50}),
			[]string{"Index Scan episodes_pkey", "Index Only Scan episodes_thread"},
			50 * 52, "",
		},
		"entities of episodes": {
			query((*db.Queries).EntitiesOfEpisodes, db.EntitiesOfEpisodesParams{GroupID: group, EpisodeIds: ids, MaxRows: 50}),
			[]string{"Index Only Scan mentions_pkey"},
			100, "",
		},
		"entities of late": {
			query((*db.Queries).EntitiesRecent, db.EntitiesRecentParams{GroupID: group, Episodes: 50, MaxRows: 50}),
			[]string{"Index Only Scan episodes_pkey", "Index Only Scan mentions_pkey"},
			150, "",
		},
		"mentions": {
			query((*db.Queries).EntityMentions, db.EntityMentionsParams{GroupID: group, Ids: ids}),
			[]string{"Index Scan entity_mentions_pkey"},
			50, "",
		},
		"shape of a question": {
			query((*db.Queries).Shape, db.ShapeParams{GroupID: group, Model: "m", MaxActors: 200}),
			[]string{"Index Only Scan rejections_pkey", "Index Only Scan facts_closed", "Index Only Scan facts_ahead", "Index Only Scan facts_not_believed"},
			60, "",
		},
		"facts of named": {
			query((*db.Queries).NamedFacts, db.NamedFactsParams{GroupID: group, Query: "entity 7", Ids: []uuid.UUID{}, MaxRows: 200, Predicates: []string{"P1"}}),
			[]string{"Index Scan facts_source", "Index Scan facts_target", "Index Scan facts_source_predicate", "Index Scan facts_target_predicate"},
			300, "",
		},
		"facts of a hub": {
			query((*db.Queries).NamedFacts, db.NamedFactsParams{GroupID: group, Query: "entity 1", Ids: []uuid.UUID{}, MaxRows: 20, Predicates: []string{"P1"}}),
			[]string{"Index Scan facts_source", "Index Scan facts_source_predicate"},
			150, "", // none of its 1,200 is of the relation
		},
		"what became of episodes": {
			query((*db.Queries).FactsBehind, db.FactsBehindParams{GroupID: group, EpisodeIds: ids, FactIds: ids, Reading: time.Now()}),
			[]string{"Index Scan fact_episodes_episode", "Index Scan facts_statement"},
			600, "",
		},
		"what entities were": {
			query((*db.Queries).EndedOf, db.EndedOfParams{GroupID: group, Ids: ids, Reading: time.Now()}),
			[]string{"Index Scan facts_source", "Index Scan facts_target", "Index Scan facts_statement"},
			1500, "", // the newest facts of each, and those of their sentences
		},
		"entities by names": {
			query((*db.Queries).EntitiesByNames, db.EntitiesByNamesParams{GroupID: group, Names: []string{"Entity 7", "entity 8"}}),
			[]string{"Index Only Scan entity_names_pkey"},
			50, "",
		},
		"shape of few": {
			query((*db.Queries).Shape, db.ShapeParams{GroupID: "small7", Model: "m", MaxActors: 200}), []string{"Index Only Scan facts_closed"}, 30, "",
		},
		"postings of few": {
			byWords("small7", db.Words{Kind: graph.KindFact, Text: "hundredth7 common", Whole: true}),
			[]string{"Index Only Scan postings_pkey", "Index Scan posting_blocks_pkey"},
			210, "",
		},
		"versions of facts": {
			query((*db.Queries).ExploreFacts, db.ExploreFactsParams{GroupID: group, Ids: ids, MaxVersions: 20}), []string{"Index Scan facts_pkey"}, 100, "",
		},
		"vectors": {
			query((*db.Queries).Vectors, db.VectorsParams{GroupID: group, Kind: graph.KindFact, Model: "m", Ids: ids}),
			[]string{"Index Scan fact_embeddings_owner"},
			100, "", // of both embedders
		},
	}
}

// hotLists are a page of each list, from the middle if that has another plan.
func hotLists() map[string]hot {
	const group, rows = "large", 50
	at, id := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC), keys(100)[99]
	began, mentions, name := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), int32(4), "entity 5"
	return map[string]hot{
		"episodes": {
			query((*db.Queries).EpisodeList, db.EpisodeListParams{GroupID: group, Trust: "believed", MaxRows: rows}), []string{"Index Scan episodes_occurred"}, rows, "",
		},
		"episodes, further": {
			query((*db.Queries).EpisodeList, db.EpisodeListParams{GroupID: group, Trust: "believed", BeforeAt: &at, BeforeID: &id, MaxRows: rows}),
			[]string{"Index Scan episodes_occurred"},
			rows, "",
		},
		"episodes that failed": {
			query((*db.Queries).EpisodeListUnread, db.EpisodeListUnreadParams{GroupID: group, Trust: "believed", State: graph.StateFailed, MaxRows: rows}),
			[]string{"Index Scan episodes_unread"},
			0, "",
		},
		"episodes of a thread": {
			query((*db.Queries).EpisodeListOfThread, db.EpisodeListOfThreadParams{GroupID: group, Trust: "believed", ThreadID: "thread 7", MaxRows: rows}),
			[]string{"Index Scan episodes_thread"},
			rows, "",
		},
		"entities": {
			query((*db.Queries).EntityList, db.EntityListParams{GroupID: group, MaxRows: rows}),
			[]string{"Index Scan entities_pkey"},
			2 * rows, "",
		},
		"entities, further": {
			query((*db.Queries).EntityList, db.EntityListParams{GroupID: group, AfterMentions: &mentions, AfterName: &name, AfterID: &id, MaxRows: rows}),
			[]string{"Index Scan entities_pkey"},
			2 * rows, "",
		},
		"communities": {
			query((*db.Queries).CommunityList, db.CommunityListParams{GroupID: group, MaxRows: rows}), []string{"Index Scan communities_biggest"}, rows, "",
		},
		"facts": {
			query((*db.Queries).FactList, db.FactListParams{GroupID: group, MaxRows: rows}), []string{"Index Scan facts_began"}, 4 * rows, "",
		},
		"facts, further": {
			query((*db.Queries).FactList, db.FactListParams{GroupID: group, AfterValid: &began, AfterID: &id, MaxRows: rows}),
			[]string{"Index Scan facts_began"},
			4 * rows, "",
		},
		"facts of an entity": {
			query((*db.Queries).FactListOf, db.FactListOfParams{GroupID: group, EntityID: id, MaxRows: rows}), nil, 4 * rows, "",
		},
		"timeline": {
			query((*db.Queries).Timeline, db.TimelineParams{GroupID: group, MaxRows: rows}),
			[]string{"Index Scan facts_began", "Index Scan facts_ended", "Index Scan facts_statement"},
			5 * rows, "",
		},
		"timeline, the latest first": {
			query((*db.Queries).Timeline, db.TimelineParams{GroupID: group, AsOf: &began, LatestFirst: true, MaxRows: rows}),
			[]string{"Index Scan facts_began", "Index Scan facts_ended"},
			5 * rows, "",
		},
		"threads": {
			query((*db.Queries).ThreadList, db.ThreadListParams{GroupID: group, MaxRows: 10}),
			[]string{"Index Scan episodes_occurred"},
			1700, "", // four times the forty messages of each
		},
	}
}

// Every query of a search, and every list, reads its rows by the index meant for it, however large
// its group and the other groups are.
func TestSearchPlans(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	pool := openLarge(t)
	inMode(t, pool, "force_custom_plan", func(t *testing.T, e *explainer) {
		checkPlans(t, e, hotQueries())
		checkPlans(t, e, hotLists())
		checkPlans(t, e, hotComparisons())
	})
	inMode(t, pool, "force_generic_plan", func(t *testing.T, e *explainer) {
		checkPlans(t, e, hotQueries())
		checkPlans(t, e, hotReads())
		checkPlans(t, e, hotLists())
		checkPlans(t, e, hotComparisons())
		checkWalk(t, e.conn)
		checkScopes(t, e)
		checkNames(t, e)
		checkFunctions(t, e)
	})
	inMode(t, pool, "as tenant", func(t *testing.T, e *explainer) {
		checkPlans(t, e, hotQueries())
		checkPlans(t, e, hotReads())
		checkNamed(t, e, "large")
	})
	checkUnknown(t, pool)
}

// checkUnknown checks that no query reads a group more than once for each table, if the database
// was just loaded and has no statistics: the planner then takes any index that begins with the
// group to be as good as the next.
func checkUnknown(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	exec(t, pool, `DELETE FROM pg_statistic`)
	exec(t, pool, `UPDATE pg_class SET reltuples = -1, relallvisible = 0 WHERE relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)`)
	t.Run("nothing known", func(t *testing.T) {
		const most = 25_000 // the large group has 12,000 facts and as many citations
		for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
			inMode(t, pool, mode, func(t *testing.T, e *explainer) {
				for _, all := range []map[string]hot{hotQueries(), hotReads(), hotLists()} {
					for name, h := range all {
						if rows := e.planOf(t, name, h.run).read(); rows > most {
							t.Errorf("%s: looks at %d rows, want no more than %d", name, rows, most)
						}
					}
				}
			})
		}
	})
}

func checkPlans(t *testing.T, e *explainer, all map[string]hot) {
	t.Helper()
	for name, h := range all {
		for _, fault := range h.faults(e.planOf(t, name, h.run)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}
