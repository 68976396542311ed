package retrieval_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/retrieval"
)

// scripted opens a language model with scripted answers.
func scripted(t *testing.T, answer func(modeltest.Request) modeltest.Reply) (*model.LLM, *modeltest.Server) {
	t.Helper()
	s := modeltest.NewServer(t, answer)
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: s.URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return llm, s
}

// scores answers with pairs of an id and a score.
func scores(pairs ...[2]int) func(modeltest.Request) modeltest.Reply {
	answer := prompts.RerankedPassages{Reason: "as told", Scores: []prompts.PassageScore{}}
	for _, pair := range pairs {
		answer.Scores = append(answer.Scores, prompts.PassageScore{ID: pair[0], Score: pair[1]})
	}
	return func(modeltest.Request) modeltest.Reply { return modeltest.Reply{JSON: answer} }
}

func TestLLMRerankerScoresAllTextsInOneCall(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer [][2]int
		want   []float64
	}{
		"in order":              {[][2]int{{1, 10}, {2, 0}, {3, 7}}, []float64{1, 0, 0.7}},
		"in another order":      {[][2]int{{3, 7}, {1, 10}, {2, 0}}, []float64{1, 0, 0.7}},
		"one is missing":        {[][2]int{{3, 7}, {1, 10}}, []float64{1, 0, 0.7}},
		"all are missing":       {nil, []float64{0, 0, 0}},
		"out of range":          {[][2]int{{1, 11}, {2, -3}, {3, 100}}, []float64{1, 0, 1}},
		"ids that are not":      {[][2]int{{0, 10}, {4, 10}, {-1, 10}, {2, 5}}, []float64{0, 0.5, 0}},
		"the first of two hold": {[][2]int{{1, 2}, {1, 9}, {2, 0}, {2, 9}}, []float64{0.2, 0, 0}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			llm, s := scripted(t, scores(test.answer...))
			got, err := retrieval.NewLLMReranker(llm).Rerank(t.Context(), "Where is Ann?", []string{"Ann is in Graz", "Bob is here", "Ann left"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || s.Chats() != 1 {
				t.Errorf("%d calls give other scores:\n%s", s.Chats(), diff)
			}
			for _, want := range []string{"Where is Ann?", "1: Ann is in Graz\n2: Bob is here\n3: Ann left"} {
				if !strings.Contains(s.Calls()[0].User, want) {
					t.Errorf("the question does not hold %q:\n%s", want, s.Calls()[0].User)
				}
			}
		})
	}
}

// The model reads at most fifty texts, whatever scores it makes up.
func TestLLMRerankerReadsFiftyTexts(t *testing.T) {
	t.Parallel()
	llm, s := scripted(t, scores([2]int{50, 4}, [2]int{51, 9}))
	long := strings.Repeat("x", 5000)
	got, err := retrieval.NewLLMReranker(llm).Rerank(t.Context(), strings.Repeat("q ", 50_000), slices.Repeat([]string{long}, 60))
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 60)
	want[49] = 0.4
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(s.Calls()[0].User); n > 50*650+retrieval.MaxQueryBytes {
		t.Errorf("the question has %d bytes", n)
	}
}

func TestLLMRerankerAsksNothingAboutNothing(t *testing.T) {
	t.Parallel()
	llm, _ := scripted(t, nil) // fails the test when asked
	if got, err := retrieval.NewLLMReranker(llm).Rerank(t.Context(), "q", nil); err != nil || len(got) != 0 {
		t.Errorf("no texts give %v, %v", got, err)
	}
}

func TestLLMRerankerRemembersInTheLedger(t *testing.T) {
	t.Parallel()
	llm, s := scripted(t, scores([2]int{1, 5}))
	ledger := &modeltest.Ledger{}
	r := model.RerankerWith(retrieval.NewLLMReranker(llm), ledger)
	ctx := model.WithSubject(t.Context(), model.Subject{GroupID: "ann"})
	for range 2 {
		if got, err := r.Rerank(ctx, "q", []string{"a"}); err != nil || !slices.Equal(got, []float64{0.5}) {
			t.Fatalf("the scores are %v, %v", got, err)
		}
	}
	lines := ledger.Calls()
	if s.Chats() != 1 || len(lines) != 2 || lines[0].FromCache || !lines[1].FromCache {
		t.Fatalf("%d calls leave %+v", s.Chats(), lines)
	}
	if first := lines[0]; first.Prompt != "rerank" || first.Version != 1 || first.Kind != model.KindChat || first.GroupID != "ann" || first.Model != r.Name() {
		t.Errorf("the ledger has %+v", first)
	}
}

func TestLLMRerankerSaysWhatFailed(t *testing.T) {
	t.Parallel()
	llm, _ := scripted(t, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Status: 401, Text: "no such key"} })
	_, err := retrieval.NewLLMReranker(llm).Rerank(t.Context(), "q", []string{"a", "b"})
	if err == nil || graph.CodeOf(err) != graph.CodeUnavailable || !strings.Contains(err.Error(), "score 2 texts") || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("error %v", err)
	}
	llm, s := scripted(t, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: `{"scores": "high"}`} })
	_, err = retrieval.NewLLMReranker(llm).Rerank(t.Context(), "q", []string{"a"})
	if wrong, ok := errors.AsType[*model.AnswerError](err); !ok || wrong.Prompt != "rerank" || s.Chats() != 2 {
		t.Errorf("error %v after %d calls", err, s.Chats())
	}
	ctx, cancel := context.WithCancel(t.Context())
	llm, _ = scripted(t, func(modeltest.Request) modeltest.Reply {
		cancel()
		return modeltest.Reply{Hang: true}
	})
	if _, err := retrieval.NewLLMReranker(llm).Rerank(ctx, "q", []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
}
