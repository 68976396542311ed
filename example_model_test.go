package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
)

// provider stands in for the provider of a language model with the OpenAI protocol. It has a fixed
// answer for each question, by the question's name.
func provider(answers map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Format struct {
				Schema struct{ Name string } `json:"json_schema"`
			} `json:"response_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{
				"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": answers[asked.Format.Schema.Name]},
			}},
			"usage": map[string]int{"prompt_tokens": 1500, "completion_tokens": 100, "total_tokens": 1600},
		})
	}))
}

// With a language model, episodes may be worded in any way. The ledger records what that cost.
func ExampleOpen_model() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()
	server := provider(map[string]string{
		"extract_entities": `{"entities": [{"name": "Dana", "label": "Person"}, {"name": "Globex", "label": "Organization"}]}`,
		"extract_facts": `{"facts": [{"reason": "Dana says so", "source": 1, "target": 2, "predicate": "WORKS_AT",
			"fact": "Dana works at Globex.", "valid_at": "on Monday", "invalid_at": "", "ends": false, "message": 0}]}`,
	})
	defer server.Close()

	llm, err := model.OpenLLM(model.Config{
		Model:   "openai:some-model",
		BaseURL: server.URL + "/v1", // only for servers other than the provider's own
		APIKey:  "sk-…",
		Prices:  model.Prices{"openai:some-model": {Input: 0.25, Output: 2}},
	})
	if err != nil {
		log.Fatal(err)
	}
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url, LLM: llm})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.Add(ctx, annals.Episode{
		GroupID: "dana", Actor: "Dana", Content: "Guess what: Globex took me on Monday!",
		OccurredAt: time.Date(2024, 5, 3, 18, 30, 0, 0, time.UTC), // a Friday
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Process(ctx, "dana", nil); err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "dana"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Fact, f.Valid)
	}
	usage, err := client.Usage(ctx, "dana")
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range usage {
		fmt.Printf("%s: %d call, %d + %d tokens, $%.6f\n", u.Prompt, u.Calls, u.InputTokens, u.OutputTokens, u.Cost)
	}
	// Output:
	// Dana works at Globex. [2024-04-29, …)
	// extract_entities: 1 call, 1500 + 100 tokens, $0.000575
	// extract_facts: 1 call, 1500 + 100 tokens, $0.000575
}

// AddTriple adds a known fact without a text to read. If it is added again, it is recognised.
func ExampleClient_AddTriple() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	triple := annals.Triple{
		GroupID:   "staff",
		Source:    graph.TripleEnd{Name: "Alice", Label: "Person"},
		Predicate: "WORKS_AT",
		Target:    graph.TripleEnd{Name: "Acme", Label: "Company"},
		Fact:      "Alice works at Acme as a designer.",
		ValidAt:   time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC),
	}
	for range 2 {
		added, err := client.AddTriple(ctx, triple)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("known already:", added.Repeated)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "staff"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target, f.Valid, "stated by", len(f.Episodes), "episodes")
	}
	// Output:
	// known already: false
	// known already: true
	// Alice WORKS_AT Acme [2024-02-01, …) stated by 2 episodes
}

// Two entities that are the same person are merged. The name and the id of the merged one still
// lead to the other.
func ExampleClient_MergeEntities() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	for _, t := range []annals.Triple{
		{Source: graph.TripleEnd{Name: "Bobby"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "Tea"}},
		{Source: graph.TripleEnd{Name: "Robert Smith"}, Predicate: "WORKS_AT", Target: graph.TripleEnd{Name: "Acme"}},
	} {
		t.GroupID, t.ValidAt = "staff", time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)
		if _, err := client.AddTriple(ctx, t); err != nil {
			log.Fatal(err)
		}
	}
	bobby, err := client.Entity(ctx, "staff", "Bobby")
	if err != nil {
		log.Fatal(err)
	}
	robert, err := client.Entity(ctx, "staff", "Robert Smith")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.MergeEntities(ctx, "staff", bobby.ID, robert.ID); err != nil {
		log.Fatal(err)
	}

	found, err := client.Entity(ctx, "staff", bobby.ID.String())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Name, found.Aliases)
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "staff", EntityID: found.ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target)
	}
	// Unordered output:
	// Robert Smith [Bobby]
	// Robert Smith LIKES Tea
	// Robert Smith WORKS_AT Acme
}

// The ontology of a group says which kinds of entities and facts matter, and which attributes they
// have. It can be made from Go structs.
func ExampleClient_SetOntology() {
	type Product struct {
		Price  float64 `json:"price" jsonschema:"in euros"`
		Colour string  `json:"colour"`
	}
	type Purchase struct {
		Quantity int `json:"quantity"`
	}
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()

	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	product, err := graph.EntityTypeOf[Product]("Product", "something that is sold")
	if err != nil {
		log.Fatal(err)
	}
	bought, err := graph.FactTypeOf[Purchase]("BOUGHT", "somebody paid for it", graph.TypePair{Source: "Person", Target: "Product"})
	if err != nil {
		log.Fatal(err)
	}
	err = client.SetOntology(ctx, "shop", annals.Ontology{
		EntityTypes:   []graph.EntityType{{Name: "Person", Description: "somebody who buys"}, product},
		FactTypes:     []graph.FactType{bought},
		ExcludedTypes: []string{"Topic"},
		Instructions:  "Heed returns and complaints.",
	})
	if err != nil {
		log.Fatal(err)
	}

	kept, err := client.Ontology(ctx, "shop")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range kept.EntityTypes {
		fmt.Println(t.Name, t.Description)
	}
	fmt.Println("price:", kept.EntityTypes[1].Attributes.Properties["price"].Description)
	fmt.Println(kept.FactTypes[0].Allows([]string{"Person"}, []string{"Product"}), kept.FactTypes[0].Allows([]string{"Product"}, []string{"Person"}))
	// Output:
	// Person somebody who buys
	// Product something that is sold
	// price: in euros
	// true false
}
