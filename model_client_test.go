package annals_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// script answers a model's questions by name. Other questions get an answer that found nothing.
type script map[string]func(modeltest.Request) modeltest.Reply

func (s script) answer(r modeltest.Request) modeltest.Reply {
	if f := s[r.Prompt]; f != nil {
		return f(r)
	}
	return modeltest.Reply{Text: map[string]string{
		"extract_entities": `{"entities":[]}`, "resolve_entities": `{"resolutions":[]}`, "extract_facts": `{"facts":[]}`,
		"resolve_facts": `{"resolutions":[]}`, "summarise_entities": `{"summaries":[]}`, "summarise_thread": `{"summary":"They talked."}`,
		"extract_dates": `{"reason":"","valid_at":"","invalid_at":""}`,
	}[r.Prompt]}
}

// knowsMoves is a model that understands that Alice lives in Paris and moves to Lisbon, at the
// given time.
func knowsMoves(movedAt string) script {
	home := func(r modeltest.Request) (city, at string) {
		if _, current, _ := strings.Cut(r.User, "The current"); strings.Contains(current, "Lisbon") {
			return "Lisbon", movedAt
		}
		return "Paris", ""
	}
	return script{
		"extract_entities": func(r modeltest.Request) modeltest.Reply {
			city, _ := home(r)
			return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Alice"}, {Name: city}}}}
		},
		"extract_facts": func(r modeltest.Request) modeltest.Reply {
			city, at := home(r)
			return modeltest.Reply{JSON: prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{
				{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alice lives in " + city + ".", ValidAt: at},
			}}}
		},
		"resolve_facts": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: 2, Contradicts: []int{1}}}}}
		},
	}
}

// openScripted opens a memory with a scripted model and embedder.
func openScripted(t *testing.T, s script, configure func(*annals.Config, *modeltest.Server)) (*annals.Client, *modeltest.Server) {
	t.Helper()
	server := modeltest.NewServer(t, s.answer)
	embedder, err := model.OpenEmbedder(model.EmbedderConfig{
		Config: model.Config{Model: "openai:vectors", BaseURL: server.URL, APIKey: "secret"}, Dimensions: 384,
	})
	if err != nil {
		t.Fatal(err)
	}
	config := annals.Config{DatabaseURL: pgtest.New(t), LLM: llmAt(t, server, "main"), Embedder: embedder}
	if configure != nil {
		configure(&config, server)
	}
	client := clienttest.Open(t, config)
	return client, server
}

func llmAt(t *testing.T, server *modeltest.Server, name string) *model.LLM {
	t.Helper()
	llm, err := model.OpenLLM(model.Config{
		Model: "openai:" + name, BaseURL: server.URL, APIKey: "secret", Backoff: time.Millisecond, Retries: 1,
		Prices: model.Prices{"openai:" + name: {Input: 1, Output: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return llm
}

// The same two sentences become the same two facts on both time axes, by rules and by a model, in
// whichever words the model dates the move.
func TestAMoveByEveryReader(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(*testing.T) *annals.Client{
		"offline": func(t *testing.T) *annals.Client {
			client, _ := clienttest.New(t)
			return client
		},
		"a model that repeats the words": func(t *testing.T) *annals.Client {
			client, _ := openScripted(t, knowsMoves("last week"), nil)
			return client
		},
		"a model that works out the date": func(t *testing.T) *annals.Client {
			client, _ := openScripted(t, knowsMoves("2024-03-04"), nil)
			return client
		},
		"a model that works out the time": func(t *testing.T) *annals.Client {
			client, _ := openScripted(t, knowsMoves("2024-03-04T02:00:00+02:00"), nil)
			return client
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkMove(t, read(t))
		})
	}
}

func checkMove(t *testing.T, client *annals.Client) {
	t.Helper()
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	before := time.Now()
	clienttest.AddAndProcess(t, client, clienttest.Alice("I moved to Lisbon last week", "2024-03-15"))
	day := func(s string) time.Time { return clienttest.Alice("", s).OccurredAt }
	const (
		open   = "Paris [2023-01-10, …)"
		paris  = "Paris [2023-01-10, 2024-03-04)"
		lisbon = "Lisbon [2024-03-04, …)"
	)
	for _, tt := range []struct {
		name   string
		filter annals.FactFilter
		want   []string
	}{
		{"all", annals.FactFilter{}, []string{paris, lisbon}},
		{"in 2023", annals.FactFilter{ValidAt: day("2023-06-01")}, []string{paris}},
		{"the day before that week", annals.FactFilter{ValidAt: day("2024-03-03")}, []string{paris}},
		{"the first day of the week of the move", annals.FactFilter{ValidAt: day("2024-03-04")}, []string{lisbon}},
		{"then, as believed before we heard of it", annals.FactFilter{ValidAt: day("2024-06-01"), KnownAt: before}, []string{open}},
		{"before we knew anything", annals.FactFilter{KnownAt: day("2020-01-01")}, nil},
	} {
		tt.filter.GroupID = "t"
		if diff := cmp.Diff(tt.want, homes(t, client, tt.filter)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: day("2023-06-01")})
	if err != nil || len(facts) != 1 {
		t.Fatalf("facts = %v, %v", facts, err)
	}
	versions, err := client.History(t.Context(), "t", facts[0].ID)
	if err != nil || len(versions) != 2 || versions[0].Current || !versions[0].Valid.Ongoing() || !versions[1].Current ||
		!versions[1].Valid.End.Equal(day("2024-03-04")) {
		t.Errorf("versions = %+v, %v; want the open belief, then the closed one", versions, err)
	}
}

// homes lists where Alice lived, and when.
func homes(t *testing.T, client *annals.Client, filter annals.FactFilter) []string {
	t.Helper()
	facts, err := client.Facts(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range facts {
		if f.Predicate == "LIVES_IN" {
			all = append(all, fmt.Sprint(f.Target, " ", f.Valid))
		}
	}
	return all
}

// The main model reads, the small one dates and summarises, and the calls of each are charged to
// their group.
func TestTwoModels(t *testing.T) {
	t.Parallel()
	client, server := openScripted(t, knowsMoves(""), func(c *annals.Config, s *modeltest.Server) { c.SmallLLM = llmAt(t, s, "small") })
	if client.Analyst() != "openai:main" || client.Embedder().Name() != "openai:vectors" {
		t.Errorf("read by %s, embedded by %s", client.Analyst(), client.Embedder().Name())
	}
	episode := clienttest.Alice("I live in Paris.", "2023-01-10")
	episode.ThreadID = "chat"
	clienttest.AddAndProcess(t, client, episode)
	if _, err := client.SummariseThread(t.Context(), "t", "chat"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Bob"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "Tea"},
	}); err != nil {
		t.Fatal(err)
	}
	asked := map[string]string{}
	for _, r := range server.Calls() {
		if r.Texts == nil {
			asked[r.Prompt] = r.Model
		}
	}
	want := map[string]string{"extract_entities": "main", "extract_facts": "main", "summarise_thread": "small", "extract_dates": "small"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked of which model (-want +got):\n%s", diff)
	}
	usage, err := client.Usage(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]string{}
	for _, u := range usage {
		if u.Kind != "chat" {
			continue
		}
		counted[u.Prompt] = strings.TrimPrefix(u.Model, "openai:")
		if cost := float64(u.InputTokens+2*u.OutputTokens) / 1e6; u.Calls != 1 || u.Unpriced != 0 || u.Cost <= 0 || u.Cost-cost > 1e-12 || cost-u.Cost > 1e-12 {
			t.Errorf("usage %+v, want one call that costs %v", u, cost)
		}
	}
	if diff := cmp.Diff(want, counted); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if other, err := client.Usage(t.Context(), "other"); err != nil || len(other) != 0 {
		t.Errorf("another group used %v, %v", other, err)
	}
}

// Waiting messages are read together unless the window is one.
func TestTheWindowOfMessages(t *testing.T) {
	t.Parallel()
	for window, want := range map[int]int{0: 1, 1: 3, 2: 2} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			t.Parallel()
			client, server := openScripted(t, script{}, func(c *annals.Config, _ *modeltest.Server) { c.Window = window })
			var episodes []annals.Episode
			for _, text := range []string{"Hello.", "How are you?", "Fine."} {
				e := clienttest.Alice(text, "2024-01-01")
				e.ThreadID = "chat"
				episodes = append(episodes, e)
			}
			clienttest.AddAndProcess(t, client, episodes...)
			asked := slices.DeleteFunc(server.Prompts(), func(name string) bool { return name != "extract_entities" })
			if len(asked) != want {
				t.Errorf("a window of %d reads three messages in %d goes, want %d", window, len(asked), want)
			}
		})
	}
}

// If the caller cancels a call, the episode waits and is not failed.
func TestGivingUpLeavesTheEpisodeWaiting(t *testing.T) {
	t.Parallel()
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	s := knowsMoves("")
	understands := s["extract_facts"]
	s["extract_facts"] = func(r modeltest.Request) modeltest.Reply {
		if r.N > 1 {
			return understands(r)
		}
		giveUp()
		return modeltest.Reply{Hang: true}
	}
	client, server := openScripted(t, s, nil)
	if _, err := client.Add(t.Context(), clienttest.Alice("I live in Paris.", "2023-01-10")); err != nil {
		t.Fatal(err)
	}
	reported := 0
	if err := client.Process(ctx, "t", func(annals.Processed) { reported++ }); !errors.Is(err, context.Canceled) || reported != 0 {
		t.Errorf("Process = %v, after %d episodes; want that it was given up", err, reported)
	}
	counts, err := client.EpisodeCounts(t.Context(), "t")
	if err != nil || counts[graph.StateFailed] != 0 || counts[graph.StateDone] != 0 {
		t.Errorf("counts = %v, %v; want it waiting", counts, err)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Paris [2023-01-10, …)"}, homes(t, client, annals.FactFilter{GroupID: "t"})); diff != "" {
		t.Errorf("homes (-want +got):\n%s", diff)
	}
	// Answered questions are not asked again.
	if diff := cmp.Diff([]string{"extract_entities", "extract_facts", "extract_facts"}, server.Prompts()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}
