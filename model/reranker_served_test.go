package model_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

var _ model.Reranker = (*model.ServedReranker)(nil)

func mustRerank(t *testing.T, r model.Reranker, query string, texts ...string) []float64 {
	t.Helper()
	scores, err := r.Rerank(t.Context(), query, texts)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func TestScoresAreInTheOrderOfTheTexts(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"tei:", "jina:m", "cohere:m", "voyage:m", "vllm:m", "llamacpp:m", "rerank:m"} {
		r, _ := openReranker(t, model.RerankerConfig{Config: model.Config{Model: spec}, BatchTexts: 4}, nil)
		var texts []string
		var want []float64
		for i := range 11 {
			texts = append(texts, strings.Repeat("x", (7*i)%11+1))
			want = append(want, float64((7*i)%11+1)/100)
		}
		if diff := cmp.Diff(want, mustRerank(t, r, "q", texts...)); diff != "" {
			t.Errorf("%s: the scores are of other texts:\n%s", spec, diff)
		}
		if none := mustRerank(t, r, "q"); len(none) != 0 {
			t.Errorf("%s: no texts give %v", spec, none)
		}
	}
}

func TestQueryAndTextsGoOutAsTheyAre(t *testing.T) {
	t.Parallel()
	r, s := openReranker(t, model.RerankerConfig{}, nil)
	texts := []string{"first line\nsecond line", "  spaced\tout ", "日本語", "", " \n ", "a\xffb"}
	given := slices.Clone(texts)
	mustRerank(t, r, "What\n is it?", texts...)
	if diff := cmp.Diff(given, texts); diff != "" {
		t.Errorf("the caller's texts have changed:\n%s", diff)
	}
	want := []string{"first line\nsecond line", "  spaced\tout ", "日本語", "-", "-", "a\uFFFDb"}
	if diff := cmp.Diff(want, s.calls[0].texts); diff != "" || s.calls[0].query != "What\n is it?" {
		t.Errorf("the server got %q and other texts:\n%s", s.calls[0].query, diff)
	}
}

func TestLongTextsAndQueriesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		most := rapid.IntRange(4, 40).Draw(rt, "most")
		query, text := rapid.String().Draw(rt, "query"), rapid.String().Draw(rt, "text")
		r, s := openReranker(t, model.RerankerConfig{MaxBytes: most}, nil)
		mustRerank(t, r, query, text)
		for whole, sent := range map[string]string{query: s.calls[0].query, text: s.calls[0].texts[0]} {
			if strings.TrimSpace(sent) == "" || len(sent) > most || !utf8.ValidString(sent) {
				rt.Fatalf("%q was sent as %q", whole, sent)
			}
			if sent != "-" && (!strings.HasPrefix(whole, sent) || len(sent) < min(len(whole), most-3)) {
				rt.Fatalf("%q was cut to %q", whole, sent)
			}
		}
	})
}

func TestRerankRequestsHoldAsManyTextsAsFit(t *testing.T) {
	t.Parallel()
	many := func(n, bytes int) []string { return slices.Repeat([]string{strings.Repeat("x", bytes)}, n) }
	tests := map[string]struct {
		config model.RerankerConfig
		texts  []string
		want   []int
	}{
		"few":             {model.RerankerConfig{}, many(3, 4), []int{3}},
		"the default":     {model.RerankerConfig{}, many(250, 4), []int{100, 100, 50}},
		"as configured":   {model.RerankerConfig{BatchTexts: 10}, many(25, 4), []int{10, 10, 5}},
		"long texts":      {model.RerankerConfig{}, many(70, 9<<10), []int{32, 32, 6}}, // cut to 8 KiB
		"TEI":             {model.RerankerConfig{Config: model.Config{Model: "tei:"}}, many(40, 4), []int{32, 8}},
		"TEI, configured": {model.RerankerConfig{Config: model.Config{Model: "tei:"}, BatchTexts: 64}, many(40, 4), []int{40}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config.Concurrency = 1 // so that the requests come in order
			r, s := openReranker(t, test.config, func(asked rerankAsked) rerankReply {
				return rerankReply{body: scored(asked, func(string) float64 { return 0.5 })}
			})
			mustRerank(t, r, "q", test.texts...)
			if diff := cmp.Diff(test.want, s.sizes()); diff != "" {
				t.Errorf("the requests hold other numbers of texts:\n%s", diff)
			}
		})
	}
}

// llama.cpp gives logits with most models and probabilities with some.
func TestLogitsBecomeScores(t *testing.T) {
	t.Parallel()
	logits := map[string]float64{"paris": 7.74, "berlin": -2.3, "likely": 0.9, "unlikely": 0.1, "never": -800, "always": 800}
	r, _ := openReranker(t, model.RerankerConfig{BatchTexts: 2}, func(asked rerankAsked) rerankReply {
		return rerankReply{body: scored(asked, func(text string) float64 { return logits[text] })}
	})
	if diff := cmp.Diff([]float64{0.9, 0.1}, mustRerank(t, r, "q", "likely", "unlikely")); diff != "" {
		t.Errorf("scores within bounds are changed:\n%s", diff)
	}
	// All scores of a call are read alike, though they came in three answers.
	scores := mustRerank(t, r, "q", "likely", "unlikely", "paris", "berlin", "never", "always")
	for i, text := range []string{"likely", "unlikely", "paris", "berlin", "never", "always"} {
		if want := 1 / (1 + math.Exp(-logits[text])); math.Abs(scores[i]-want) > 1e-12 {
			t.Errorf("%s has the score %v, want %v", text, scores[i], want)
		}
	}
	if again := mustRerank(t, r, "q", "likely")[0]; again != scores[0] {
		t.Errorf("the server's logits are forgotten: %v, before %v", again, scores[0])
	}
}

func TestScoresRoundedBadlyAreNoLogits(t *testing.T) {
	t.Parallel()
	r, _ := openReranker(t, model.RerankerConfig{}, func(rerankAsked) rerankReply {
		return rerankReply{body: `{"results": [{"index": 0, "relevance_score": 1.0000001}, {"index": 1, "relevance_score": -1e-9}, {"index": 2, "relevance_score": 0.5}]}`}
	})
	if diff := cmp.Diff([]float64{1, 0, 0.5}, mustRerank(t, r, "q", "a", "b", "c")); diff != "" {
		t.Error(diff)
	}
}

func TestScoresKeepTheOrderOfTheServer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		given := rapid.SliceOfN(rapid.Float64Range(-20, 20), 1, 30).Draw(rt, "given")
		var texts []string
		for i := range given {
			texts = append(texts, fmt.Sprint(i))
		}
		r, _ := openReranker(t, model.RerankerConfig{BatchTexts: 7}, func(asked rerankAsked) rerankReply {
			return rerankReply{body: scored(asked, func(text string) float64 {
				var i int
				_, _ = fmt.Sscan(text, &i)
				return given[i]
			})}
		})
		scores := mustRerank(t, r, "q", texts...)
		for i := range given {
			for j := range given {
				if given[i] > given[j] && scores[i] < scores[j] || scores[i] < 0 || scores[i] > 1 {
					rt.Fatalf("%v became %v", given, scores)
				}
			}
		}
	})
}

func TestRerankRequestsRunTogetherWithinTheBound(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	running, most := 0, 0
	r, s := openReranker(t, model.RerankerConfig{BatchTexts: 1, Config: model.Config{Concurrency: 3}}, func(rerankAsked) rerankReply {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Second) // of the bubble
		mu.Lock()
		running--
		mu.Unlock()
		return rerankReply{}
	})
	synctest.Test(t, func(t *testing.T) {
		mustRerank(t, r, "q", "a", "b", "c", "d", "e", "f", "g")
		if most != 3 || len(s.calls) != 7 {
			t.Errorf("%d of %d requests ran at once, want 3 of 7", most, len(s.calls))
		}
	})
}

func TestRerankIsTriedAgainWhenTheServerSays(t *testing.T) {
	t.Parallel()
	r, s := openReranker(t, model.RerankerConfig{}, func(asked rerankAsked) rerankReply {
		if asked.n == 1 {
			return rerankReply{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"7"}}, body: `{"message": "slow down"}`}
		}
		return rerankReply{}
	})
	ledger := &modeltest.Ledger{}
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		mustRerank(t, r.With(ledger), "q", "a")
		if waited := time.Since(started); waited != 7*time.Second || len(s.calls) != 2 {
			t.Errorf("%d requests in %s, want 2 in 7 s", len(s.calls), waited)
		}
	})
	lines := ledger.Calls()
	if len(lines) != 2 || !strings.Contains(lines[0].Error, "429") || lines[1].Error != "" {
		t.Errorf("the ledger has %+v", lines)
	}
}

func TestAWrongKeyIsSaidToBeOne(t *testing.T) {
	t.Parallel()
	for spec, advice := range map[string]string{
		"jina:m": "check the key in JINA_API_KEY", "cohere:m": "check the key in COHERE_API_KEY",
		"voyage:m": "check the key in VOYAGE_API_KEY", "rerank:m": "the server wants a key",
	} {
		c := model.RerankerConfig{Config: model.Config{Model: spec, APIKey: "very-secret"}}
		r, s := openReranker(t, c, func(rerankAsked) rerankReply {
			return rerankReply{status: http.StatusUnauthorized, body: `{"message": "invalid api token very-secret"}`}
		})
		_, err := r.Rerank(t.Context(), "q", []string{"a"})
		call, ok := errors.AsType[*model.CallError](err)
		if !ok || call.Status != http.StatusUnauthorized || !strings.Contains(err.Error(), advice) || graph.CodeOf(err) != graph.CodeUnavailable {
			t.Errorf("%s: error %v, want %q", spec, err, advice)
		}
		if strings.Contains(err.Error(), "very-secret") || len(s.calls) != 1 {
			t.Errorf("%s: error %v after %d requests", spec, err, len(s.calls))
		}
	}
}

func TestRerankEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := openReranker(t, model.RerankerConfig{}, func(rerankAsked) rerankReply {
		cancel()
		return rerankReply{hang: true}
	})
	ledger := &modeltest.Ledger{}
	if _, err := r.With(ledger).Rerank(ctx, "q", []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
	if lines := ledger.Calls(); len(lines) != 1 || lines[0].Error == "" {
		t.Errorf("the ledger has %+v", lines)
	}
	r, _ = openReranker(t, model.RerankerConfig{}, func(rerankAsked) rerankReply {
		return rerankReply{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"60"}}, body: "later"}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := r.Rerank(ctx, "q", []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call out of time ends with %v", err)
		}
	})
}

func ExampleOpenReranker() {
	// Stands for a server of your own, such as vLLM or llama.cpp.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"results": [{"index": 1, "relevance_score": 0.98}, {"index": 0, "relevance_score": 0.02}]}`)
	}))
	defer server.Close()
	r, err := model.OpenReranker(model.RerankerConfig{
		Config: model.Config{Model: "rerank:bge-reranker-v2-m3", BaseURL: server.URL + "/v1"},
	})
	if err != nil {
		panic(err)
	}
	scores, err := r.Rerank(context.Background(), "Where does Bob live?", []string{"Ann lives in Paris", "Bob lives in Berlin"})
	fmt.Println(r.Name(), scores, err)
	// Output: rerank:bge-reranker-v2-m3 [0.02 0.98] <nil>
}
