package retrieve_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

var at = time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC)

func haystack(group string) retrieve.Haystack {
	return retrieve.Haystack{Group: group, Turns: []retrieve.Turn{
		{ID: "a1", Session: "a", Speaker: "Nora", Text: "I live in Lisbon now.", At: at},
		{ID: "a2", Session: "a", Speaker: "Ben", Text: "How is the weather there?", At: at.Add(time.Second)},
		{ID: "b1", Session: "b", Role: "assistant", Text: "It rains on\n the harbour.", At: at.Add(time.Hour)},
	}}
}

func fill(t *testing.T, client *annals.Client, h retrieve.Haystack, options retrieve.Options) *retrieve.Memory {
	t.Helper()
	memory, err := retrieve.Fill(t.Context(), client, h, options)
	if err != nil {
		t.Fatal(err)
	}
	return memory
}

// turns returns the turns that a probe's view finds, by the name of the method.
func turns(t *testing.T, memory *retrieve.Memory, question string, withGraph bool) map[string][]string {
	t.Helper()
	found, err := memory.Find(t.Context(), retrieve.Question{Text: question}, retrieve.Probes(retrieve.Options{Graph: withGraph}), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, f := range found {
		if f.Took <= 0 {
			t.Errorf("%s took %v", f.Method, f.Took)
		}
		out[f.Method] = f.Ranking.Turns()
	}
	return out
}

func first(turns []string) string { return append(turns, "nothing")[0] }

func TestWordsAlone(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	memory := fill(t, client, haystack("g"), retrieve.Options{})
	got := turns(t, memory, "Who is at the harbour?", false)
	if len(got) != 3 || first(got["episodes, bm25"]) != "b1" || len(got["episodes, cosine"]) != 3 || first(got["episodes, default"]) != "b1" {
		t.Errorf("found %q; want b1 by its words, all three by vector, and b1 by default", got)
	}
	counts, err := client.EpisodeCounts(t.Context(), "g")
	if err != nil || counts[graph.StateDone] != 0 {
		t.Errorf("%v (%v): some were read into the graph", counts, err)
	}
}

func TestFactsStandForTheirTurns(t *testing.T) {
	t.Parallel()
	memory := fill(t, clienttest.Open(t, annals.Config{}), haystack("g"), retrieve.Options{Graph: true})
	found, err := memory.Find(t.Context(), retrieve.Question{Text: "Where does Nora live?"}, retrieve.Probes(retrieve.Options{Graph: true}), nil)
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]ranking.Ranking{}
	for _, f := range found {
		views[f.Method] = f.Ranking
	}
	facts, episodes, combined := views["facts, default"], views["episodes, default"], views["facts + episodes, default"]
	if len(facts) == 0 || !strings.HasPrefix(facts[0].Line, "Nora lives in Lisbon") || !strings.HasSuffix(facts[0].Line, " (known since 15 March 2024)") ||
		!cmp.Equal(facts[0].Sources, []ranking.Source{{Turn: "a1", Session: "a"}}) || facts[0].Tokens != retrieve.Tokens(facts[0].Line) {
		t.Fatalf("facts %+v; want where Nora lives, by a1, first", facts)
	}
	if len(combined) != len(facts)+len(episodes) || !cmp.Equal(combined[:2], ranking.Ranking{facts[0], episodes[0]}) {
		t.Errorf("combined %+v; want the first fact, the first episode and so on", combined)
	}
}

func TestThreadsAreWholeSittings(t *testing.T) {
	t.Parallel()
	memory := fill(t, clienttest.Open(t, annals.Config{}), haystack("g"), retrieve.Options{})
	for question, want := range map[string]string{"Who is at the harbour?": "b", "Who is in Atlantis?": "none found"} {
		found, err := memory.Find(t.Context(), retrieve.Question{Text: question}, retrieve.Probes(retrieve.Options{}, retrieve.Threads), nil)
		if err != nil {
			t.Fatal(err)
		}
		threads := found[len(found)-1]
		if sessions := threads.Ranking.Sessions(); threads.Method != "threads, default" || first(sessions) != want || len(threads.Ranking.Turns()) != 0 {
			t.Errorf("%q: %+v, want %s first and no turns", question, threads, want)
		}
	}
}

func TestLinesAreAsAContextShowsThem(t *testing.T) {
	t.Parallel()
	memory := fill(t, clienttest.Open(t, annals.Config{}), haystack("g"), retrieve.Options{})
	found, err := memory.Find(t.Context(), retrieve.Question{Text: "harbour weather Lisbon"}, retrieve.Probes(retrieve.Options{}), retrieve.Baselines(haystack("g").Turns))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"Nora: I live in Lisbon now. (2024-03-15 09:30)":         true,
		"Ben: How is the weather there? (2024-03-15 09:30)":      true,
		"Assistant: It rains on the harbour. (2024-03-15 10:30)": true,
	}
	for _, f := range found {
		if len(f.Ranking) == 0 {
			t.Errorf("%s found nothing", f.Method)
		}
		for _, hit := range f.Ranking {
			if !want[hit.Line] || hit.Tokens != retrieve.Tokens(hit.Line) {
				t.Errorf("%s: %q, %d tokens", f.Method, hit.Line, hit.Tokens)
			}
		}
	}
}

func TestAGroupIsUsedAgain(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	for range 2 {
		if got := turns(t, fill(t, client, haystack("g"), retrieve.Options{Graph: true}), "Lisbon", true); first(got["episodes, bm25"]) != "a1" {
			t.Errorf("found %q", got)
		}
	}
	counts, err := client.EpisodeCounts(t.Context(), "g")
	if err != nil || counts[graph.StateDone] != 3 || len(counts) != 1 {
		t.Errorf("%v (%v), want 3 done", counts, err)
	}
}

// An interrupted run resumes where it stopped.
func TestAHalfFilledGroupIsCompleted(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	h := haystack("g")
	if _, err := client.Add(t.Context(), annals.Episode{
		GroupID: "g", Content: h.Turns[0].Text, Actor: "Nora", ThreadID: "a", OccurredAt: at, ExternalID: "a1",
	}); err != nil {
		t.Fatal(err)
	}
	var said []string
	options := retrieve.Options{Graph: true, Say: func(format string, _ ...any) { said = append(said, format) }}
	if got := turns(t, fill(t, client, h, options), "harbour", true); first(got["episodes, bm25"]) != "b1" || len(said) != 1 {
		t.Errorf("found %q, said %q", got, said)
	}
}

func TestAGroupOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Content: "Something else."}); err != nil {
		t.Fatal(err)
	}
	if _, err := retrieve.Fill(t.Context(), client, haystack("g"), retrieve.Options{}); err == nil || !strings.Contains(err.Error(), "4 episodes and not the 3 turns") {
		t.Errorf("filled: %v", err)
	}
}

func TestBaselines(t *testing.T) {
	t.Parallel()
	h := haystack("g")
	for _, tt := range []struct {
		baseline retrieve.Baseline
		question string
		want     []ranking.Source
	}{
		{retrieve.Baselines(h.Turns)[0], "raining in Lisbon", []ranking.Source{{Turn: "a1", Session: "a"}}},
		{retrieve.Baselines(h.Turns)[1], "raining?", []ranking.Source{{Turn: "b1", Session: "b"}}},
		{retrieve.Baselines(h.Turns)[0], "What does Ben say", []ranking.Source{{Turn: "a2", Session: "a"}}},
		{retrieve.SessionBaselines(h.Turns)[0], "weather", []ranking.Source{{Session: "a"}}},
		{retrieve.SessionBaselines(h.Turns)[1], "rain", []ranking.Source{{Session: "b"}}},
	} {
		got := tt.baseline.Ask(tt.question, 1)
		if len(got.Ranking) != 1 || !cmp.Equal(got.Ranking[0].Sources, tt.want) {
			t.Errorf("%s, %q: %+v, want %+v", tt.baseline.Method, tt.question, got.Ranking, tt.want)
		}
	}
}

func TestGroupNames(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	for options, want := range map[bool]string{true: "eval-x", false: "eval-x-flat"} {
		if got := retrieve.GroupName(client, "eval-x", retrieve.Options{Graph: options}); got != want {
			t.Errorf("the group is %s, want %s", got, want)
		}
	}
}

func TestScoreAndReport(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	h := haystack("g")
	memory := fill(t, client, h, retrieve.Options{})
	scores := retrieve.NewScores(retrieve.Options{}, ranking.TurnRecall(1))
	task := retrieve.Task{
		ID: "q1", Group: "small", Category: "easy", Question: retrieve.Question{Text: "Is it raining?"},
		Gold: ranking.Gold{Turns: []string{"b1", "a2"}, Sessions: []string{"b", "a"}},
	}
	done, err := memory.Score(t.Context(), scores, task, retrieve.Probes(retrieve.Options{}), append(retrieve.Baselines(h.Turns), retrieve.SessionBaselines(h.Turns)...))
	if err != nil {
		t.Fatal(err)
	}
	if got := done.Ranks["small: turns, Okapi of stems"]; !cmp.Equal(got, []int{1, 0}) {
		t.Errorf("ranks %v, want the first at 1 and the second nowhere", got)
	}
	if got := done.SessionRanks["small: sessions, Okapi of stems"]; !cmp.Equal(got, []int{1, 0}) {
		t.Errorf("ranks of sessions %v, want the first at 1 and the second nowhere", got)
	}
	report := retrieve.NewReport("Rain", client, retrieve.Options{})
	report.Corpus, report.Questions, report.Scored = "three turns", 2, 1
	scores.Report(&report)
	report.Skip("too hard")
	report.Cases = []retrieve.Case{done}
	text := report.Markdown()
	for _, want := range []string{
		"Rain: three turns. 2 questions, 1 scored; 1 skipped: too hard.\n", "not read into the graph", "offline:hash",
		"| small: turns, Okapi of stems | easy | 1 | 0.500 | – | – |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Skipped map[string]int
		Rows    []struct{ Method string }
		Cases   []retrieve.Case
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.Skipped["too hard"] != 1 || len(back.Rows) != 14 || !cmp.Equal(back.Cases, report.Cases) {
		t.Errorf("%+v; want one skipped, seven methods in a category and overall, and the case", back)
	}
}

// backwards is a reranker that prefers the last texts.
type backwards struct{}

func (backwards) Name() string { return "backwards" }

func (backwards) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	scores := make([]float64, len(texts))
	for i := range scores {
		scores[i] = float64(i)
	}
	return scores, nil
}

func TestRerankedBesideTheDefault(t *testing.T) {
	t.Parallel()
	options := retrieve.Options{Rerank: []annals.Rerank{annals.RerankModel}}
	if err := options.Validate(); err != nil {
		t.Fatal(err)
	}
	memory := fill(t, clienttest.Open(t, annals.Config{Reranker: backwards{}}), haystack("g"), options)
	found, err := memory.Find(t.Context(), retrieve.Question{Text: "harbour weather Lisbon"}, retrieve.Probes(options), nil)
	if err != nil {
		t.Fatal(err)
	}
	views := map[string][]string{}
	for _, f := range found {
		views[f.Method] = f.Ranking.Turns()
	}
	usual, reranked := views["episodes, default"], slices.Clone(views["episodes, cross_encoder"])
	slices.Reverse(reranked)
	if len(usual) != 3 || !slices.Equal(usual, reranked) {
		t.Errorf("the default finds %q, and the other way round %q", usual, views["episodes, cross_encoder"])
	}
}
