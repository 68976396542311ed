package retrieve_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
	"github.com/annalsdb/annals/internal/slow"
)

// rain is a long conversation about rain, with one turn that is also about
// something else.
func rain(group string) retrieve.Haystack {
	h := retrieve.Haystack{Group: group}
	for i := range 40 {
		text := fmt.Sprintf("It rained on day %d, and I sat by the window with a book and a cup of tea.", i)
		if i == 33 {
			text = "Nora lives in Lisbon, where it rained."
		}
		h.Turns = append(h.Turns, retrieve.Turn{ID: fmt.Sprint(i), Session: "s", Speaker: "Ben", Text: text, At: at.Add(time.Duration(i) * 24 * time.Hour)})
	}
	return h
}

// contexts returns the contexts filled for a question, by the name of the
// method.
func contexts(t *testing.T, memory *retrieve.Memory, q retrieve.Question, withGraph bool) map[string]ranking.Ranking {
	t.Helper()
	found, err := memory.Find(t.Context(), q, retrieve.Probes(retrieve.Options{Graph: withGraph}), nil)
	if err != nil {
		t.Fatal(err)
	}
	filled, err := memory.Contexts(t.Context(), q, found)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]ranking.Ranking{}
	for _, f := range filled {
		out[f.Method] = f.Ranking
	}
	return out
}

// The measured default context equals a user's context, and contains everything
// counted as shown.
func TestContextsAreTheRealOnes(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	h := rain("g")
	memory := fill(t, client, h, retrieve.Options{Graph: true, Budgets: []int{80, 200, 2000}})
	q := retrieve.Question{Text: "Where does Nora live when it rained?", At: at.Add(50 * 24 * time.Hour)}
	all := contexts(t, memory, q, true)
	for name, query := range map[string]annals.Query{
		"context, default": {},
		"context of facts + episodes, 100 hits of each": {Scopes: []graph.Kind{graph.KindEpisode, graph.KindFact}, Limit: 100},
	} {
		query.GroupID, query.Text, query.AskedAt = "g", q.Text, q.At
		for i, tokens := range []int{80, 200, 2000} {
			text, err := client.ContextAs(t.Context(), query, annals.Construction{Tokens: tokens})
			if err != nil {
				t.Fatal(err)
			}
			hit := all[name][i]
			if hit.Tokens != retrieve.Tokens(text) || hit.Tokens > tokens {
				t.Errorf("%s: %d tokens of %d, but the string has %d", name, hit.Tokens, tokens, retrieve.Tokens(text))
			}
			for j, turn := range h.Turns { // one by one: facts stand for their turns
				if shown := hasTurn(hit, turn.ID); strings.Contains(text, turn.Text) && !shown {
					t.Errorf("%s within %d tokens shows turn %d, which is not counted", name, tokens, j)
				}
			}
			if !hasTurn(hit, "33") {
				t.Errorf("%s within %d tokens: nothing of where Nora lives is counted:\n%s", name, tokens, text)
			}
		}
	}
	if n := len(all["context, default"][2].Sources); n < len(h.Turns) { // a budget says how much is looked for
		t.Errorf("the default shows %d turns of %d in 2000 tokens", n, len(h.Turns))
	}
}

func hasTurn(hit ranking.Hit, id string) bool {
	for _, s := range hit.Sources {
		if s.Turn == id {
			return true
		}
	}
	return false
}

// A fact counts as showing the turn that states it.
func TestAFactShowsItsTurn(t *testing.T) {
	t.Parallel()
	memory := fill(t, clienttest.Open(t, annals.Config{}), retrieve.Haystack{Group: "g", Turns: []retrieve.Turn{
		{ID: "1", Session: "a", Speaker: "Ben", Text: "Nora lives in Lisbon. " + strings.Repeat("And the rain went on and on for days without an end", 20), At: at},
	}}, retrieve.Options{Graph: true, Budgets: []int{70}})
	hit := contexts(t, memory, retrieve.Question{Text: "Where does Nora live?", At: at.Add(time.Hour)}, true)["context of facts + episodes, 100 hits of each"][0]
	if strings.Contains(hit.Line, "Ben: ") || !strings.Contains(hit.Line, "Nora lives in Lisbon") || !hasTurn(hit, "1") {
		t.Errorf("%+v; want the fact without the message, and the message counted", hit)
	}
}

func TestPlainLinesWithinABudget(t *testing.T) {
	t.Parallel()
	h := haystack("g")
	h.Turns[0].Text += strings.Repeat(" The sea is near.", 10)
	options := retrieve.Options{Budgets: []int{40, 1000}}
	memory := fill(t, clienttest.Open(t, annals.Config{}), h, options)
	scores := retrieve.NewScores(options)
	task := retrieve.Task{ID: "q", Category: "easy", Question: retrieve.Question{Text: "harbour rain Lisbon"}, Gold: ranking.Gold{Turns: []string{"b1", "a1"}}}
	done, err := memory.Score(t.Context(), scores, task, nil, retrieve.Baselines(h.Turns))
	if err != nil {
		t.Fatal(err)
	}
	var report retrieve.Report
	scores.Report(&report)
	row, _ := report.Contexts.Row("lines of turns, Okapi of stems", "easy")
	small, large := row.Scores["tokens of 40"], row.Scores["tokens of 1000"]
	want := map[string]float64{
		"evidence in 40 tokens": 0.5, "evidence in 1000 tokens": 1, "all of it in 40": 0, "all of it in 1000": 1,
		"tokens of 40": small, "tokens of 1000": large,
	}
	if diff := cmp.Diff(want, row.Scores); diff != "" || small <= 0 || small > 40 || large <= 40 {
		t.Errorf("lines of Okapi: %v (-want +got):\n%s", row, diff)
	}
	unseen := [][]string{{"a1"}, {}}
	if diff := cmp.Diff(unseen, done.Unseen["lines of turns, Okapi of stems"]); diff != "" {
		t.Errorf("not shown (-want +got):\n%s", diff)
	}
}

func TestBudgetsAreChecked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options retrieve.Options
		want    string
	}{
		{retrieve.Options{Budgets: []int{350, 0}}, "tokens: has 0; give the tokens of each context, as in 350,750,1400"},
		{retrieve.Options{Budgets: []int{1}}, "tokens: is 1, but the context takes"},
		{retrieve.Options{Rerank: []annals.Rerank{"mentions"}}, `rerank: "mentions" puts no episodes into another order; use cross_encoder or mmr`},
		{retrieve.Options{Limit: -1}, "limit: is -1"},
	} {
		if err := tt.options.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.options, err, tt.want)
		}
	}
	if err := (retrieve.Options{}).Validate(); err != nil {
		t.Error(err)
	}
}
