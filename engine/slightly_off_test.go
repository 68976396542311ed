package engine_test

import (
	"testing"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/prompts"
)

// An answer that is slightly off ends no more than the text says.
func TestAnswersSlightlyOff(t *testing.T) {
	t.Parallel()
	fact := func(sentence string, change func(*prompts.ExtractedFact)) func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		f := prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: sentence, Kind: prompts.State}
		change(&f)
		return func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
			return prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{f}}, nil
		}
	}
	plain := func(*prompts.ExtractedFact) {}
	all := func(how func(*prompts.FactResolution, []int)) func(prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		return func(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
			var out prompts.ResolvedFacts
			for _, f := range in.Facts {
				r := prompts.FactResolution{ID: f.ID}
				how(&r, append(f.SamePair, f.Rivals...))
				out.Resolutions = append(out.Resolutions, r)
			}
			return out, nil
		}
	}
	t.Run("a repetition of a stretch long over", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.analyst.entities, w.analyst.facts = names("Alice", "Oslo"), fact("Alice lives in Oslo.", plain)
		w.says("2023-05-01", "Alice", "I live in Oslo.")
		w.analyst.facts = fact("Alice lived in Oslo in 2005.", func(f *prompts.ExtractedFact) { f.ValidAt, f.InvalidAt = "2005", "2005" })
		w.analyst.judge = all(func(r *prompts.FactResolution, ids []int) { r.DuplicateOf = ids[0] })
		w.says("2024-05-01", "Alice", "I lived in Oslo in 2005, too.")
		if n := w.count(`SELECT count(*) FROM annals.facts WHERE upper_inf(valid) AND lower(valid) = '2023-05-01'`); n != 1 {
			t.Error("she does not live in Oslo any more")
		}
	})
	t.Run("a repetition that tells how a state began", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.analyst.entities, w.analyst.facts = names("Alice", "Oslo"), fact("Alice lives in Oslo.", plain)
		w.says("2023-05-01", "Alice", "I live in Oslo.")
		w.analyst.facts = fact("Alice moved to Oslo on 1 March 2005.", func(f *prompts.ExtractedFact) { f.Kind, f.ValidAt = prompts.Event, "2005-03-01" })
		w.analyst.judge = all(func(r *prompts.FactResolution, ids []int) { r.DuplicateOf = ids[0] })
		w.says("2024-05-01", "Alice", "I moved to Oslo on 1 March 2005.")
		if n := w.count(`SELECT count(*) FROM annals.facts WHERE upper_inf(valid) AND lower(valid) = '2005-03-01'`); n != 1 {
			t.Error("she does not live in Oslo since 2005")
		}
	})
	t.Run("a repetition of an event on another day", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		on := func(day string) func(*prompts.ExtractedFact) {
			return func(f *prompts.ExtractedFact) { f.Kind, f.ValidAt, f.Predicate = prompts.Event, day, "VISITED" }
		}
		w.analyst.entities, w.analyst.facts = names("Alice", "Oslo"), fact("Alice visited Oslo.", on("2024-01-05"))
		w.says("2024-04-01", "Alice", "I visited Oslo on 5 January.")
		w.analyst.facts = fact("Alice visited Oslo.", on("2024-03-05"))
		w.analyst.judge = all(func(r *prompts.FactResolution, ids []int) { r.DuplicateOf = ids[0] })
		w.says("2024-04-02", "Alice", "I visited Oslo on 5 March.")
		if n := w.count(`SELECT count(*) FROM annals.facts`); n != 2 {
			t.Errorf("%d visits, want 2", n)
		}
	})
	t.Run("a capital letter", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.analyst.entities = names("Alice", "Oslo")
		w.analyst.facts = fact("Alice visited Oslo.", func(f *prompts.ExtractedFact) { f.Kind, f.ValidAt, f.Predicate = "Event", "2022-03-01", "VISITED" })
		w.says("2023-05-01", "Alice", "I visited Oslo on 1 March 2022.")
		if n := w.count(`SELECT count(*) FROM annals.facts WHERE kind = 'event' AND NOT upper_inf(valid)`); n != 1 {
			t.Error("the visit goes on")
		}
	})
	t.Run("before now, with a full stop", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.analyst.entities = names("Alice", "Oslo")
		w.analyst.facts = fact("Alice lived in Oslo.", func(f *prompts.ExtractedFact) { f.InvalidAt = "Before now." })
		w.says("2023-05-01", "Alice", "I lived in Oslo.")
		if n := w.count(`SELECT count(*) FROM annals.facts WHERE NOT upper_inf(valid)`); n != 1 {
			t.Error("she still lives there")
		}
	})
}

// What a text succeeds and does not take back has ended: it is not rejected.
func TestWhatIsNotTakenBackEnds(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	lives := func(place, sentence string) {
		w.script["extract_entities"] = says(entities("Alice", place))
		w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: sentence, Kind: prompts.State}}})
	}
	lives("Oslo", "Alice lives in Oslo.")
	w.says("2023-05-01", "Alice", "I live in Oslo.")
	lives("Lund", "Alice lives in Lund.")
	w.script["resolve_facts"] = says(prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: 2, Retracts: []int{1}}}})
	w.says("2023-06-10", "Alice", "I live in Lund.")
	if n := w.count("SELECT count(*) FROM annals.rejections"); n != 0 {
		t.Error("Oslo is rejected for good")
	}
	if n := w.count("SELECT count(*) FROM annals.facts WHERE fact = 'Alice lives in Oslo.' AND upper(valid) = '2023-06-10'"); n != 1 {
		t.Error("Oslo did not end with the move")
	}
}
