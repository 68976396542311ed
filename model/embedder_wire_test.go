package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// answering opens an embedder of a server that gives every request the same
// answer.
func answering(t *testing.T, c model.EmbedderConfig, body string) *model.ServedEmbedder {
	t.Helper()
	e, _ := openEmbedder(t, c, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Raw: body} })
	return e
}

func TestAnswersOfTheOpenAIProtocol(t *testing.T) {
	t.Parallel()
	want := [][]float32{{0.6, 0.8}, {1, 0}, {0, -1}}
	for name, body := range map[string]string{
		"in order":              `{"data": [{"index": 0, "embedding": [3, 4]}, {"index": 1, "embedding": [2, 0]}, {"index": 2, "embedding": [0, -9]}]}`,
		"out of order":          `{"data": [{"index": 2, "embedding": [0, -9]}, {"index": 0, "embedding": [3, 4]}, {"index": 1, "embedding": [2, 0]}]}`,
		"without index":         `{"data": [{"embedding": [3, 4]}, {"embedding": [2, 0]}, {"embedding": [0, -9]}]}`,
		"without the index 0":   `{"data": [{"index": 2, "embedding": [0, -9]}, {"embedding": [3, 4]}, {"index": 1, "embedding": [2, 0]}]}`,
		"with more than asked":  `{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [3, 4]}, {"index": 1, "embedding": [2, 0]}, {"index": 2, "embedding": [0, -9]}], "usage": {"prompt_tokens": 3}, "metadata": null}`,
		"with digits of double": `{"data": [{"index": 0, "embedding": [3.00000000000000001, 4e0]}, {"index": 1, "embedding": [2, 0]}, {"index": 2, "embedding": [0, -9]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, mustEmbed(t, answering(t, model.EmbedderConfig{}, body), "a", "b", "c")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnusableAnswersAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, want string }{
		"no JSON":         {`<html>`, "no usable vectors"},
		"nothing":         {`{}`, "0 vectors for 2 texts"},
		"too few":         {`{"data": [{"index": 0, "embedding": [1]}]}`, "1 vector for 2 texts"},
		"too many":        {`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}, {"index": 2, "embedding": [1]}]}`, "3 vectors for 2 texts"},
		"an index twice":  {`{"data": [{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}]}`, "the index 1 comes twice"},
		"an index beyond": {`{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}`, "the index 2"},
		"below zero":      {`{"data": [{"index": 0, "embedding": [1]}, {"index": -1, "embedding": [1]}]}`, "the index -1"},
		"an empty vector": {`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": []}]}`, "one is empty"},
		"a missing one":   {`{"data": [{"index": 0, "embedding": [1]}, {"index": 1}]}`, "one is empty"},
		"a null vector":   {`{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": null}]}`, "null"},
		"nulls for NaN":   {`{"data": [{"index": 0, "embedding": [1, 1]}, {"index": 1, "embedding": [null, 1]}]}`, "null"},
		"zeros":           {`{"data": [{"index": 0, "embedding": [1, 1]}, {"index": 1, "embedding": [0, 0]}]}`, "zero"},
		"too large":       {`{"data": [{"index": 0, "embedding": [1, 1]}, {"index": 1, "embedding": [1e300, 0]}]}`, "no usable vectors"},
		"base64":          {`{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}`, "no usable vectors"},
		"of two lengths":  {`{"data": [{"index": 0, "embedding": [1, 1]}, {"index": 1, "embedding": [1]}]}`, "one has 1 number and those before had 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger := &modeltest.Ledger{}
			_, err := answering(t, model.EmbedderConfig{}, tt.body).With(ledger).Embed(t.Context(), []string{"a", "b"})
			if err == nil || !strings.Contains(err.Error(), tt.want) || graph.CodeOf(err) != graph.CodeUnavailable {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if lines := ledger.Calls(); len(lines) != 1 || !strings.Contains(lines[0].Error, tt.want) {
				t.Errorf("the ledger has %+v", lines)
			}
		})
	}
}

func TestTheWrongDimensionIsRefused(t *testing.T) {
	t.Parallel()
	e := answering(t, model.EmbedderConfig{Dimensions: 384}, `{"data": [{"index": 0, "embedding": [3, 4]}]}`)
	_, err := e.Embed(t.Context(), []string{"a"})
	const want = "openai:scripted makes vectors of 2 numbers, and 384 are asked for: set ANNALS_EMBEDDING_DIM=2"
	if err == nil || !strings.Contains(err.Error(), want) || graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("error %v, want %q", err, want)
	}
	if e.Dimensions() != 384 {
		t.Errorf("%d dimensions", e.Dimensions())
	}
}

func TestADimensionThatChangesIsRefused(t *testing.T) {
	t.Parallel()
	e, _ := openEmbedder(t, model.EmbedderConfig{}, func(r modeltest.Request) modeltest.Reply {
		if r.N == 1 {
			return modeltest.Reply{}
		}
		return modeltest.Reply{Raw: `{"data": [{"index": 0, "embedding": [3, 4]}]}`}
	})
	mustEmbed(t, e, "a")
	if _, err := e.Embed(t.Context(), []string{"b"}); err == nil || !strings.Contains(err.Error(), "2 numbers and those before had 384") {
		t.Errorf("error %v", err)
	}
}

// Models of fixed dimension refuse the parameter, even with the right value.
func TestDimensionsAreNotNamedToModelsThatRefuse(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"This model does not support specifying dimensions.",
		"Model \"x\" does not support matryoshka representation, changing output dimensions will lead to poor results.",
	} {
		e, s := openEmbedder(t, model.EmbedderConfig{Dimensions: 384}, func(r modeltest.Request) modeltest.Reply {
			if strings.Contains(string(r.Body), "dimensions") {
				return modeltest.Reply{Status: http.StatusBadRequest, Text: said}
			}
			return modeltest.Reply{}
		})
		mustEmbed(t, e, "a")
		mustEmbed(t, e, "b")
		if s.Embeddings() != 3 {
			t.Errorf("%d requests, want 3: once refused, twice without", s.Embeddings())
		}
	}
}

func TestBatchesThatAServerRefusesAreHalved(t *testing.T) {
	t.Parallel()
	e, s := openEmbedder(t, model.EmbedderConfig{BatchTexts: 16, Config: model.Config{Concurrency: 1}}, func(r modeltest.Request) modeltest.Reply {
		if len(r.Texts) > 4 {
			return modeltest.Reply{Status: http.StatusUnprocessableEntity, Text: "batch size 16 > maximum allowed batch size 4"}
		}
		return modeltest.Reply{}
	})
	texts := strings.Split("abcdefghijklmnop", "")
	for i, vector := range mustEmbed(t, e, texts...) {
		if modeltest.Dot(vector, vectorOf(t, texts[i], 384)) < 0.99 {
			t.Errorf("%q has another text's vector", texts[i])
		}
	}
	mustEmbed(t, e, strings.Split("ABCDEFGH", "")...)
	if diff := cmp.Diff([]int{16, 8, 4, 4, 8, 4, 4, 4, 4}, sizes(s)); diff != "" {
		t.Errorf("the requests hold other numbers of texts:\n%s", diff)
	}
}

// Each text is cut separately, so that its vector does not depend on the other
// texts of the request.
func TestTextsThatAreTooLongForTheModelAreCut(t *testing.T) {
	t.Parallel()
	for _, refusal := range []modeltest.Reply{
		{Status: http.StatusBadRequest, Text: "This model's maximum context length is 8192 tokens"},
		{Status: http.StatusRequestEntityTooLarge, Text: "Input validation error: `inputs` must have less than 512 tokens. Given: 700"},
		{Status: http.StatusInternalServerError, Text: "input is too large to process. increase the physical batch size"},
	} {
		e, s := openEmbedder(t, model.EmbedderConfig{Config: model.Config{Concurrency: 1, Retries: -1}}, func(r modeltest.Request) modeltest.Reply {
			for _, text := range r.Texts {
				if len(text) > 1000 {
					return refusal
				}
			}
			return modeltest.Reply{}
		})
		mustEmbed(t, e, "short", strings.Repeat("x", 1500))
		calls := s.Calls()
		if diff := cmp.Diff([]int{2, 1, 1, 1}, sizes(s)); diff != "" {
			t.Errorf("%s: the requests hold other numbers of texts:\n%s", refusal.Text, diff)
		}
		if sent := calls[len(calls)-1].Texts[0]; len(sent) != 750 {
			t.Errorf("%s: %d bytes of the long text were sent in the end", refusal.Text, len(sent))
		}
	}
}

func TestAModelThatTakesNothingIsNotAskedForEver(t *testing.T) {
	t.Parallel()
	e, s := openEmbedder(t, model.EmbedderConfig{}, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: http.StatusBadRequest, Text: "the input is too long"}
	})
	if _, err := e.Embed(t.Context(), []string{strings.Repeat("x", 4096)}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
	if s.Embeddings() != 5 {
		t.Errorf("%d requests, want 5: of 4096 to 256 bytes", s.Embeddings())
	}
}

func TestOllama(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	client := modeltest.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, err := io.ReadAll(r.Body)
		var got any
		if err != nil || json.Unmarshal(body, &got) != nil {
			t.Errorf("the request cannot be read: %v", err)
		}
		want := map[string]any{"model": "nomic-embed-text:v1.5", "input": []any{"a\nb", "c"}}
		if diff := cmp.Diff(any(want), got); diff != "" || r.URL.String() != "http://gpu:11434/api/embed" {
			t.Errorf("the request to %s:\n%s", r.URL, diff)
		}
		_, _ = io.WriteString(w, `{"model": "nomic-embed-text:v1.5", "embeddings": [[3, 4], [0, 2]], "prompt_eval_count": 8}`)
	}))
	ledger := &modeltest.Ledger{}
	e, err := model.OpenEmbedder(model.EmbedderConfig{
		Config:     model.Config{Model: "ollama:nomic-embed-text:v1.5", BaseURL: "http://gpu:11434/v1", HTTPClient: client},
		Dimensions: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	vectors := mustEmbed(t, e.With(ledger), "a\nb", "c")
	if diff := cmp.Diff([][]float32{{0.6, 0.8}, {0, 1}}, vectors); diff != "" {
		t.Error(diff)
	}
	call := ledger.Calls()[0]
	if call.InputTokens != 8 || call.Cost == nil || *call.Cost != 0 || requests.Load() != 1 {
		t.Errorf("the ledger has %+v after %d requests", call, requests.Load())
	}
}

// The scripted server serves the address and path of every provider.
func TestSpecifications(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]struct{ address, name string }{
		"openai:text-embedding-3-small": {"https://api.openai.com/v1/embeddings", "openai:text-embedding-3-small"},
		"google:gemini-embedding-001":   {"https://generativelanguage.googleapis.com/v1beta/openai/embeddings", "gemini:gemini-embedding-001"},
		"gemini:gemini-embedding-001":   {"https://generativelanguage.googleapis.com/v1beta/openai/embeddings", "gemini:gemini-embedding-001"},
		"mistral:mistral-embed":         {"https://api.mistral.ai/v1/embeddings", "mistral:mistral-embed"},
		"vllm:bge-m3":                   {"http://localhost:8000/v1/embeddings", "vllm:bge-m3"},
		"llamacpp:nomic":                {"http://localhost:8080/v1/embeddings", "llamacpp:nomic"},
		"lmstudio:nomic":                {"http://localhost:1234/v1/embeddings", "lmstudio:nomic"},
		"tei:":                          {"http://localhost:8080/v1/embeddings", "tei:default"},
		"tei:bge-m3":                    {"http://localhost:8080/v1/embeddings", "tei:bge-m3"},
		"ollama:nomic-embed-text":       {"http://localhost:11434/api/embed", "ollama:nomic-embed-text"},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			client := modeltest.Client(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.String() != want.address || r.Header.Get("Authorization") != "Bearer secret" {
					t.Errorf("a request to %s with %q", r.URL, r.Header.Get("Authorization"))
				}
				_, _ = io.WriteString(w, `{"data": [{"embedding": [1]}], "embeddings": [[1]]}`)
			}))
			e, err := model.OpenEmbedder(model.EmbedderConfig{Config: model.Config{Model: spec, APIKey: "secret", HTTPClient: client}})
			if err != nil {
				t.Fatal(err)
			}
			mustEmbed(t, e, "a")
			if e.Name() != want.name {
				t.Errorf("it is called %s", e.Name())
			}
		})
	}
}
