package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// storeAll stores messages of one thread, one per day.
func (w *world) storeAll(messages ...string) []intake.Stored {
	w.t.Helper()
	var episodes []graph.Episode
	for i, m := range messages {
		actor, content, _ := strings.Cut(m, ": ")
		episodes = append(episodes, graph.Episode{
			GroupID: "g", ThreadID: "chat", Actor: actor, Content: content, OccurredAt: date("2024-01-01").AddDate(0, 0, i),
		})
	}
	var stored []intake.Stored
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = intake.Store(w.t.Context(), tx, episodes)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return stored
}

// Waiting messages are read together, in few calls: each keeps its own facts, and later ones
// correct earlier ones.
func TestAWindowOfMessagesIsReadInOneGo(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	stored := w.storeAll("Alice: I live in Paris.", "Bob: Nice!", "Alice: I moved to Lisbon yesterday.", "Alice: I live in Lisbon.")
	w.script["extract_entities"] = says(prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
		{Name: "Alice", Label: "Person", Messages: []int{1, 3, 4}}, {Name: "Paris", Messages: []int{1}}, {Name: "Lisbon", Messages: []int{3, 4}},
	}})
	// The speakers come first, then the other names: Alice, Bob, Paris, Lisbon.
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		{Source: 1, Target: 4, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.", Message: 4},
		{Source: 1, Target: 3, Predicate: "LIVES_IN", Fact: "Alice lives in Paris.", Message: 1},
		{Source: 1, Target: 4, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.", ValidAt: "yesterday", Message: 3},
	}})
	w.script["resolve_facts"] = func(r modeltest.Request) modeltest.Reply {
		// 1 is Paris, 2 is Lisbon of the third message; the fourth message repeats it word for
		// word.
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

// An unreadable message does not spoil the others of its window.
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

func ids(stored ...intake.Stored) (out []uuid.UUID) {
	for _, s := range stored {
		out = append(out, s.ID)
	}
	return out
}

// A long document is read in parts and remains one episode.
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
	w.store("2024-01-01", "", "warm up") // creates the group
	w.process()
	err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		_, err := intake.Store(t.Context(), tx, []graph.Episode{{GroupID: "g", Source: graph.SourceText, Content: text.String(), OccurredAt: date("2024-01-02")}})
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

// worksAt is a fact about Alice and Acme, stated by a message of a window.
func worksAt(fact, since string, message int) prompts.ExtractedFact {
	return prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "WORKS_AT", Fact: fact, ValidAt: since, Message: message}
}

// A fact that ended and holds again becomes a new fact, in a window too.
func TestWhatIsTrueAgainInAWindowIsKept(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	w.script["extract_entities"] = says(entities("Alice", "Acme"))
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{worksAt("Alice works at Acme.", "2020-01-01", 0)}})
	w.says("2020-02-01", "Alice", "I work at Acme.")

	left := worksAt("Alice left Acme.", "2021-01-01", 1)
	left.Ends, left.Predicate = true, "NO_LONGER_WORKS_AT"
	w.storeAll("Alice: I left Acme.", "Alice: I am back at Acme.", "Alice: Back at Acme, as I said.")
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		left, worksAt("Alice works at Acme.", "2022-01-01", 2), worksAt("Alice works at Acme.", "2022-01-01", 3),
	}})
	w.script["resolve_facts"] = func(r modeltest.Request) modeltest.Reply {
		// 1 is the stored fact, 2 says that she left, 3 and 4 that she is back.
		return modeltest.Reply{JSON: prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: 2, Contradicts: []int{1}}}}}
	}
	for _, p := range w.process() {
		if p.Err != nil {
			t.Fatal(p.Err)
		}
	}
	held := w.count(`SELECT count(*) FROM annals.facts WHERE fact = 'Alice works at Acme.' AND valid = '[2020-01-01 00:00+00,2021-01-01 00:00+00)'`)
	again := w.count(`SELECT count(*) FROM annals.facts f WHERE fact = 'Alice works at Acme.' AND lower(valid) = '2022-01-01 00:00+00' AND upper_inf(valid)
		AND 2 = (SELECT count(*) FROM annals.fact_episodes e WHERE e.fact_id = f.id)`)
	if held != 1 || again != 1 {
		t.Errorf("%d facts until 2021 and %d again since 2022, stated twice; want one of each", held, again)
	}
}

// A fact that does not name its message is asked for again. If that fails, each message is read by
// itself.
func TestAFactOfAWindowNamesItsMessage(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	w.storeAll("Alice: I work at Acme.", "Bob: Hello.")
	w.script["extract_entities"] = says(entities("Alice", "Acme"))
	w.script["extract_facts"] = func(r modeltest.Request) modeltest.Reply {
		return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{worksAt("Alice works at Acme.", "", 7)}}}
	}
	for _, p := range w.process() {
		if p.Err != nil {
			t.Fatal(p.Err)
		}
	}
	repaired := slices.ContainsFunc(w.server.Calls(), func(r modeltest.Request) bool { return strings.Contains(r.Repair, "facts[0].message is 7") })
	if !repaired || len(w.facts()) != 1 {
		t.Errorf("asked to mend: %v; facts %v", repaired, w.facts())
	}
}

// Several spellings of a new name in a draft are one entity.
func TestSpellingsOfANewNameAreOneEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Katherine Johnson", "Dr. Katherine Johnson", "Peter Johnson")
	w.says("2024-01-01", "", "Katherine Johnson, that is Dr. Katherine Johnson, met Peter Johnson.")
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 2 {
		t.Errorf("%d entities, want 2", n)
	}
}

// A deferred message is not shown to the model with others.
func TestADeferredMessageIsNotShownWithOthers(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	for i, deferred := range []bool{true, false} {
		err := w.put(graph.Episode{
			GroupID: "g", ThreadID: "t", Content: fmt.Sprint("secret number ", i), Deferred: deferred, OccurredAt: date("2024-01-01").AddDate(0, 0, i),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.process()
	if _, err := w.engine.SummariseThread(t.Context(), "g", "t"); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.server.Calls() {
		if strings.Contains(r.User, "secret number 0") {
			t.Errorf("%s shows the message that was kept from the model", r.Prompt)
		}
	}
}

// A message in quarantine is shown with no believed message, neither before it nor in its window.
// The question about the message itself shows those before it.
func TestAWithheldMessageIsNotShownWithOthers(t *testing.T) {
	t.Parallel()
	for _, window := range []int{1, 8} {
		w := newWorld(t)
		w.engine = engine.New(w.pool, w.analyst, hashEmbedder(t), engine.Options{Window: window})
		w.exec(`INSERT INTO annals.groups (group_id, hold_sources) VALUES ('g', '{mails}')`)
		shown := map[string][]string{} // by the text read: the texts shown with it
		w.analyst.entities = func(in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
			all := []string{in.Episode.Content}
			for _, m := range slices.Concat(in.Episode.Previous, in.Episode.Window) {
				all = append(all, m.Content)
			}
			for _, one := range append(in.Episode.Window, prompts.Message{Content: in.Episode.Content}) {
				shown[one.Content] = all
			}
			return prompts.ExtractedEntities{}, nil
		}
		for i, source := range []string{"", "mails", "", ""} {
			err := w.put(graph.Episode{
				GroupID: "g", ThreadID: "t", Content: fmt.Sprint("message ", i), SourceDescription: source, OccurredAt: date("2024-01-01").AddDate(0, 0, i),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		w.process()
		for _, read := range []string{"message 0", "message 2", "message 3"} {
			if with := shown[read]; len(with) == 0 || slices.Contains(with, "message 1") || read == "message 3" && !slices.Contains(with, "message 2") {
				t.Errorf("%d together: %s is shown with %q", window, read, with)
			}
		}
		if with := shown["message 1"]; !slices.Contains(with, "message 0") {
			t.Errorf("%d together: the withheld one is shown with %q", window, with)
		}
	}
}

// A refusal by a content filter fails its episode alone, and does not stop the others.
func TestARefusedEpisodeStopsNobodyElse(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Window: 8})
	w.script["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		if strings.Contains(r.User, "bad") {
			return modeltest.Reply{Status: 400, Text: "this violates the policy"}
		}
		return modeltest.Reply{Text: nothing["extract_entities"]}
	}
	w.storeAll("A: bad 1", "A: bad 2", "A: bad 3", "A: bad 4", "A: good")
	w.exec(`UPDATE annals.episodes SET previous = 0`) // none is shown with another
	done := w.process()
	if len(done) != 5 || done[4].Err != nil || done[0].Err == nil {
		t.Errorf("processed %+v, want four failures and the fifth done", done)
	}
}

// A window in which nobody but the speaker is named may take something back, as a single message may.
func TestAWindowTakesBack(t *testing.T) {
	t.Parallel()
	for _, off := range []string{"Sorry, I was wrong: the trip is off.", "The trip won't happen.", "The trip’s off."} {
		t.Run(off, func(t *testing.T) {
			t.Parallel()
			w := newLLMWorld(t, engine.Options{Window: 8})
			w.script["extract_entities"] = says(entities("Kim", "Malmö"))
			w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{Source: 1, Target: 2, Predicate: "PLANS_TO_VISIT", Fact: "Kim plans to visit Malmö."}}})
			w.says("2020-05-01", "Kim", "I want to visit Malmö.")
			w.script["extract_entities"] = says(entities("Kim"))
			w.script["extract_facts"] = says(prompts.ExtractedFacts{TakesBack: true})
			w.script["resolve_facts"] = says(prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{Retracts: []int{1}}}})
			w.storeAll("Kim: "+off, "Kim: Good night!")
			w.process()
			if n := w.count(`SELECT count(*) FROM annals.facts`); n != 0 {
				t.Error("the trip is still planned")
			}
		})
	}
}
