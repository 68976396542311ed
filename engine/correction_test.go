package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// A corrected name replaces the wrong one in the entity and in the believed sentences. The wrong
// name stays in the history and becomes no alias.
func TestACorrectedNameRenames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	works := func(name string) prompts.ExtractedFact {
		return prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "works at", Fact: name + " works at Halden.", Kind: prompts.State}
	}
	w.analyst.entities = names("Iveta Blom", "Halden")
	w.analyst.facts = func(q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		f := works("Iveta Blom")
		f.Source, f.Target = idOf(q, "Iveta Blom"), idOf(q, "Halden")
		return prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{f}}, nil
	}
	w.says("2024-02-05", "Bram", "Iveta Blom works at Halden.")
	w.analyst.entities = names("Ivana Blom")
	w.analyst.facts = func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{TakesBack: true}, nil
	}
	w.analyst.resolve = func(in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
		var out prompts.ResolvedEntities
		for _, e := range in.Entities {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{ID: e.ID, Candidate: 1, Name: "Ivana Blom"})
		}
		return out, nil
	}
	w.says("2024-02-08", "Bram", "Sorry, I meant Ivana Blom, not Iveta.")
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Ivana Blom' AND NOT 'Iveta Blom' = ANY(aliases)`); n != 1 {
		t.Error("the entity has not the corrected name alone")
	}
	if n := w.count(`SELECT count(*) FROM annals_internal.entities_history WHERE name = 'Iveta Blom'`); n == 0 {
		t.Error("its history does not have the old name")
	}
	if _, ok := w.facts()["Ivana Blom works at Halden."]; !ok {
		t.Errorf("the sentences are %v", w.facts())
	}
}

// A statement about somebody at second hand ends no fact that this person stated: both stand.
func TestSecondHandEndsNothing(t *testing.T) {
	t.Parallel()
	for text, ends := range map[string]bool{
		"Tom says Alice left Paris.": false, "I heard that Alice left Paris.": false, "Alice says she left Paris.": true, "Alice left Paris.": true,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.analyst.judge = contradictsAll
			w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", ""))
			w.says("2023-01-10", "Alice", "I live in Paris.")
			w.analyst.entities = names("Alice", "Paris")
			w.analyst.facts = func(q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
				return prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{
					Source: idOf(q, "Alice"), Target: idOf(q, "Paris"), Predicate: "NO_LONGER_LIVES_IN", Fact: text, Kind: prompts.Event, Ends: true, ValidAt: "2023-03-01",
				}}}, nil
			}
			w.says("2023-04-10", "Bo", text)
			if got := !w.facts()["Alice lives in Paris."].Valid.Ongoing(); got != ends {
				t.Errorf("it ends her home: %v", got)
			}
			if n := w.count(`SELECT count(*) FROM annals.disputes`); (n == 0) != ends {
				t.Errorf("%d disputes", n)
			}
		})
	}
}

// A fact told at second hand keeps its teller when disputes are settled, until somebody states the
// fact first-hand.
func TestSecondHandIsDisputedUntilConfirmed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", ""))
	w.says("2023-01-10", "Alice", "I live in Paris.")
	w.analyst.entities = names("Alice", "Oslo")
	w.analyst.facts = func(q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{
			Source: idOf(q, "Alice"), Target: idOf(q, "Oslo"), Predicate: "LIVES_IN", Fact: "Alice lives in Oslo.",
		}}}, nil
	}
	w.says("2023-04-10", "Bo", "Tom says Alice lives in Oslo.")
	const told = "SELECT told_by FROM annals.disputes"
	if err := w.engine.SetTrustPolicy(t.Context(), "g", graph.TrustPolicy{RecordsSucceed: true}); err != nil { // settles disputes
		t.Fatal(err)
	}
	var by string
	if err := w.pool.QueryRow(t.Context(), told).Scan(&by); err != nil || by != "Tom" {
		t.Errorf("it is told by %q (%v), want Tom", by, err)
	}
	w.analyst.judge = func(q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		r := prompts.FactResolution{ID: q.Facts[0].ID, DuplicateOf: q.Facts[0].SamePair[0], Contradicts: q.Facts[0].Rivals}
		return prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{r}}, nil
	}
	w.says("2023-05-10", "Alice", "I live in Oslo.")
	if n := w.count("SELECT count(*) FROM annals.disputes"); n != 0 {
		t.Errorf("%d disputes are left of what she says herself", n)
	}
	if w.facts()["Alice lives in Paris."].Valid.Ongoing() || !w.facts()["Alice lives in Oslo."].Valid.Ongoing() {
		t.Errorf("the facts are %v", w.facts())
	}
}

func idOf(q prompts.ExtractFacts, name string) int {
	for _, e := range q.Entities {
		if e.Name == name {
			return e.ID
		}
	}
	return 0
}
