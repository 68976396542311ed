package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

const shop = `{
  "entity_types": [
    {"name": "Product", "description": "Something sold", "attributes": {"type": "object", "properties": {
      "price": {"type": "number", "minimum": 0}, "colours": {"type": "array", "items": {"type": "string"}}}}},
    {"name": "Customer", "description": "Somebody who buys"}
  ],
  "fact_types": [{"name": "BOUGHT", "pairs": [{"source": "Customer", "target": "Product"}],
    "attributes": {"type": "object", "properties": {"quantity": {"type": "integer"}, "channel": {"type": "string", "enum": ["web", "shop"]}}}}],
  "excluded_types": ["Topic"], "instructions": "Heed returns."}`

func TestAnOntologyTypesWhatIsRead(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	o, err := graph.ParseOntology([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.engine.SetOntology(t.Context(), "g", o); err != nil {
		t.Fatal(err)
	}
	attribute := func(name, value string) prompts.Attribute { return prompts.Attribute{Name: name, Value: value} }
	w.script["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		for _, want := range []string{"Product", "Something sold", "price", "Heed returns.", "Topic"} {
			if !strings.Contains(r.User, want) {
				t.Errorf("the question does not say %q", want)
			}
		}
		return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
			{Name: "Alice", Label: "customer"},
			{Name: "Kettle", Label: "Product", Attributes: []prompts.Attribute{attribute("price", "29.90"), attribute("colours", "red"), attribute("colours", "blue"), attribute("weight", "heavy")}},
			{Name: "Kitchens", Label: "Topic"},
			{Name: "Bergen", Label: "City"},
		}}}
	}
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		{Source: 1, Target: 2, Predicate: "bought", Fact: "Alice bought two kettles.", Attributes: []prompts.Attribute{attribute("quantity", "2"), attribute("channel", "pigeon")}},
		{Source: 1, Target: 3, Predicate: "BOUGHT", Fact: "Alice bought half of Bergen.", Attributes: []prompts.Attribute{attribute("quantity", "1")}},
	}})
	done := w.says("2024-01-01", "Alice", "I bought two kettles.")
	if done[0].Err != nil {
		t.Fatal(done[0].Err)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 3 {
		t.Errorf("%d entities, want Alice, the kettle and Bergen", n)
	}
	for query, what := range map[string]string{
		`name = 'Alice' AND labels = '{Customer}'`:                           "Alice is no Customer",
		`name = 'Bergen' AND labels = '{}'`:                                  "Bergen is not a plain entity",
		`attributes = '{"price": 29.90, "colours": ["red", "blue"]}'::jsonb`: "the kettle has other attributes",
	} {
		if w.count(`SELECT count(*) FROM annals.entities WHERE `+query) != 1 {
			t.Error(what)
		}
	}
	if got := w.facts()["Alice bought two kettles."]; !same(got.Attributes, `{"quantity": 2}`) {
		t.Errorf("the fact has %s", got.Attributes)
	}
	if got := w.facts()["Alice bought half of Bergen."]; !same(got.Attributes, `{}`) {
		t.Errorf("a fact between the wrong types has %s", got.Attributes)
	}
	trace := w.trace(done[0].Episode.ID)
	for _, want := range []string{"Topic are not wanted", "no type City", "weight", "pigeon", "not meant between"} {
		if !strings.Contains(trace, want) {
			t.Errorf("the trace does not say %q:\n%s", want, trace)
		}
	}

	// Attributes stay until an episode gives new values.
	w.script["extract_entities"] = says(prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
		{Name: "Alice"}, {Name: "Kettle", Attributes: []prompts.Attribute{attribute("price", "25")}, Label: "Product"},
	}})
	w.script["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
		{Source: 1, Target: 2, Predicate: "BOUGHT", Fact: "Alice bought two kettles!", Attributes: []prompts.Attribute{attribute("channel", "web")}},
	}})
	w.says("2024-01-02", "Alice", "I bought two kettles, as I said.")
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE attributes = '{"price": 25, "colours": ["red", "blue"]}'::jsonb`); n != 1 {
		t.Error("the kettle lost what was known of it")
	}
	if got := w.facts()["Alice bought two kettles."]; !same(got.Attributes, `{"quantity": 2, "channel": "web"}`) {
		t.Errorf("the fact has %s", got.Attributes)
	}
}

func same(got json.RawMessage, want string) bool {
	var a, b map[string]any
	return json.Unmarshal(got, &a) == nil && json.Unmarshal([]byte(want), &b) == nil && len(a) == len(b) && func() bool {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		return string(x) == string(y)
	}()
}

func TestReflexionAddsAndRemoves(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{Reflexion: true})
	w.script["extract_entities"] = says(entities("Alice", "Atlantis"))
	w.script["review_entities"] = says(prompts.ReviewedEntities{
		Reason: "Paris is named, Atlantis is not", Missed: []prompts.ExtractedEntity{{Name: "Paris", Label: "Place"}}, Invented: []int{1, 2},
	})
	done := w.says("2024-01-01", "Alice", "I live in Paris.")
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name IN ('Alice', 'Paris')`); n != 2 || done[0].Entities != 2 {
		t.Errorf("%d of Alice and Paris, %d in all", n, done[0].Entities)
	}
	if trace := w.trace(done[0].Episode.ID); !strings.Contains(trace, "Atlantis is not") {
		t.Errorf("the trace does not tell of Atlantis:\n%s", trace)
	}
}
