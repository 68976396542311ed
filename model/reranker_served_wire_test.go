package model_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// rerankAnswering opens a reranker of a server that gives every request the
// same answer.
func rerankAnswering(t *testing.T, spec, body string) *model.ServedReranker {
	t.Helper()
	r, _ := openReranker(t, model.RerankerConfig{Config: model.Config{Model: spec}}, func(rerankAsked) rerankReply {
		return rerankReply{body: body}
	})
	return r
}

func TestWhatEachServerIsAsked(t *testing.T) {
	t.Parallel()
	body := func(more ...any) map[string]any {
		m := map[string]any{"model": "m", "query": "q", "documents": []any{"a"}}
		for i := 0; i+1 < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	tei := map[string]any{"query": "q", "texts": []any{"a"}, "raw_scores": false, "truncate": true}
	for spec, want := range map[string]struct {
		base, address, name string
		body                map[string]any
	}{
		"jina:m":     {"", "https://api.jina.ai/v1/rerank", "jina:m", body("return_documents", false)},
		"cohere:m":   {"", "https://api.cohere.com/v2/rerank", "cohere:m", body()},
		"voyage:m":   {"", "https://api.voyageai.com/v1/rerank", "voyage:m", body("return_documents", false)},
		"vllm:m":     {"", "http://localhost:8000/v1/rerank", "vllm:m", body("truncate_prompt_tokens", -1.0)},
		"llamacpp:m": {"", "http://localhost:8080/v1/rerank", "llamacpp:m", body()},
		"rerank:m":   {"http://gpu/v1", "http://gpu/v1/rerank", "rerank:m", body()},
		" rerank:m ": {"http://gpu/v1/rerank/", "http://gpu/v1/rerank", "rerank:m", body()},
		"tei:":       {"", "http://localhost:8080/rerank", "tei:default", tei},
		"tei:bge":    {"http://gpu:80/v1/", "http://gpu:80/rerank", "tei:bge", tei},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			s := &rerankServer{}
			r, err := model.OpenReranker(model.RerankerConfig{
				Config: model.Config{Model: spec, BaseURL: want.base, APIKey: "secret", HTTPClient: modeltest.Client(s)},
			})
			if err != nil {
				t.Fatal(err)
			}
			mustRerank(t, r, "q", "a")
			asked := s.calls[0]
			if diff := cmp.Diff(want.body, asked.body); diff != "" || asked.address != want.address || asked.key != "Bearer secret" || r.Name() != want.name {
				t.Errorf("%s asks %s with %q:\n%s", r.Name(), asked.address, asked.key, diff)
			}
		})
	}
}

func TestAnswersOfRerankers(t *testing.T) {
	t.Parallel()
	want := []float64{0.25, 0.75, 0.5}
	for name, body := range map[string]string{
		"TEI":                 `[{"index": 1, "score": 0.75}, {"index": 2, "score": 0.5}, {"index": 0, "score": 0.25}]`,
		"TEI, with texts":     ` [{"index": 1, "text": "b", "score": 0.75}, {"index": 2, "text": "c", "score": 0.5}, {"index": 0, "text": "a", "score": 0.25}]`,
		"Jina":                `{"model": "m", "usage": {"total_tokens": 9}, "results": [{"index": 1, "relevance_score": 0.75}, {"index": 2, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.25}]}`,
		"Cohere":              `{"id": "x", "results": [{"index": 1, "relevance_score": 0.75}, {"index": 2, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.25}], "meta": {"billed_units": {"search_units": 1}}}`,
		"llama.cpp":           `{"model": "m", "object": "list", "usage": {"prompt_tokens": 9, "total_tokens": 9}, "results": [{"index": 0, "relevance_score": 0.25}, {"index": 1, "relevance_score": 0.75}, {"index": 2, "relevance_score": 0.5}]}`,
		"vLLM":                `{"id": "x", "model": "m", "usage": {"total_tokens": 9}, "results": [{"index": 1, "document": {"text": "b"}, "relevance_score": 0.75}, {"index": 2, "document": {"text": "c"}, "relevance_score": 0.5}, {"index": 0, "document": {"text": "a"}, "relevance_score": 0.25}]}`,
		"Voyage":              `{"object": "list", "data": [{"index": 1, "relevance_score": 0.75}, {"index": 2, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.25}], "model": "m", "usage": {"total_tokens": 9}}`,
		"without the index 0": `{"results": [{"index": 1, "relevance_score": 0.75}, {"index": 2, "relevance_score": 0.5}, {"relevance_score": 0.25}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, mustRerank(t, rerankAnswering(t, "", body), "q", "a", "b", "c")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnusableScoresAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, want string }{
		"no JSON":         {`<html>`, "no usable scores"},
		"nothing":         {`{}`, "0 scores for 2 texts"},
		"null":            {`null`, "0 scores for 2 texts"},
		"too few":         {`[{"index": 0, "score": 1}]`, "1 score for 2 texts"},
		"too many":        {`[{"index": 0, "score": 1}, {"index": 1, "score": 1}, {"index": 2, "score": 1}]`, "3 scores for 2 texts"},
		"an index twice":  {`[{"index": 1, "score": 1}, {"index": 1, "score": 1}]`, "the index 1 comes twice"},
		"no index at all": {`[{"score": 1}, {"score": 0}]`, "the index 0 comes twice"},
		"an index beyond": {`[{"index": 0, "score": 1}, {"index": 2, "score": 1}]`, "the index 2"},
		"below zero":      {`[{"index": 0, "score": 1}, {"index": -1, "score": 1}]`, "the index -1"},
		"NaN":             {`[{"index": 0, "score": NaN}, {"index": 1, "score": 1}]`, "no usable scores"},
		"null for NaN":    {`[{"index": 0, "score": 1}, {"index": 1, "score": null}]`, "the text 1 has none"},
		"infinite":        {`[{"index": 0, "score": 1}, {"index": 1, "score": 1e999}]`, "no usable scores"},
		"no score":        {`{"results": [{"index": 0}, {"index": 1, "relevance_score": 1}]}`, "the text 0 has none"},
		"embeddings":      {`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}`, "is it a reranking model?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger := &modeltest.Ledger{}
			scores, err := rerankAnswering(t, "", tt.body).With(ledger).Rerank(t.Context(), "q", []string{"a", "b"})
			if scores != nil || err == nil || !strings.Contains(err.Error(), tt.want) || graph.CodeOf(err) != graph.CodeUnavailable {
				t.Errorf("%v and error %v, want %q", scores, err, tt.want)
			}
			if lines := ledger.Calls(); len(lines) != 1 || !strings.Contains(lines[0].Error, tt.want) {
				t.Errorf("the ledger has %+v", lines)
			}
		})
	}
}

func TestRerankBatchesThatAServerRefusesAreHalved(t *testing.T) {
	t.Parallel()
	r, s := openReranker(t, model.RerankerConfig{BatchTexts: 16, Config: model.Config{Concurrency: 1}}, func(asked rerankAsked) rerankReply {
		if len(asked.texts) > 4 {
			return rerankReply{status: http.StatusUnprocessableEntity, body: `{"error": "batch size 16 > maximum allowed batch size 4", "error_type": "Validation"}`}
		}
		return rerankReply{}
	})
	scores := mustRerank(t, r, "q", "a", "bb", "ccc", "dddd", "eeeee", "ffffff", "g", "hh")
	if diff := cmp.Diff([]float64{.01, .02, .03, .04, .05, .06, .01, .02}, scores); diff != "" {
		t.Errorf("the scores are of other texts:\n%s", diff)
	}
	mustRerank(t, r, "q", strings.Split("ABCDEFGH", "")...)
	if diff := cmp.Diff([]int{8, 4, 4, 4, 4}, s.sizes()); diff != "" {
		t.Errorf("the requests hold other numbers of texts:\n%s", diff)
	}
}

// A text that is too long is cut separately: the scores of the others do not
// depend on it, and the batch size stays.
func TestPairsThatAreTooLongForTheModelAreCut(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]rerankReply{
		"vLLM":      {status: http.StatusBadRequest, body: `{"error": {"message": "This model's maximum context length is 512 tokens"}}`},
		"TEI":       {status: http.StatusRequestEntityTooLarge, body: "{\"error\": \"Input validation error: `inputs` must have less than 512 tokens. Given: 700\"}"},
		"llama.cpp": {status: http.StatusInternalServerError, body: `{"error": {"message": "input (2793 tokens) is too large to process (current batch size: 2048)"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := model.RerankerConfig{Config: model.Config{Concurrency: 1, Retries: -1}}
			r, s := openReranker(t, c, func(asked rerankAsked) rerankReply {
				for _, text := range asked.texts {
					if len(text)+len(asked.query) > 1000 {
						return refusal
					}
				}
				return rerankReply{body: scored(asked, func(text string) float64 { return float64(len(text)) / 10_000 })}
			})
			scores := mustRerank(t, r, strings.Repeat("q", 300), "short", strings.Repeat("x", 1200))
			if diff := cmp.Diff([]float64{0.0005, 0.06}, scores); diff != "" {
				t.Error(diff)
			}
			mustRerank(t, r, strings.Repeat("q", 2000), "short")
			if diff := cmp.Diff([]int{2, 1, 1, 1, 1, 1, 1}, s.sizes()); diff != "" {
				t.Errorf("the requests hold other numbers of texts:\n%s", diff)
			}
			if last := s.calls[len(s.calls)-1]; len(last.query) != 500 || last.texts[0] != "short" {
				t.Errorf("%d bytes of the query were sent in the end with %q", len(last.query), last.texts[0])
			}
			mustRerank(t, r, "q", "a", "b", "c")
			if got := s.sizes(); got[len(got)-1] != 3 {
				t.Errorf("batches have become smaller: %v", got)
			}
		})
	}
}

func TestAServerThatTakesNothingIsNotAskedForEver(t *testing.T) {
	t.Parallel()
	r, s := openReranker(t, model.RerankerConfig{}, func(rerankAsked) rerankReply {
		return rerankReply{status: http.StatusBadRequest, body: `{"detail": "the input is too long"}`}
	})
	if _, err := r.Rerank(t.Context(), "q", []string{strings.Repeat("x", 4096)}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
	if len(s.calls) != 5 {
		t.Errorf("%d requests, want 5: of 4096 to 256 bytes", len(s.calls))
	}
}

func TestTheLedgerHasWhatRerankingTook(t *testing.T) {
	t.Parallel()
	const scores = `"results": [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 0}]`
	tests := map[string]struct {
		spec   string
		prices model.Prices
		header http.Header
		body   string
		tokens int
		cost   *float64
	}{
		"Jina, no price":   {"jina:m", nil, nil, `{` + scores + `, "usage": {"total_tokens": 77}}`, 77, nil},
		"Jina, a price":    {"jina:m", model.Prices{"jina:m": {Input: 2}}, nil, `{` + scores + `, "usage": {"total_tokens": 50}}`, 50, new(0.0001)},
		"prompt tokens":    {"rerank:m", nil, nil, `{` + scores + `, "usage": {"prompt_tokens": 30, "total_tokens": 31}}`, 30, nil},
		"TEI":              {"tei:", nil, http.Header{"X-Compute-Tokens": {"42"}}, `[{"index": 0, "score": 1}, {"index": 1, "score": 0}]`, 42, new(0.0)},
		"TEI, not told":    {"tei:", nil, nil, `[{"index": 0, "score": 1}, {"index": 1, "score": 0}]`, (2*8 + 12 + 1 + 12) / 4, new(0.0)},
		"Cohere, not told": {"cohere:m", nil, nil, `{` + scores + `, "meta": {"billed_units": {"search_units": 1}}}`, (2*8 + 12 + 1 + 12) / 4, nil},
		"vLLM":             {"vllm:m", nil, nil, `{` + scores + `, "usage": {"total_tokens": 12}}`, 12, new(0.0)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := model.RerankerConfig{Config: model.Config{Model: test.spec, Prices: test.prices}}
			r, _ := openReranker(t, c, func(rerankAsked) rerankReply { return rerankReply{body: test.body, header: test.header} })
			ledger := &modeltest.Ledger{}
			ctx := model.WithSubject(t.Context(), model.Subject{GroupID: "ann"})
			if _, err := model.RerankerWith(r, ledger).Rerank(ctx, "a query?", []string{"twelve bytes", "and as many."}); err != nil {
				t.Fatal(err)
			}
			want := model.Call{
				Subject: model.Subject{GroupID: "ann"}, Prompt: "rerank", Version: 1, Model: r.Name(), InputTokens: test.tokens,
				Cost: test.cost, Kind: model.KindRerank,
			}
			diff := cmp.Diff([]model.Call{want}, ledger.Calls(), cmpopts.IgnoreFields(model.Call{}, "Key", "Latency"), cmpopts.EquateApprox(0, 1e-12))
			if diff != "" || ledger.Calls()[0].Key == [32]byte{} {
				t.Errorf("the ledger has other lines:\n%s", diff)
			}
		})
	}
}

func TestRerankFailsWithItsLedger(t *testing.T) {
	t.Parallel()
	r, _ := openReranker(t, model.RerankerConfig{}, nil)
	full := errors.New("the disk is full")
	if _, err := r.With(&modeltest.Ledger{RecordErr: full}).Rerank(t.Context(), "q", []string{"a"}); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// plain is a reranker that makes no requests and records none.
type plain struct{}

func (plain) Name() string { return "plain" }

func (plain) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	return make([]float64, len(texts)), nil
}

func TestRerankerWithLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	if r := model.RerankerWith(plain{}, &modeltest.Ledger{}); r != (plain{}) {
		t.Errorf("it became %T", r)
	}
}

func TestOpenRerankerRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	spec := func(spec, base string) model.RerankerConfig {
		return model.RerankerConfig{Config: model.Config{Model: spec, BaseURL: base}}
	}
	negative, slow := spec("jina:x", ""), spec("jina:x", "")
	negative.BatchTexts, slow.Timeout = -1, -1
	tests := map[string]struct {
		config model.RerankerConfig
		want   string
	}{
		"nothing":          {model.RerankerConfig{}, "write provider:model"},
		"no provider":      {spec("bge-reranker-base", ""), "write provider:model"},
		"no model":         {spec("cohere:", ""), "write provider:model"},
		"a language model": {spec("openai:gpt-5", ""), "providers are cohere, jina, llamacpp, rerank, tei, vllm, voyage"},
		"no address":       {spec("rerank:m", ""), "say where, with its base URL"},
		"half an address":  {spec("rerank:m", "localhost:8000"), "must be a whole address"},
		"negative limit":   {negative, "cannot be negative"},
		"negative time":    {slow, "cannot be negative"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := model.OpenReranker(test.config)
			invalid, ok := errors.AsType[*graph.Error](err)
			if !ok || invalid.Field != "reranker" || invalid.Code != graph.CodeInvalid || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q of the field reranker", err, test.want)
			}
		})
	}
}

func TestKeysOfRerankers(t *testing.T) {
	t.Parallel()
	for provider, want := range map[string]string{"jina": "JINA_API_KEY", "cohere": "COHERE_API_KEY", "tei": "", "rerank": "", "nobody": ""} {
		if got := model.RerankerKeyVariable(provider); got != want {
			t.Errorf("the key of %s is in %q", provider, got)
		}
	}
}

func TestTheSameServerOverARealConnection(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, nil) // knows no /rerank
	r, err := model.OpenReranker(model.RerankerConfig{Config: model.Config{Model: "rerank:m", BaseURL: s.URL}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Rerank(t.Context(), "q", []string{"a"})
	if call, ok := errors.AsType[*model.CallError](err); !ok || call.Status != http.StatusNotFound || !strings.Contains(err.Error(), "check the name of the model and the base URL") {
		t.Errorf("a server without /rerank ends with %v", err)
	}
}
