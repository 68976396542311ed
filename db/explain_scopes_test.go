package db_test

import (
	"fmt"
	"testing"
)

// What a filter lets pass of a conversation, a run, a user or an agent is found by
// index, not among all that the group holds.
func checkScopes(t *testing.T, e *explainer) {
	t.Helper()
	for list, of := range map[string]struct{ name, index string }{
		"threads": {"thread 7", "episodes_thread"}, "runs": {"run 7", "episodes_run"},
		"users": {"user 7", "episodes_user"}, "agents": {"agent 7", "episodes_agent"},
	} {
		filter := fmt.Sprintf(`{"episodes": true, %q: [%q]}`, list, of.name)
		plan, err := e.explain(t.Context(), `SELECT * FROM annals.episodes_matching($1, $2)`, []any{"large", filter})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range (hot{steps: []string{"Index Scan " + of.index}, most: 100}).faults(plan) {
			t.Errorf("episodes by %s: %s", list, fault)
		}
	}
}
