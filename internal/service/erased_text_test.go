package service_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

const password = "My password for the bank is hunter22 and nobody knows it."

// erasedPassword opens a memory with one erased message, and a fact, a block and an agent to edit.
// It returns the id of the fact.
func erasedPassword(t *testing.T) (client *annals.Client, url string, fact uuid.UUID) {
	t.Helper()
	client, url = clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"), clienttest.Alice(password, "2024-01-11"))
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(episodes, func(e annals.Episode) bool { return e.Content == password })
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{episodes[i].ID}}); err != nil {
		t.Fatal(err)
	}
	breakIt(t, url, `INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ('t', gen_random_uuid(), 'human', 'Likes tea.', 1000);
		INSERT INTO annals.agents (group_id, id, name) VALUES ('t', gen_random_uuid(), 'helper')`)
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}
	return client, url, facts[0].ID
}

// writings returns SQL that writes a text to each place where users can write one, by the kind that
// 'annals verify' uses for it.
func writings(text string) map[string]string {
	quoted := "'" + text + "'"
	return map[string]string{
		"fact":                 "UPDATE annals.facts SET fact = " + quoted,
		"fact's attributes":    "UPDATE annals.facts SET attributes = jsonb_build_object('note', 'So: ' || " + quoted + "), fact = 'Alice lives there.'",
		"entity":               "UPDATE annals.entities SET summary = 'So: ' || " + quoted + " WHERE name = 'Alice'",
		"entity's other names": "UPDATE annals.entities SET aliases = ARRAY[" + quoted + "] WHERE name = 'Alice'",
		"group":                "UPDATE annals.groups SET description = " + quoted + " WHERE group_id = 't'",
		"block":                "UPDATE annals.blocks SET value = " + quoted,
		"agent":                "UPDATE annals.agents SET instructions = 'Mind this: ' || " + quoted,
		"episode":              "UPDATE annals.episodes SET content = 'And: ' || " + quoted,
		"episode's metadata":   "UPDATE annals.episodes SET metadata = jsonb_build_object('a', jsonb_build_array(" + quoted + "))",
	}
}

// TestErasedTextDoesNotComeBackByAnEdit: edits that bring back erased text are refused, in the
// library and in SQL. Other edits of the same rows are accepted.
func TestErasedTextDoesNotComeBackByAnEdit(t *testing.T) {
	t.Parallel()
	client, url, fact := erasedPassword(t)
	again := strings.ToUpper(password)
	_, edited := client.EditFact(t.Context(), "t", fact, annals.FactEdit{Fact: &again})
	_, described := client.UpdateGroup(t.Context(), "t", annals.GroupChange{Description: &again})
	_, told := client.AddTriple(t.Context(), annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "HAS", Target: graph.TripleEnd{Name: "Bank"}, Fact: again})
	for name, err := range map[string]error{"fact": edited, "description": described, "triple": told} {
		if annals.CodeOf(err) != annals.CodeConflict || strings.Contains(strings.ToLower(err.Error()), "hunter22") {
			t.Errorf("%s: %v", name, err)
		}
	}
	conn := clienttest.Dial(t, url)
	for name, sql := range writings(password) {
		_, err := conn.Exec(t.Context(), sql)
		if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.Code != "AN001" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, sql := range writings("Paris is pleasant in the early spring.") {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Errorf("%s takes nothing else: %v", name, err)
		}
	}
}

// TestVerifyFindsErasedText: Verify reports erased text that was written without the trigger.
func TestVerifyFindsErasedText(t *testing.T) {
	t.Parallel()
	client, url, _ := erasedPassword(t)
	for name, sql := range writings(password) {
		breakIt(t, url, "SET annals.take_back = 'import'; "+sql)
		kind, _, _ := strings.Cut(name, "'")
		_, v := brokenIn(t, client, false)
		i := slices.IndexFunc(v.Checks, func(c service.Check) bool { return c.Name == "tombstones" })
		if found := strings.Join(v.Checks[i].Examples, "\n"); kind != "episode" && !strings.Contains(found, " "+kind+" ") || found == "" {
			t.Errorf("with a %s that says it, Verify found %q", name, found)
		}
		breakIt(t, url, "SET annals.take_back = 'import'; "+writings("Paris is pleasant in the early spring.")[name])
	}
}
