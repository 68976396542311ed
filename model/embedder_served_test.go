package model_test

import (
	"context"
	"encoding/json"
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

// openEmbedder opens an embedder on a scripted in-process server with an
// address of its own, so that tests can use virtual time even if it is opened
// outside of the bubble. A nil script returns vectors.
func openEmbedder(
	t *testing.T, c model.EmbedderConfig, script func(modeltest.Request) modeltest.Reply,
) (*model.ServedEmbedder, *modeltest.Server) {
	t.Helper()
	s := modeltest.NewServer(t, nil)
	s.OnEmbedding(script)
	c.HTTPClient, c.BaseURL = modeltest.Client(s), s.URL
	if c.Model == "" {
		c.Model = "openai:scripted"
	}
	e, err := model.OpenEmbedder(c)
	if err != nil {
		t.Fatal(err)
	}
	return e, s
}

func mustEmbed(t *testing.T, e model.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// vectorOf returns the scripted server's vector of a text, not yet scaled.
func vectorOf(t *testing.T, text string, dimensions int) []float32 {
	t.Helper()
	e, err := model.NewHashEmbedder(dimensions)
	if err != nil {
		t.Fatal(err)
	}
	return mustEmbed(t, e, text)[0]
}

// sizes returns the number of texts of each request.
func sizes(s *modeltest.Server) []int {
	var all []int
	for _, call := range s.Calls() {
		all = append(all, len(call.Texts))
	}
	return all
}

func TestServedEmbedderConforms(t *testing.T) {
	t.Parallel()
	e, _ := openEmbedder(t, model.EmbedderConfig{Dimensions: 64}, nil)
	modeltest.TestEmbedder(t, e)
	uncached, _ := openEmbedder(t, model.EmbedderConfig{Dimensions: 64, CachedTexts: -1}, nil)
	modeltest.TestEmbedder(t, uncached)
	probed, _ := openEmbedder(t, model.EmbedderConfig{}, nil)
	if _, err := probed.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	modeltest.TestEmbedder(t, probed)
}

// The scripted server answers in reverse order.
func TestVectorsAreTakenByTheirIndex(t *testing.T) {
	t.Parallel()
	e, _ := openEmbedder(t, model.EmbedderConfig{}, nil)
	texts := []string{"Ann lives in Paris", "Bob lives in Berlin", "Acme makes anvils"}
	for i, vector := range mustEmbed(t, e, texts...) {
		if likeness := modeltest.Dot(vector, vectorOf(t, texts[i], 384)); math.Abs(likeness-1) > 1e-5 {
			t.Errorf("%q has another text's vector: %v", texts[i], likeness)
		}
	}
}

func TestTextsGoOutAsTheyAre(t *testing.T) {
	t.Parallel()
	e, s := openEmbedder(t, model.EmbedderConfig{Dimensions: 16}, nil)
	texts := []string{"first line\nsecond line", "  spaced\tout ", "日本語", "", " \n "}
	given := slices.Clone(texts)
	mustEmbed(t, e, texts...)
	if diff := cmp.Diff(given, texts); diff != "" {
		t.Errorf("the caller's texts have changed:\n%s", diff)
	}
	want := []string{"first line\nsecond line", "  spaced\tout ", "日本語", "-"}
	if diff := cmp.Diff(want, s.Calls()[0].Texts); diff != "" {
		t.Errorf("the server got other texts:\n%s", diff)
	}
	var body map[string]any
	if err := json.Unmarshal(s.Calls()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if body["model"] != "scripted" || body["dimensions"] != 16.0 {
		t.Errorf("the request is %v", body)
	}
}

func TestLongTextsAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		most := rapid.IntRange(4, 40).Draw(r, "most")
		text := rapid.String().Draw(r, "text")
		e, s := openEmbedder(t, model.EmbedderConfig{MaxBytes: most}, nil)
		mustEmbed(t, e, text)
		sent := s.Calls()[0].Texts[0]
		if strings.TrimSpace(sent) == "" || len(sent) > most || !utf8.ValidString(sent) {
			r.Fatalf("%q was sent as %q", text, sent)
		}
		if sent != "-" && (!strings.HasPrefix(text, sent) || len(sent) < min(len(text), most-3)) {
			r.Fatalf("%q was cut to %q", text, sent)
		}
	})
}

func TestRequestsHoldAsManyTextsAsFit(t *testing.T) {
	t.Parallel()
	many := func(n, bytes int) []string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = fmt.Sprintf("%0*d", bytes, i)
		}
		return texts
	}
	tests := map[string]struct {
		config model.EmbedderConfig
		texts  []string
		want   []int
	}{
		"few":               {model.EmbedderConfig{Dimensions: 32}, many(3, 4), []int{3}},
		"the default":       {model.EmbedderConfig{Dimensions: 32}, many(600, 4), []int{256, 256, 88}},
		"as configured":     {model.EmbedderConfig{Dimensions: 32, BatchTexts: 10}, many(25, 4), []int{10, 10, 5}},
		"long texts":        {model.EmbedderConfig{Dimensions: 32}, many(25, 24<<10), []int{10, 10, 5}},
		"many dimensions":   {model.EmbedderConfig{Dimensions: 3072}, many(60, 4), []int{49, 11}},
		"Google":            {model.EmbedderConfig{Dimensions: 32, Config: model.Config{Model: "google:x"}}, many(150, 4), []int{100, 50}},
		"one text too long": {model.EmbedderConfig{Dimensions: 32, MaxBytes: 1 << 20}, many(2, 300<<10), []int{1, 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config.Concurrency = 1 // so that the requests come in order
			e, s := openEmbedder(t, test.config, nil)
			vectors := mustEmbed(t, e, test.texts...)
			if diff := cmp.Diff(test.want, sizes(s)); diff != "" {
				t.Errorf("the requests hold other numbers of texts:\n%s", diff)
			}
			last := len(vectors) - 1
			if likeness := modeltest.Dot(vectors[last], vectorOf(t, test.texts[last], test.config.Dimensions)); math.Abs(likeness-1) > 1e-5 {
				t.Errorf("the last text has another text's vector: %v", likeness)
			}
		})
	}
}

func TestRequestsOfOneCallRunTogetherWithinTheBound(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	running, most := 0, 0
	e, s := openEmbedder(t, model.EmbedderConfig{BatchTexts: 1, Config: model.Config{Concurrency: 3}}, func(modeltest.Request) modeltest.Reply {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Second) // of the bubble
		mu.Lock()
		running--
		mu.Unlock()
		return modeltest.Reply{}
	})
	synctest.Test(t, func(t *testing.T) {
		mustEmbed(t, e, "a", "b", "c", "d", "e", "f", "g")
		if most != 3 || s.Embeddings() != 7 {
			t.Errorf("%d of %d requests ran at once, want 3 of 7", most, s.Embeddings())
		}
	})
}

func TestTextsAlikeAreAskedForOnce(t *testing.T) {
	t.Parallel()
	e, s := openEmbedder(t, model.EmbedderConfig{}, nil)
	vectors := mustEmbed(t, e, "a", "b", "a", "a")
	if !slices.Equal(sizes(s), []int{2}) || !slices.Equal(vectors[0], vectors[2]) || slices.Equal(vectors[0], vectors[1]) {
		t.Errorf("requests of %v texts", sizes(s))
	}
	vectors[0][0] = 7 // what callers do with theirs is their business
	again := mustEmbed(t, e, "b", "a")
	if s.Embeddings() != 1 || !slices.Equal(again[1], vectors[2]) {
		t.Errorf("%d requests for texts embedded before", s.Embeddings())
	}
	mustEmbed(t, e.With(&modeltest.Ledger{}), "b", "c")
	if diff := cmp.Diff([]string{"c"}, s.Calls()[1].Texts); diff != "" {
		t.Errorf("the second request is for other texts than those not embedded before:\n%s", diff)
	}
}

func TestWhatOneRequestMadeIsKeptWhenAnotherFails(t *testing.T) {
	t.Parallel()
	broken := true
	e, s := openEmbedder(t, model.EmbedderConfig{BatchTexts: 1, Config: model.Config{Concurrency: 1, Retries: -1}}, func(r modeltest.Request) modeltest.Reply {
		if broken && r.Texts[0] == "b" {
			return modeltest.Reply{Status: 500}
		}
		return modeltest.Reply{}
	})
	if _, err := e.Embed(t.Context(), []string{"a", "b"}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("error %v, want unavailable", err)
	}
	broken = false
	mustEmbed(t, e, "a", "b")
	if s.Embeddings() != 3 {
		t.Errorf("%d requests, want 3: two, and again for b", s.Embeddings())
	}
}

func TestProbeLearnsTheDimension(t *testing.T) {
	t.Parallel()
	e, s := openEmbedder(t, model.EmbedderConfig{}, nil)
	if e.Dimensions() != 0 {
		t.Errorf("%d dimensions before any answer", e.Dimensions())
	}
	for range 2 {
		if n, err := e.Probe(t.Context()); err != nil || n != 384 || e.Dimensions() != 384 {
			t.Errorf("the probe finds %d dimensions (%v)", n, err)
		}
	}
	if s.Embeddings() != 1 {
		t.Errorf("%d requests to probe twice", s.Embeddings())
	}
	failing, _ := openEmbedder(t, model.EmbedderConfig{}, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: 401, Text: "no such key"}
	})
	if _, err := failing.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "no such key; check the key") {
		t.Errorf("the probe of a server that wants a key ends with %v", err)
	}
}

func TestTheLedgerHasEveryRequest(t *testing.T) {
	t.Parallel()
	prices := model.Prices{"openai:scripted": {Input: 2}}
	e, _ := openEmbedder(t, model.EmbedderConfig{BatchTexts: 2, Config: model.Config{Concurrency: 1, Prices: prices}}, func(r modeltest.Request) modeltest.Reply {
		if r.N == 1 {
			return modeltest.Reply{Status: 429, RetryAfter: "9"}
		}
		time.Sleep(time.Second) // of the bubble
		return modeltest.Reply{}
	})
	synctest.Test(t, func(t *testing.T) {
		ledger := &modeltest.Ledger{}
		subject := model.Subject{GroupID: "ann"}
		text := strings.Repeat("four", 100)
		started := time.Now()
		texts := []string{text + "1", text + "2", text + "3"}
		if _, err := e.With(ledger).Embed(model.WithSubject(t.Context(), subject), texts); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took != 11*time.Second {
			t.Errorf("took %s, want 11 s: two requests, and the 9 s that the server asked for", took)
		}
		cost := func(tokens float64) *float64 { dollars := tokens * 2 / 1e6; return &dollars }
		line := model.Call{Subject: subject, Prompt: "embed", Version: 1, Model: "openai:scripted", Kind: model.KindEmbedding}
		failed, first, second := line, line, line
		failed.Error, failed.Cost = "openai answered 429 (Too Many Requests); too many calls: lower the requests and tokens a minute, or wait", cost(0)
		first.InputTokens, first.Latency, first.Cost = 200, time.Second, cost(200)
		second.InputTokens, second.Latency, second.Cost = 100, time.Second, cost(100)
		got := ledger.Calls()
		for i := range got {
			got[i].Key = [32]byte{}
		}
		if diff := cmp.Diff([]model.Call{failed, first, second}, got); diff != "" {
			t.Errorf("the ledger has other lines:\n%s", diff)
		}
	})
}

func TestALedgerThatFailsFailsTheCall(t *testing.T) {
	t.Parallel()
	e, _ := openEmbedder(t, model.EmbedderConfig{}, nil)
	full := errors.New("the disk is full")
	if _, err := e.With(&modeltest.Ledger{RecordErr: full}).Embed(t.Context(), []string{"a"}); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
}

func TestServersWithoutUsageAreCountedByLength(t *testing.T) {
	t.Parallel()
	e, _ := openEmbedder(t, model.EmbedderConfig{Config: model.Config{Model: "tei:"}}, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Raw: `{"data": [{"index": 0, "embedding": [3, 4]}]}`}
	})
	ledger := &modeltest.Ledger{}
	mustEmbed(t, e.With(ledger), strings.Repeat("four", 25))
	call := ledger.Calls()[0]
	if call.InputTokens != 25 || call.Cost == nil || *call.Cost != 0 {
		t.Errorf("the ledger has %+v, want 25 tokens for nothing", call)
	}
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e, _ := openEmbedder(t, model.EmbedderConfig{}, func(modeltest.Request) modeltest.Reply {
		cancel()
		return modeltest.Reply{Hang: true}
	})
	if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
	e, _ = openEmbedder(t, model.EmbedderConfig{}, func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Status: 429, RetryAfter: "60"}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call out of time ends with %v", err)
		}
	})
}

func TestOpenEmbedderRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	spec := func(spec string) model.EmbedderConfig {
		return model.EmbedderConfig{Config: model.Config{Model: spec}}
	}
	negative := spec("openai:x")
	negative.Dimensions = -1
	slow := spec("openai:x")
	slow.Timeout = -1
	tests := map[string]struct {
		config model.EmbedderConfig
		want   string
	}{
		"nothing":        {model.EmbedderConfig{}, "write provider:model"},
		"no provider":    {spec("nomic-embed-text"), "write provider:model"},
		"chat only":      {spec("anthropic:claude"), "anthropic offers no embedding models"},
		"negative limit": {negative, "cannot be negative"},
		"negative time":  {slow, "cannot be negative"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := model.OpenEmbedder(test.config)
			invalid, ok := errors.AsType[*graph.Error](err)
			if !ok || invalid.Field != "embedder" || invalid.Code != graph.CodeInvalid || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q of the field embedder", err, test.want)
			}
		})
	}
}

func ExampleOpenEmbedder() {
	// Stands for a server of your own, such as vLLM or llama.cpp.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [3, 4]}]}`)
	}))
	defer server.Close()
	e, err := model.OpenEmbedder(model.EmbedderConfig{
		Config: model.Config{Model: "openai:bge-m3", BaseURL: server.URL + "/v1"},
	})
	if err != nil {
		panic(err)
	}
	vectors, err := e.Embed(context.Background(), []string{"Ann lives in Paris", "Bob lives in Berlin"})
	fmt.Println(vectors, err)
	fmt.Println(e.Name(), e.Dimensions())
	// Output:
	// [[0.6 0.8] [0 1]] <nil>
	// openai:bge-m3 2
}
