package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	asks "github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// script answers the questions of a language model, by their names. A question without an answer
// here is answered as if nothing were found.
type script map[string]func(modeltest.Request) modeltest.Reply

// says gives a question the same answer each time.
func says(answer any) func(modeltest.Request) modeltest.Reply {
	return func(modeltest.Request) modeltest.Reply { return modeltest.Reply{JSON: answer} }
}

func (s script) answer(r modeltest.Request) modeltest.Reply {
	if f := s[r.Prompt]; f != nil {
		return f(r)
	}
	return modeltest.Reply{Text: nothing[r.Prompt]}
}

// nothing holds, for each question, the answer that finds nothing.
var nothing = map[string]string{
	"extract_entities": `{"entities":[]}`, "resolve_entities": `{"resolutions":[]}`, "extract_facts": `{"facts":[]}`,
	"resolve_facts": `{"resolutions":[]}`, "summarise_entities": `{"summaries":[]}`,
	"review_entities": `{"reason":"","missed":[],"invented":[]}`, "extract_dates": `{"reason":"","valid_at":"","invalid_at":""}`,
	"summarise_thread": `{"summary":"They talked."}`,
}

// llmWorld is an engine that asks a scripted model over HTTP.
type llmWorld struct {
	*world
	server *modeltest.Server
	script script
}

func newLLMWorld(t *testing.T, options engine.Options) *llmWorld {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w := &llmWorld{world: &world{t: t, pool: pool}, script: script{}}
	w.server = modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply { return w.script.answer(r) })
	llm, err := model.OpenLLM(model.Config{
		Model: "openai:scripted", BaseURL: w.server.URL, APIKey: "secret", Backoff: time.Millisecond, Retries: 2, Timeout: 2 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	llm = llm.With(asks.NewLedger(pool))
	embedder, err := model.OpenEmbedder(model.EmbedderConfig{
		Config: model.Config{Model: "openai:scripted", BaseURL: w.server.URL, APIKey: "secret"}, Dimensions: 384,
	})
	if err != nil {
		t.Fatal(err)
	}
	ledger := asks.NewLedger(pool)
	w.world.engine = engine.New(pool, asks.New(llm, llm), model.EmbedderWith(embedder, ledger), options)
	return w
}

// asked counts the calls to the model while do runs.
func (w *llmWorld) asked(do func()) (chats, embeddings int) {
	chats, embeddings = w.server.Chats(), w.server.Embeddings()
	do()
	return w.server.Chats() - chats, w.server.Embeddings() - embeddings
}

// entities is an answer with these names.
func entities(names ...string) any {
	var out prompts.ExtractedEntities
	for _, name := range names {
		out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: name, Label: "Person"})
	}
	return out
}

// crowd is an episode of as many people as given, with as many facts among them.
func crowd(people, facts int, spelling func(int) string) (prompts.ExtractedEntities, prompts.ExtractedFacts) {
	var e prompts.ExtractedEntities
	var f prompts.ExtractedFacts
	for i := range people {
		e.Entities = append(e.Entities, prompts.ExtractedEntity{Name: spelling(i), Label: "Person"})
	}
	for i := range facts {
		source, target := i%people+1, (i+1+i/people)%people+1
		f.Facts = append(f.Facts, prompts.ExtractedFact{
			Source: source, Target: target, Predicate: "KNOWS",
			Fact: fmt.Sprintf("%s knows %s since they met at place number %d, which is quite a long way from here.", spelling(source-1), spelling(target-1), i),
		})
	}
	return e, f
}

func fullName(i int) string { return given[i] + " " + family[i] }

func shortName(i int) string { return given[i] }
