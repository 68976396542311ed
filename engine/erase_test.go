package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// secret are the words that must not be found after erasing. Zarathox and Quillby are names,
// Vexelberg is a place, and xylotransit is a word that is its own stem.
var secret = []string{"zarathox", "quillby", "vexelberg", "xylotransit"}

// traces lists the places that hold one of the words: see [pgtest.Traces].
func (m *memory) traces(words ...string) []string {
	m.t.Helper()
	return pgtest.Traces(m.t, m.pool.Config().ConnString(), words...)
}

// plant stores the secret words in every table. It returns the ids of the episodes with these
// words, and those of the others.
func (m *memory) plant(group string) (secretIDs, others []uuid.UUID) {
	m.t.Helper()
	said := func(day, actor, content, thread string) graph.Episode {
		return graph.Episode{Actor: actor, Content: content, OccurredAt: date(day), ThreadID: thread, ExternalID: day + actor}
	}
	ids := m.hear(group, []graph.Episode{
		said("2024-01-01", "Alice", "I live in Paris.", "one"),
		said("2024-01-02", "Alice", "I work at Siemens.", "one"),
		said("2024-02-01", "Alice", "I moved to Vexelberg last week.", "one"),
		said("2024-02-02", "Zarathox Quillby", "I live in Vexelberg. I like xylotransit rides.", "one"),
		said("2024-02-03", "Alice", "Zarathox Quillby works at Siemens.", "one"),
		said("2024-03-01", "Alice", "I no longer work at Siemens.", "one"),
		said("2024-03-02", "Bob", "I play tennis with Alice.", "two"),
	})
	m.exec(`INSERT INTO annals.threads (group_id, id, summary, through_at, through_id)
		SELECT group_id, 'one', 'Zarathox Quillby likes the xylotransit in Vexelberg.', occurred_at, id FROM annals.episodes
		WHERE group_id = $1 AND thread_id = 'one' ORDER BY occurred_at DESC LIMIT 1`, group)
	m.exec(`INSERT INTO annals.model_calls (group_id, id, episode_id, kind, prompt, version, model, key, input_tokens, cached_tokens,
			output_tokens, latency, from_cache, repair, answer)
		SELECT group_id, gen_random_uuid(), id, 'chat', 'p', 1, 'm', '\x01', 10, 0, 10, '1s', false, false, '{"name": "Zarathox in Vexelberg"}'
		FROM annals.episodes WHERE group_id = $1`, group)
	m.exec(`INSERT INTO annals_internal.river_job (args, kind, max_attempts, state, finalized_at, errors)
		VALUES (jsonb_build_object('group_id', $1::text), 'drain', 25, 'cancelled', now(), ARRAY['{"error": "no answer to Zarathox"}'::jsonb])`, group)
	m.exec(`INSERT INTO annals_internal.run_spans (group_id, trace_id, span_id, span) VALUES ($1, '1', '2', '{"tool": "travel", "result": "Zarathox is in Vexelberg"}')`, group)
	if _, err := m.engine.BuildCommunities(m.t.Context(), group); err != nil {
		m.t.Fatal(err)
	}
	for _, summary := range []string{"Of Zarathox Quillby and Vexelberg.", "Of Zarathox Quillby and the xylotransit."} {
		m.exec(`UPDATE annals.communities c SET summary = $2 WHERE c.group_id = $1 AND EXISTS (
			SELECT FROM annals.community_members m JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
			WHERE m.group_id = c.group_id AND m.community_id = c.id AND e.name = 'Zarathox Quillby')`, group, summary)
	}
	// A deleted fact has its vector in the history.
	m.exec(`DELETE FROM annals.facts WHERE group_id = $1 AND fact LIKE '%xylotransit%'`, group)
	m.exec(`INSERT INTO annals_internal.frequent_terms (group_id, kind, term, documents) VALUES ($1, 'episode', 'xylotransit', 3000)`, group)
	m.exec(`SELECT annals_internal.pack_postings($1, p.kind, array_agg(DISTINCT p.term)) FROM annals_internal.all_postings p WHERE p.group_id = $1 GROUP BY p.kind`, group)
	m.exec("ANALYZE")
	return ids[2:5], append(append([]uuid.UUID{}, ids[:2]...), ids[5:]...)
}

func (m *memory) exec(statement string, args ...any) {
	m.t.Helper()
	if _, err := m.pool.Exec(m.t.Context(), statement, args...); err != nil {
		m.t.Fatalf("%s: %v", statement, err)
	}
}

func (m *memory) add(group, content, externalID string, force bool) error {
	return pgx.BeginFunc(m.t.Context(), m.pool, func(tx pgx.Tx) error {
		_, err := intake.Store(m.t.Context(), tx, []graph.Episode{{
			GroupID: group, Content: content, ExternalID: externalID, OccurredAt: date("2024-05-01"), Force: force,
		}})
		return err
	})
}

func TestErasingEpisodesLeavesNoTrace(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.hear("other", []graph.Episode{{Actor: "Carla", Content: "I live in Oslo.", OccurredAt: date("2024-01-01")}})
	other := m.believed("other")
	secretIDs, others := m.plant("g")
	if found := m.traces(secret...); len(found) < 20 {
		t.Fatalf("the words stand in %v only; the scan would find nothing anyway", found)
	}
	ids := make([]string, len(secretIDs))
	for i, id := range secretIDs {
		ids[i] = id.String()
	}
	if found := m.traces(ids...); !contain(found, "posting_blocks.ids", "facts.caused_by", "facts_history.caused_by", "entities.caused_by", "entities_history.ended_by") {
		t.Fatalf("the ids of the episodes stand in %v only", found)
	}
	past := m.pastVectors("g")
	if len(past) == 0 {
		t.Fatal("there are no vectors of what is no more")
	}
	certificate, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: secretIDs})
	if err != nil {
		t.Fatal(err)
	}
	if found := m.traces(secret...); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	// The certificate names the ids, to follow copies and backups by them.
	if found := m.traces(ids...); !slices.Equal(found, []string{"erasures.certificate", "pg_dump"}) {
		t.Errorf("ids of the episodes are still found in %v", found)
	}
	if left := m.pastVectors("g"); len(left) > 0 {
		t.Errorf("vectors of what is erased are left: %q, of %q", left, past)
	}
	if certificate.Scope != "episode" || certificate.Episodes != 3 || len(certificate.Tombstones) != 6 || len(certificate.Removed) < 8 {
		t.Errorf("the certificate says %+v", certificate)
	}
	m.holdsOnly("g", others)
	if diff := cmp.Diff(other, m.believed("other")); diff != "" {
		t.Errorf("another group changed (-before +after):\n%s", diff)
	}
	m.hear("without", []graph.Episode{
		{Actor: "Alice", Content: "I live in Paris.", OccurredAt: date("2024-01-01"), ThreadID: "one"},
		{Actor: "Alice", Content: "I work at Siemens.", OccurredAt: date("2024-01-02"), ThreadID: "one"},
		{Actor: "Alice", Content: "I no longer work at Siemens.", OccurredAt: date("2024-03-01"), ThreadID: "one"},
		{Actor: "Bob", Content: "I play tennis with Alice.", OccurredAt: date("2024-03-02"), ThreadID: "two"},
	})
	if diff := cmp.Diff(m.believed("without"), m.believed("g")); diff != "" {
		t.Errorf("what is left (-expected +got):\n%s", diff)
	}
}

// contain reports whether found holds all of these.
func contain(found []string, these ...string) bool {
	return !slices.ContainsFunc(these, func(one string) bool { return !slices.Contains(found, one) })
}

// pastVectors lists the vectors of a group that stand for deleted rows.
func (m *memory) pastVectors(group string) []string {
	m.t.Helper()
	rows, err := m.pool.Query(m.t.Context(), "SELECT format('%s %s %s', kind, id, until) FROM annals_internal.embeddings_history WHERE group_id = $1", group)
	if err != nil {
		m.t.Fatal(err)
	}
	vectors, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		m.t.Fatal(err)
	}
	return vectors
}

// holdsOnly checks that the group holds exactly these episodes.
func (m *memory) holdsOnly(group string, ids []uuid.UUID) {
	m.t.Helper()
	rows, err := m.pool.Query(m.t.Context(), "SELECT id FROM annals.episodes WHERE group_id = $1 ORDER BY id", group)
	if err != nil {
		m.t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		m.t.Fatal(err)
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		m.t.Errorf("episodes left (-want +got):\n%s", diff)
	}
}

func TestErasingAnEntityTakesTheEpisodesThatNameIt(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	_, others := m.plant("g")
	err := pgx.BeginFunc(t.Context(), m.pool, func(tx pgx.Tx) error { // deferred: it was never read
		_, err := intake.Store(t.Context(), tx, []graph.Episode{{GroupID: "g", Content: "Ask zarathox  QUILLBY about it.", Deferred: true}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	m.exec(`INSERT INTO annals_internal.batch_items (group_id, batch_id, place, episode_id, item) VALUES
		('g', gen_random_uuid(), 0, gen_random_uuid(), jsonb_build_object('Content', E'Later\nZarathox Quillby came.')),
		('g', gen_random_uuid(), 1, gen_random_uuid(), '{"Content": "Nobody came."}')`)
	m.exec(`INSERT INTO annals.threads (group_id, id, created_at, metadata) VALUES
		('g', 'zarathox-quillby', now(), '{}'), ('g', 'three', now(), '{"with": "Zarathox Quillby"}'), ('g', 'four', now(), '{"with": "Bob"}')`)
	entity, err := m.engine.FindEntity(t.Context(), "g", "Zarathox Quillby")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EntityID: entity.ID})
	if err != nil {
		t.Fatal(err)
	}
	if certificate.Episodes != 3 {
		t.Errorf("%d episodes were erased, not the 3 that name the entity", certificate.Episodes)
	}
	if found := m.traces("zarathox", "quillby", "xylotransit"); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	if n := len(others); n != 4 {
		t.Errorf("%d others", n)
	}
	var items, threads int
	if err := m.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM annals_internal.batch_items WHERE group_id = 'g'),
		(SELECT count(*) FROM annals.threads WHERE group_id = 'g' AND (id, metadata) IN (('three', '{}'), ('four', '{"with": "Bob"}')))`).Scan(&items, &threads); err != nil || items != 1 || threads != 2 {
		t.Errorf("of those that name somebody else %d items and %d threads are left (%v), want 1 and 2", items, threads, err)
	}
}

func TestErasingAGroupLeavesNoTrace(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.plant("vexelberg-zarathox")
	m.plantAgent("vexelberg-zarathox")
	m.plantService("vexelberg-zarathox")
	m.exec("INSERT INTO annals_internal.settings (group_id, name, value) VALUES ('vexelberg-zarathox', 'x', '1')")
	m.plant("kept")
	m.exec("UPDATE annals.groups SET kind = 'user' WHERE group_id = 'vexelberg-zarathox'")
	m.exec("INSERT INTO annals_internal.batches (group_id, id, groups) VALUES ('app', gen_random_uuid(), '{kept,vexelberg-zarathox}')")
	if _, err := embeddings.BuildIndexes(t.Context(), m.pool, "vexelberg-zarathox", 2); err != nil {
		t.Fatal(err)
	}
	kept := m.believed("kept")
	if found := m.traces("vexelberg-zarathox"); !strings.Contains(strings.Join(found, " "), "pg_indexes") {
		t.Fatalf("no index names the group: %v", found)
	}
	if _, err := m.engine.Erase(t.Context(), erase.Erasure{UserID: "kept"}); graph.CodeOf(err) != graph.CodeNotFound {
		t.Errorf("a group that is no user: %v", err)
	}
	certificate, err := m.engine.Erase(t.Context(), erase.Erasure{UserID: "vexelberg-zarathox"})
	if err != nil {
		t.Fatal(err)
	}
	if found := m.traces("vexelberg-zarathox"); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	if diff := cmp.Diff(kept, m.believed("kept")); diff != "" {
		t.Errorf("another group changed (-before +after):\n%s", diff)
	}
	if certificate.Scope != "user" || certificate.Episodes != 13 || len(certificate.Tombstones) != 1 || certificate.ErasedAt.After(time.Now()) {
		t.Errorf("the certificate says %+v", certificate)
	}
	if err := m.add("vexelberg-zarathox", "Hello.", "", false); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("the group comes back unasked: %v", err)
	}
	if err := m.add("vexelberg-zarathox", "Hello.", "", true); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("the group comes back because an episode is forced: %v", err)
	}
	if made, err := m.engine.CreateGroup(t.Context(), graph.Group{ID: "vexelberg-zarathox", Kind: graph.GroupUser, Force: true}); err != nil || !made {
		t.Errorf("the group does not come back when forced: %v, made %v", err, made)
	}
	if err := m.add("vexelberg-zarathox", "Hello again.", "", false); err != nil {
		t.Errorf("the group that came back takes nothing in: %v", err)
	}
}

func TestWhatWasErasedIsRefused(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	secretIDs, _ := m.plant("g")
	if _, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: secretIDs[:1]}); err != nil {
		t.Fatal(err)
	}
	const content = "I moved to Vexelberg last week."
	for _, test := range []struct {
		name, group, content, externalID string
		refused                          bool
	}{
		{"the same content", "g", content, "", true},
		{"in other spelling", "g", "  i moved to  VEXELBERG last week.", "", true},
		{"under its external id", "g", "Something else.", "2024-02-01Alice", true},
		{"in another group", "h", content, "", false},
		{"other content", "g", "I moved to Vexelberg.", "", false},
	} {
		err := m.add(test.group, test.content, test.externalID, false)
		if refused := graph.CodeOf(err) == graph.CodeConflict; refused != test.refused || err != nil && !refused {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "vexelberg") {
			t.Errorf("%s: the error repeats what was erased: %v", test.name, err)
		}
	}
	if _, err := m.pool.Exec(t.Context(), "INSERT INTO annals.episodes (group_id, id, content) VALUES ('g', gen_random_uuid(), $1)", content); err == nil {
		t.Error("an INSERT by hand is not refused")
	}
	if err := m.add("g", content, "", true); err != nil {
		t.Errorf("forced: %v", err)
	}
	if err := m.add("g", content, "", false); err != nil {
		t.Errorf("after it was forced: %v", err)
	}
}
