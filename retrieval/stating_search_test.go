package retrieval_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Found facts bring up the messages that state them: facts in force, if the search looks for facts
// and is not for a context.
func TestFoundFactsBringUpTheirMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.say("g", "monday", "", "The garden is lovely these days.")
	second := w.say("g", "friday", "", "The garden is lovely these days.")
	planted := w.fact("g", "Ana planted tulips by the house.", "[2024-03-08,)")
	w.fact("g", "Ben sails to Oslo.", "[2024-03-08,)")
	w.exec(`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role) VALUES ('g', $1, $2, 'states')`, planted, second)
	q := retrieval.Query{GroupID: "g", Text: "What did Ana plant in the garden?"}
	alone, context := q, q
	context.Replies = true
	alone.Scopes = []graph.Kind{graph.KindEpisode}
	for _, tt := range []struct {
		name   string
		change string
		query  retrieval.Query
		best   uuid.UUID
	}{
		{"with facts", `SELECT`, q, second},
		{"messages alone", `SELECT`, alone, first},
		{"a context, which shows the fact", `SELECT`, context, first},
		{"a fact that it did not state so", `UPDATE annals.fact_episodes SET role = 'corrected'`, q, first},
		{"a fact that has ended", `WITH f AS (UPDATE annals.facts SET valid = '[2024-03-08,2024-05-01)') UPDATE annals.fact_episodes SET role = 'states'`, q, first},
	} {
		w.exec(tt.change)
		result, err := w.search.Search(t.Context(), tt.query)
		if err != nil {
			t.Fatal(err)
		}
		var found []uuid.UUID
		for _, hit := range result.Episodes {
			found = append(found, hit.ID)
		}
		if len(found) != 2 || found[0] != tt.best {
			t.Errorf("%s: found %v, want %s first, which is the %d. message", tt.name, found, tt.best, 1+slices.Index([]uuid.UUID{first, second}, tt.best))
		}
	}
}
