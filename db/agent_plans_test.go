package db_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

// loadAgent makes an agent with ten thousand messages, the last hundred of
// which are in its context.
var loadAgent = []string{
	`INSERT INTO annals.groups (group_id) VALUES ('g')`,
	`INSERT INTO annals.agents (group_id, id, name, last_seq, queue_start, steps)
		SELECT 'g', lpad(to_hex(n), 32, '0')::uuid, 'agent ' || n, 10000, 9901, 5000 FROM generate_series(1, 20) n`,
	`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, step, role, kind, content, tokens, occurred_at)
		SELECT 'g', lpad('1', 32, '0')::uuid, n, gen_random_uuid(), 0, 'user', 'message', 'message ' || n, 3, now() FROM generate_series(1, 10000) n`,
}

// An agent's context is read without the messages before it, also by plans that were made before
// the database had statistics of its tables, and are cached.
func TestAgentPlans(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for _, sql := range loadAgent {
		exec(t, pool, sql)
	}
	id := uuid.UUID{15: 1}
	all := map[string]hot{
		"the context": {run: query((*db.Queries).AgentQueue, db.AgentQueueParams{GroupID: "g", AgentID: id, MaxRows: 10_000}), most: 120},
		"the messages from one on": {
			run: query((*db.Queries).AgentMessagesFrom, db.AgentMessagesFromParams{GroupID: "g", AgentID: id, First: 9951, MaxRows: 10_000}), most: 50,
		},
	}
	checkReads(t, pool, "ANALYZE annals.agents, annals.agent_messages", all)
}
