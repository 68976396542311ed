package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/prompts"
)

// A model that reads "I moved in" months later is shown where everybody lives, but not the messages
// in between.
func TestAMessageIsReadWithWhatIsKnownOfItsSpeaker(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	w.script["extract_entities"] = says(entities("Alice", "Lisbon"))
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.", Kind: prompts.State},
	}})
	w.says("2024-01-01", "Alice", "I live in Lisbon.")
	w.script["extract_entities"], w.script["extract_facts"] = says(entities()), says(prompts.ExtractedFacts{})
	w.says("2024-01-02", "Alice", "Nice, isn't it?")
	w.says("2024-06-01", "Bob", "Has Alice settled in?")

	const known, earlier = "<known>\n- Alice lives in Lisbon. (known since 1 January 2024)\n</known>", "<earlier "
	for content, want := range map[string][2]bool{ // known, earlier
		"I live in Lisbon.": {false, false}, "Nice, isn't it?": {false, true}, "Has Alice settled in?": {true, false},
	} {
		for _, r := range w.server.Calls() {
			if r.Prompt != "extract_entities" || !strings.Contains(r.User, fmt.Sprintf("\n%s\n</message>", content)) {
				continue
			}
			if got := [2]bool{strings.Contains(r.User, known), strings.Contains(r.User, earlier)}; got != want {
				t.Errorf("known and earlier are shown %v, want %v, in\n%s", got, want, r.User)
			}
		}
	}
}

// The model is not asked about facts that share neither relation nor ends with a new fact.
func TestNeighboursOfAnotherRelationAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	tell := func(target, predicate, fact, day string) {
		w.script["extract_entities"] = says(entities("Alice", target))
		w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
			{Source: 1, Target: 2, Predicate: predicate, Fact: fact, Kind: prompts.State},
		}})
		w.says(day, "Alice", fact)
	}
	asked := func() (n int) {
		for _, name := range w.server.Prompts() {
			if name == "resolve_facts" {
				n++
			}
		}
		return n
	}
	tell("chess", "LIKES", "Alice likes chess.", "2024-01-01")
	tell("Paris", "LIVES_IN", "Alice lives in Paris.", "2024-01-02")
	tell("Acme", "WORKS_AT", "Alice works at Acme.", "2024-01-03")
	if n := asked(); n != 0 {
		t.Errorf("asked %d times about facts that have nothing in common", n)
	}
	tell("Oslo", "MOVED_TO", "Alice moved to Oslo.", "2024-01-04")
	if n := asked(); n != 1 {
		t.Errorf("asked %d times whether a move ends a home, want 1", n)
	}
}
