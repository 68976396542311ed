package agent_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Numbers that PostgreSQL's integers cannot hold are refused.
func TestSettingsHaveALimit(t *testing.T) {
	t.Parallel()
	for field, settings := range map[string]agent.Settings{
		"sleep_seconds":     {SleepSeconds: 3_000_000_000},
		"heartbeat_seconds": {HeartbeatSeconds: 1<<32 + 1},
		"window":            {Window: math.MaxInt32 + 1},
	} {
		if err := settings.Validate(); graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), "2147483647") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := (agent.Settings{SleepSeconds: math.MaxInt32}).Validate(); err != nil {
		t.Error(err)
	}
}

// Whatever settings SQL or an import wrote, the agents of other groups are found when they rest.
func TestWrittenSettingsStopNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.answer = idle
	w.tell(w.create(agent.Settings{}), "Hello.")
	for _, settings := range []string{`{"sleep_seconds": 3000000000}`, `{"sleep_seconds": 1e400}`, `{"sleep_seconds": -1e400}`, `{"sleep_seconds": "long", "no_sleep": "maybe"}`} {
		w.try(w.client.InGroup(t.Context(), "g", func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), "UPDATE annals.agents SET settings = $1", settings); err != nil {
				return err
			}
			_, groups := db.New(tx).AgentGroupsRested(t.Context(), 0)
			_, agents := db.New(tx).AgentsRested(t.Context(), db.AgentsRestedParams{GroupID: "g", At: w.now, MaxRows: 9})
			return errors.Join(groups, agents)
		}))
	}
}
