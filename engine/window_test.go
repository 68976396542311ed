package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// storeAll stores messages of one thread, a day apart.
func (w *world) storeAll(messages ...string) []engine.Stored {
	w.t.Helper()
	var episodes []graph.Episode
	for i, m := range messages {
		actor, content, _ := strings.Cut(m, ": ")
		episodes = append(episodes, graph.Episode{
			GroupID: "g", ThreadID: "chat", Actor: actor, Content: content, OccurredAt: date("2024-01-01").AddDate(0, 0, i),
		})
	}
	var stored []engine.Stored
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = engine.Store(w.t.Context(), tx, episodes)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return stored
}

// Messages that wait are read together: few calls, each message keeps what is
// its own, and later ones correct earlier ones.
func TestAWindowOfMessagesIsReadInOneGo(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	stored := w.storeAll("Alice: I live in Paris.", "Bob: Nice!", "Alice: I moved to Lisbon yesterday.", "Alice: I live in Lisbon.")
	w.script["extract_entities"] = says(prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
		{Name: "Alice", Label: "Person", Messages: []int{1, 3, 4}}, {Name: "Paris", Messages: []int{1}}, {Name: "Lisbon", Messages: []int{3, 4}},
	}})
	// The speakers come first, then what else is named: Alice, Bob, Paris, Lisbon.
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		{Source: 1, Target: 4, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.", Message: 4},
		{Source: 1, Target: 3, Predicate: "LIVES_IN", Fact: "Alice lives in Paris.", Message: 1},
		{Source: 1, Target: 4, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.", ValidAt: "yesterday", Message: 3},
	}})
	w.script["resolve_facts"] = func(r modeltest.Request) modeltest.Reply {
		// 1 is Paris, 2 Lisbon of the third message; that of the fourth repeats it word for word.
		return modeltest.Reply{JSON: prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: 2, Contradicts: []int{1}, Reason: "one home at a time"}}}}
	}
	chats, embeddings := w.asked(func() {
		for i, p := range w.process() {
			if p.Err != nil || p.Episode.ID != stored[i].ID {
				t.Errorf("processed %+v as the %dth", p, i)
			}
		}
	})
	if chats != 3 || embeddings != 2 {
		t.Errorf("%d calls and %d embedding requests for four messages: %v", chats, embeddings, w.server.Prompts())
	}
	got := w.facts()
	paris, lisbon := got["Alice lives in Paris."], got["Alice lives in Lisbon."]
	if len(got) != 2 || !paris.Valid.End.Equal(date("2024-01-02")) || !lisbon.Valid.Start.Equal(date("2024-01-02")) || !lisbon.Valid.Ongoing() {
		t.Errorf("Paris holds %v, Lisbon %v", paris.Valid, lisbon.Valid)
	}
	if !slices.Equal(paris.Episodes, ids(stored[0])) || !slices.Equal(lisbon.Episodes, ids(stored[2], stored[3])) {
		t.Errorf("Paris is stated by %v, Lisbon by %v", paris.Episodes, lisbon.Episodes)
	}
	if n := w.count(`SELECT count(*) FROM annals.fact_episodes WHERE role = 'ends' AND episode_id = '` + stored[2].ID.String() + `'`); n != 1 {
		t.Errorf("%d facts are ended by the third message, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.mentions WHERE episode_id = '` + stored[1].ID.String() + `'`); n != 1 {
		t.Errorf("the second message mentions %d entities, want Bob alone", n)
	}
}

// One message that cannot be read does not spoil the others of its window.
func TestABadMessageFailsAlone(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 4})
	stored := w.storeAll("Alice: one", "Alice: poison", "Alice: three")
	w.script["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		if _, current, _ := strings.Cut(r.User, "The current"); strings.Contains(current, "poison") {
			return modeltest.Reply{Text: "no"}
		}
		return modeltest.Reply{Text: nothing["extract_entities"]}
	}
	done := w.process()
	if len(done) != 3 || done[0].Err != nil || done[1].Err == nil || done[2].Err != nil || done[1].Episode.ID != stored[1].ID {
		t.Errorf("processed %+v, want the second to fail", done)
	}
}

func ids(stored ...engine.Stored) (out []uuid.UUID) {
	for _, s := range stored {
		out = append(out, s.ID)
	}
	return out
}

// A long document is read in parts and is one episode all the same.
func TestALongDocumentIsReadInParts(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "In chapter %d Alice meets person number %d in the town hall of Bergen and they talk at length.\n\n", i, i%3)
	}
	w.script["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		return modeltest.Reply{JSON: entities("Alice", fmt.Sprintf("Person%c", 'A'+r.N%2))}
	}
	w.script["extract_facts"] = func(r modeltest.Request) modeltest.Reply {
		return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
			{Source: 1, Target: 2, Predicate: "MET", Fact: "Alice met somebody."}, {Source: 1, Target: 3, Predicate: "MET", Fact: "Alice met nobody."},
		}}}
	}
	w.store("2024-01-01", "", "warm up") // so that the group is there
	w.process()
	err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		_, err := engine.Store(t.Context(), tx, []graph.Episode{{GroupID: "g", Source: graph.SourceText, Content: text.String(), OccurredAt: date("2024-01-02")}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	done := w.process()
	if len(done) != 1 || done[0].Err != nil || done[0].Entities != 3 {
		t.Errorf("processed %+v, want one episode with three entities", done)
	}
	parts := 0
	for _, r := range w.server.Calls() {
		if len(r.User) > 9000 {
			t.Errorf("a prompt of %d bytes", len(r.User))
		}
		if r.Prompt == "extract_entities" {
			parts++
		}
	}
	if parts < 4 {
		t.Errorf("read in %d parts", parts)
	}
	if n := w.count(`SELECT count(*) FROM annals.facts f LEFT JOIN annals.fact_episodes e ON e.fact_id = f.id WHERE e.episode_id IS NULL`); n != 0 || len(w.facts()) == 0 {
		t.Errorf("%d facts without an episode, of %d", n, len(w.facts()))
	}
}
