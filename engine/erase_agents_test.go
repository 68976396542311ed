package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	samID   = "01890000-0000-7000-8000-00000000a9e7"
	blockID = "01890000-0000-7000-8000-0000000b10c5"
)

// queued stores deferred episodes, which no model reads, as agents' episodes are.
func (m *memory) queued(group string, episodes ...graph.Episode) []uuid.UUID {
	m.t.Helper()
	for i := range episodes {
		episodes[i].GroupID, episodes[i].Deferred = group, true
	}
	var ids []uuid.UUID
	err := pgx.BeginFunc(m.t.Context(), m.pool, func(tx pgx.Tx) error {
		stored, err := intake.Store(m.t.Context(), tx, episodes)
		for _, s := range stored {
			ids = append(ids, s.ID)
		}
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return ids
}

// agentsWords are the statements that store an agent's text about one episode in the agent's own
// tables. $1 is the group.
var agentsWords = []string{
	`UPDATE annals.blocks SET value = value || E'\nMoved to Vexelberg.\nEnjoys jazz.', edited_by = 'sam' WHERE group_id = $1`,
	`UPDATE annals.blocks SET value = replace(value, 'Moved to Vexelberg.', 'Takes the xylotransit with Zarathox Quillby.') WHERE group_id = $1`,
	`UPDATE annals.blocks SET value = value || E'\nHas a cat.' WHERE group_id = $1`,
	`UPDATE annals.agents SET summary = 'Alice told me that she moved to Vexelberg.', steps = 4, passages = 1 WHERE group_id = $1`,
	`INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, note)
		SELECT group_id, id, s, k, n FROM annals.agents, (VALUES (1, 'answer', ''), (2, 'answer', 'fine'), (3, 'answer', ''),
			(4, 'eviction', 'the summary was too long: Alice moved to Vexelberg and')) v(s, k, n) WHERE group_id = $1`,
	`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, step, role, kind, content, thought, function, arguments, call_id, tokens, occurred_at)
		SELECT $1, a.id, v.seq, gen_random_uuid(), v.step, v.role, v.kind, v.content, v.thought, v.function, v.arguments, v.call, 9, now()
		FROM annals.agents a, (VALUES
			(2, 1, 'assistant', 'call', '', 'Vexelberg is far.', 'archival_memory_insert', '{"content": "Alice likes the xylotransit."}', 'c1'),
			(3, 1, 'tool', 'result', 'It is kept.', '', 'archival_memory_insert', '', 'c1'),
			(4, 2, 'assistant', 'call', '', '', 'memory_search', '{"query": "Alice"}', 'c2'),
			(5, 2, 'tool', 'result', E'2024-01-01: Alice lives in Paris.\n2024-02-02: Zarathox Quillby lives in Vexelberg.', '', 'memory_search', '', 'c2'),
			(6, 2, 'assistant', 'call', '', 'Music.', 'memory_search', '{"query": "jazz"}', 'c3'),
			(7, 2, 'tool', 'result', 'Nothing was found.', '', 'memory_search', '', 'c3'),
			(8, 3, 'assistant', 'thought', '', 'Xylotransit?', '', '', ''),
			(10, 3, 'tool', 'result', 'Quillby heard it.', '', 'send_message', '', 'c4'))
			v(seq, step, role, kind, content, thought, function, arguments, call) WHERE a.group_id = $1`,
}

// plantAgent gives a group an agent with the secret words in every table of agents, and returns the
// ids of the episodes that hold them.
func (m *memory) plantAgent(group string) []uuid.UUID {
	m.t.Helper()
	m.exec(`INSERT INTO annals.agents (group_id, id, name, last_seq) VALUES ($1, $2, 'sam', 10)`, group, samID)
	m.exec(`INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ($1, $2, 'human', E'I am Sam.\nLives in Paris.', 500)`, group, blockID)
	m.exec(`INSERT INTO annals.agent_blocks (group_id, agent_id, block_id) VALUES ($1, $2, $3)`, group, samID, blockID)
	m.exec(`INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks)
		VALUES ($1, $2, gen_random_uuid(), 'travel.md', E'# Trips\nZarathox Quillby in Vexelberg', 2, 2), ($1, $2, gen_random_uuid(), 'jazz.md', 'Coltrane', 1, 1)`, group, samID)
	talk := "agent/" + samID
	said := func(day, role, content, thread, name string) graph.Episode {
		e := graph.Episode{Role: role, Content: content, ThreadID: thread, Name: name, OccurredAt: date(day), Source: graph.SourceMessage}
		if role == "" {
			e.Source = graph.SourceText
		}
		return e
	}
	ids := m.queued(group,
		said("2024-04-01", "user", "I moved to Vexelberg and took the xylotransit with Zarathox Quillby.", talk, ""),
		said("2024-04-01", "", "Alice moved to Vexelberg.", talk+"/archive", ""),
		said("2024-04-01", "", "Zarathox Quillby in Vexelberg", talk+"/files", "travel.md"),
		said("2024-04-01", "", "# Trips", talk+"/files", "travel.md"),
		said("2024-04-01", "", "Coltrane", talk+"/files", "jazz.md"),
		said("2024-04-01", "assistant", "Glad to hear that.", talk, ""),
	)
	m.exec(`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at, episode_id, external_id)
		SELECT $1, $2, 1, gen_random_uuid(), 'user', 'message', content, 9, now(), id, 'zarathox-1' FROM annals.episodes WHERE group_id = $1 AND id = $3`, group, samID, ids[0])
	for _, statement := range agentsWords {
		m.exec(statement, group)
	}
	m.exec(`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, step, role, kind, content, thought, function, arguments, call_id, tokens, occurred_at, episode_id)
		VALUES ($1, $2, 9, gen_random_uuid(), 3, 'assistant', 'call', 'Glad to hear that.', 'Vexelberg!', 'send_message',
			'{"message": "Glad to hear that.", "mood": "Vexelberg"}', 'c4', 9, now(), $3)`, group, samID, ids[5])
	return ids[:3]
}

// one returns the text that a query selects.
func (m *memory) one(query string, args ...any) (text string) {
	m.t.Helper()
	if err := m.pool.QueryRow(m.t.Context(), query, args...).Scan(&text); err != nil {
		m.t.Fatal(err)
	}
	return text
}

const (
	blockSays  = "SELECT value FROM annals.blocks WHERE group_id = $1"
	blockSaid  = "SELECT coalesce(string_agg(value, '|' ORDER BY version), '') FROM annals_internal.blocks_history WHERE group_id = $1"
	messages   = "SELECT string_agg(concat_ws(' ', seq, content, thought, arguments), '|' ORDER BY seq) FROM annals.agent_messages WHERE group_id = $1"
	agentState = "SELECT concat_ws(' ', name, summary, passages, steps) FROM annals.agents WHERE group_id = $1"
	files      = "SELECT string_agg(name, ' ') FROM annals.agent_files WHERE group_id = $1"
)

func TestErasingEpisodesReachesAgents(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	ids := m.plantAgent("g")
	if found := m.traces(secret...); !contain(found, "blocks.value", "blocks_history.value", "agents.summary", "agent_steps.note", "agent_messages.thought",
		"agent_messages.arguments", "agent_messages.content", "agent_messages.external_id", "agent_files.content") {
		t.Fatalf("the words stand in %v only", found)
	}
	certificate, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	if found := m.traces(append(slices.Clone(secret), "trips")...); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	for _, left := range []struct{ what, query, want string }{
		{"the block", blockSays, "I am Sam.\nLives in Paris.\nEnjoys jazz.\nHas a cat."},
		{"its history", blockSaid, "I am Sam.\nLives in Paris."},
		{"messages", messages, `6  Music. {"query": "jazz"}|7 Nothing was found.  |9 Glad to hear that.  {"message": "Glad to hear that."}|10   `},
		{"the agent", agentState, "sam  0 5"},
		{"files", files, "jazz.md"},
	} {
		if diff := cmp.Diff(left.want, m.one(left.query, "g")); diff != "" {
			t.Errorf("of %s there is left (-want +got):\n%s", left.what, diff)
		}
	}
	if certificate.Episodes != 4 { // with the other part of the document
		t.Errorf("%d episodes were erased", certificate.Episodes)
	}
	wantEdited := []erase.Removal{{Table: "agent_messages", Rows: 2}, {Table: "agent_steps", Rows: 1}, {Table: "agents", Rows: 1}, {Table: "blocks", Rows: 1}}
	if diff := cmp.Diff(wantEdited, certificate.Edited); diff != "" {
		t.Errorf("the certificate (-want +got):\n%s", diff)
	}
	for _, removed := range []erase.Removal{{Table: "agent_files", Rows: 1}, {Table: "agent_messages", Rows: 6}, {Table: "blocks_history", Rows: 3}} {
		if !slices.Contains(certificate.Removed, removed) {
			t.Errorf("the certificate lacks %+v: %+v", removed, certificate.Removed)
		}
	}
}

// Erasing leaves alone what an agent knew before it heard the erased episode, even in the same
// words, and a line that shares with it only a single word that others said before.
func TestErasingLeavesAgentsWhatTheyKnewBefore(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Bob", Content: "Alice likes Lisbon.", OccurredAt: date("2024-01-01")}})
	m.exec(`INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ('g', $1, 'human', 'Alice lives in Lisbon.', 500)`, blockID)
	ids := m.hear("g", []graph.Episode{{Actor: "Alice", Content: "I live in Lisbon, near the harbour.", OccurredAt: date("2024-01-02")}})
	m.exec(`UPDATE annals.blocks SET value = E'Alice lives in Lisbon.\nLisbon is hot.\nHer flat in Lisbon: lives there alone.\nSees the harbour.' WHERE group_id = 'g'`)
	if _, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: ids}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("Alice lives in Lisbon.\nLisbon is hot.", m.one(blockSays, "g")); diff != "" {
		t.Errorf("of the block there is left (-want +got):\n%s", diff)
	}
}

// An agent's step locks the agent and then its episodes; erasing locks them in the opposite order.
// Erasing begins again when the server ends it for the deadlock.
func TestErasingIsBegunAnewAfterADeadlock(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Alice", Content: "I live in Paris.", OccurredAt: date("2024-01-01")}})
	ids := m.plantAgent("g")
	step, err := m.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`SET LOCAL deadlock_timeout = '1min'`, `SELECT FROM annals.agents WHERE group_id = 'g' FOR UPDATE`} {
		if _, err := step.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	erased := make(chan error, 1)
	go func() {
		_, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: ids})
		erased <- err
	}()
	for range time.Tick(10 * time.Millisecond) { // until the test's own time is up
		if m.one(`SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == "1" {
			break
		}
	}
	if _, err := step.Exec(t.Context(), `UPDATE annals.episodes SET deferred = false WHERE group_id = 'g' AND id = $1`, ids[0]); err != nil {
		t.Fatalf("the step, which would have waited longer, was ended: %v", err)
	}
	if err := step.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-erased; err != nil {
		t.Errorf("erasing ended with %v", err)
	}
	if left := m.one(`SELECT count(*)::text FROM annals.episodes WHERE group_id = 'g' AND id = ANY($1)`, ids); left != "0" {
		t.Errorf("%s of the erased episodes are left", left)
	}
}

// plantService fills all other places of a group that can name somebody, mostly with the secret
// words.
func (m *memory) plantService(group string) {
	m.t.Helper()
	for _, statement := range []string{
		`UPDATE annals.groups SET name = 'Of Zarathox Quillby', description = E'Notes.\nOf Zarathox Quillby.', ontology = '{"instructions": "Mind Zarathox Quillby.\nBe brief.",
			"entity_types": [{"name": "Person", "description": "such as Zarathox Quillby"}, {"name": "City", "description": "a place"}]}' WHERE group_id = $1`,
		`INSERT INTO annals.users (group_id, first_name, last_name, email, metadata) VALUES ($1, 'Zarathox', 'Quillby', 'zarathox.quillby@example.com', '{"aka": "Zarathox Quillby"}')`,
		`INSERT INTO annals_internal.instructions (group_id, purpose, name, words) VALUES ($1, 'graph', 'one', E'Mind Zarathox Quillby.\nBe brief.'),
			($1, 'graph', 'zarathox-quillby', 'Be kind.'), ($1, 'graph', 'two', 'Zarathox Quillby matters.')`,
		`INSERT INTO annals_internal.templates (group_id, id, template) VALUES ($1, 'one', E'For Zarathox Quillby:\n%{facts}')`,
		`INSERT INTO annals_internal.batches (group_id, id, metadata) VALUES ($1, gen_random_uuid(), '{"of": "Zarathox Quillby"}')`,
		`INSERT INTO annals_internal.batch_items (group_id, batch_id, place, episode_id, item) VALUES ($1, gen_random_uuid(), 0, gen_random_uuid(), '{"Content": "Zarathox Quillby"}')`,
		`INSERT INTO annals.webhooks (group_id, id, url, events, secret) VALUES
			($1, '01890000-0000-7000-8000-000000000001', 'https://example.com/zarathox/quillby', '{episode.processed}', sha256('a')),
			($1, '01890000-0000-7000-8000-000000000002', 'https://example.com/hook', '{episode.processed}', sha256('a'))`,
		`INSERT INTO annals.webhook_deliveries (group_id, id, webhook_id, event, payload, error) VALUES
			($1, gen_random_uuid(), '01890000-0000-7000-8000-000000000001', 'episode.processed', '{}', NULL),
			($1, gen_random_uuid(), '01890000-0000-7000-8000-000000000002', 'episode.processed', '{"external_id": "zarathox-quillby-1"}', NULL),
			($1, gen_random_uuid(), '01890000-0000-7000-8000-000000000002', 'episode.processed', '{}', 'who is Zarathox Quillby?'),
			($1, gen_random_uuid(), '01890000-0000-7000-8000-000000000002', 'episode.processed', '{"external_id": "other"}', NULL)`,
		`INSERT INTO annals_internal.river_job (args, kind, max_attempts, state, errors)
			VALUES (jsonb_build_object('group_id', $1::text, 'delivery_id', gen_random_uuid()), 'webhook', 10, 'retryable', ARRAY['{"error": "who is Zarathox Quillby?"}'::jsonb])`,
		`INSERT INTO annals.entities (group_id, id, name, summary, attributes) VALUES
			($1, '01890000-0000-7000-8000-00000000000a', 'Karl', E'Zarathox Quillby''s brother.\nA tailor.', '{"brother": "Zarathox\nQuillby"}'),
			($1, '01890000-0000-7000-8000-00000000000b', 'Dora', 'A cook.', '{}'), ($1, '01890000-0000-7000-8000-00000000000c', 'Zarathox Quillby''s dog', '', '{}')`,
		`UPDATE annals.entities SET attributes = '{"brother": "Zarathox Quillby", "age": 40}' WHERE group_id = $1 AND name = 'Karl'`,
		`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id) VALUES
			($1, gen_random_uuid(), '01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b', 'MET', 'Karl met Dora at Zarathox Quillby''s.', '(,)', gen_random_uuid()),
			($1, gen_random_uuid(), '01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b', 'KNOWS', 'Karl knows Dora.', '(,)', gen_random_uuid())`,
		`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ($1, gen_random_uuid(), 'Tailors', 'Friends of Zarathox Quillby.')`,
	} {
		m.exec(statement, group)
	}
}

func TestErasingAnEntityReachesWhateverNamesIt(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.plant("g")
	m.plantAgent("g")
	m.plantService("g")
	m.exec(`UPDATE annals.agents SET name = 'Zarathox Quillby', instructions = E'Be kind.\nYou are Zarathox Quillby.' WHERE group_id = 'g'`)
	m.exec(`UPDATE annals.blocks SET label = 'zarathox quillby', description = E'Of Zarathox Quillby.\nShort.', edited_by = 'Zarathox Quillby' WHERE group_id = 'g'`)
	m.exec(`INSERT INTO annals.blocks (group_id, id, label, value, char_limit, edited_by) VALUES ('g', gen_random_uuid(), 'x', 'Hello.', 9, 'Zarathox Quillby (asleep)')`)
	entity, err := m.engine.FindEntity(t.Context(), "g", "Zarathox Quillby")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EntityID: entity.ID})
	if err != nil {
		t.Fatal(err)
	}
	if found := m.traces("zarathox", "quillby", "xylotransit"); len(found) > 0 {
		t.Errorf("still found in %v", found)
	}
	for _, left := range []struct{ what, query, want string }{
		{"the agent", "SELECT name || instructions FROM annals.agents WHERE group_id = $1", samID + "Be kind."},
		{
			"the block", "SELECT concat_ws('/', label, description, value, edited_by) FROM annals.blocks WHERE group_id = $1 AND label <> 'x'",
			blockID + "/Short./I am Sam.\nLives in Paris.\nEnjoys jazz.\nHas a cat./",
		},
		{"instructions", "SELECT string_agg(words, '|') FROM annals_internal.instructions WHERE group_id = $1", "Be brief."},
		{
			"the ontology", "SELECT ontology::text FROM annals.groups WHERE group_id = $1",
			`{"entity_types": [{"name": "Person"}, {"name": "City", "description": "a place"}], "instructions": "Be brief."}`,
		},
		{"the group", "SELECT name || description FROM annals.groups WHERE group_id = $1", "Notes."},
		{"templates", "SELECT string_agg(template, '|') FROM annals_internal.templates WHERE group_id = $1", "%{facts}"},
		{"webhooks", "SELECT string_agg(url, '|') FROM annals.webhooks WHERE group_id = $1", "https://example.com/hook"},
		{"deliveries", "SELECT string_agg(payload, '|') FROM annals.webhook_deliveries WHERE group_id = $1", `{"external_id": "other"}`},
		{"jobs", "SELECT string_agg(kind || state::text, '|') FROM annals_internal.river_job WHERE args->>'group_id' = $1 AND kind = 'webhook'", "webhookretryable"},
		{"facts made by hand", "SELECT string_agg(fact, '|') FROM annals.facts WHERE group_id = $1 AND fact LIKE 'Karl%'", "Karl knows Dora."},
		{"entities made by hand", "SELECT string_agg(name || summary, '|' ORDER BY name) FROM annals.entities WHERE group_id = $1 AND name IN ('Karl', 'Dora')", "DoraA cook. Karl knows Dora.|KarlA tailor. Karl knows Dora."},
	} {
		if diff := cmp.Diff(left.want, m.one(left.query, "g")); diff != "" {
			t.Errorf("of %s there is left (-want +got):\n%s", left.what, diff)
		}
	}
	for _, table := range []string{"agents", "blocks", "entities", "groups", "instructions", "templates", "users", "batches"} {
		if !slices.ContainsFunc(certificate.Edited, func(r erase.Removal) bool { return r.Table == table }) {
			t.Errorf("the certificate does not say that %s were edited: %+v", table, certificate.Edited)
		}
	}
}
