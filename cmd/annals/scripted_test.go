package main

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

const modelKey = "sk-scripted-0123456789abcdef"

// scripted is a memory whose models answer over HTTP as a test says.
type scripted struct {
	*memory
	server  *modeltest.Server
	address string // the server's base URL

	// answers are by the name of the question. Other questions get an answer that found nothing.
	answers map[string]func(modeltest.Request) modeltest.Reply
}

func newScripted(t *testing.T) *scripted {
	t.Helper()
	return scriptedAt(t, pgtest.New(t))
}

// scriptedAt opens the memory in a database. The server requires the key.
func scriptedAt(t *testing.T, database string) *scripted {
	t.Helper()
	s := &scripted{answers: map[string]func(modeltest.Request) modeltest.Reply{}}
	s.server = modeltest.NewInProcess(t, s.answer)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if given := r.Header.Get("Authorization"); given != "Bearer "+modelKey {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error": {"message": "Incorrect API key provided: ` + strings.TrimPrefix(given, "Bearer ") + `"}}`))
			return
		}
		s.server.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	s.address = h.URL + "/v1"
	s.memory = &memory{t: t, environ: map[string]string{
		"ANNALS_DATABASE_URL": database, "OPENAI_API_KEY": modelKey,
		"ANNALS_LLM": "openai:scripted", "ANNALS_LLM_BASE_URL": s.address,
		"ANNALS_EMBEDDER": "openai:scripted", "ANNALS_EMBEDDER_BASE_URL": s.address,
	}}
	return s
}

// nothingFound has the answer to each question that found nothing.
var nothingFound = map[string]string{
	"extract_entities": `{"entities":[]}`, "resolve_entities": `{"resolutions":[]}`, "extract_facts": `{"facts":[]}`,
	"resolve_facts": `{"resolutions":[]}`, "summarise_entities": `{"summaries":[]}`,
	"extract_dates": `{"reason":"","valid_at":"","invalid_at":""}`, "summarise_thread": `{"summary":"They talked about moving."}`,
	"doctor": `{"ready":true}`,
}

func (s *scripted) answer(r modeltest.Request) modeltest.Reply {
	if f := s.answers[r.Prompt]; f != nil {
		return f(r)
	}
	return modeltest.Reply{Text: nothingFound[r.Prompt]}
}

// says returns a constant answer.
func says(answer any) func(modeltest.Request) modeltest.Reply {
	return func(modeltest.Request) modeltest.Reply { return modeltest.Reply{JSON: answer} }
}

// knowsMoves makes the model understand that Alice lives in Paris and moves to Lisbon, at the given
// time.
func (s *scripted) knowsMoves(movedAt string) {
	home := func(r modeltest.Request) (city, at string) {
		switch _, current, _ := strings.Cut(r.User, "The current"); {
		case strings.Contains(current, "Lisbon"):
			return "Lisbon", movedAt
		case strings.Contains(current, "Paris"):
			return "Paris", ""
		}
		return "", ""
	}
	s.answers["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		city, _ := home(r)
		if city == "" {
			return modeltest.Reply{Text: nothingFound[r.Prompt]}
		}
		return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
			{Name: "Alice", Label: "Person"}, {Name: city, Label: "City"},
		}}}
	}
	s.answers["extract_facts"] = func(r modeltest.Request) modeltest.Reply {
		city, at := home(r)
		return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
			{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alice lives in " + city + ".", ValidAt: at},
		}}}
	}
	s.answers["resolve_facts"] = says(prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{
		{ID: 2, Contradicts: []int{1}, Reason: "one home at a time"},
	}})
}

// factID returns the id of the fact with this target.
func (m *memory) factID(target string, args ...string) string {
	m.t.Helper()
	var got factsJSON
	m.read(&got, append([]string{"facts", "-g", "t"}, args...)...)
	for _, f := range got.Facts {
		if f.Target == target {
			return f.ID
		}
	}
	m.t.Fatalf("no fact about %s in %+v", target, got.Facts)
	return ""
}

// hears adds a message by Alice.
func (m *memory) hears(day, text string, args ...string) outcome {
	m.t.Helper()
	return m.run("", append([]string{"add", "-g", "t", "--actor", "Alice", "--occurred-at", cmp.Or(day, "2024-01-01"), text}, args...)...)
}

// failsWith checks that the command failed with one line that has some words, and no secrets.
func (o outcome) failsWith(t *testing.T, want string, secrets ...string) {
	t.Helper()
	if o.code != exitFailed || !strings.Contains(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("exit %d, %q; want %q on one line", o.code, o.stderr, want)
	}
	for _, secret := range secrets {
		if strings.Contains(o.stdout+o.stderr, secret) {
			t.Errorf("it shows %q: %s%s", secret, o.stdout, o.stderr)
		}
	}
}
