package annals_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/metrics"
	"github.com/annalsdb/annals/model"
)

// failing is an embedder and a reranker that fails on demand.
type failing struct {
	model.Embedder
	with func() ([][]float32, error) // nil: it answers
}

func (f *failing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f.with == nil {
		return f.Embedder.Embed(ctx, texts)
	}
	return f.with()
}

func (f *failing) Rerank(context.Context, string, []string) ([]float64, error) {
	return nil, errors.New("500 Internal Server Error")
}

// Without the embedder or the reranker, words and relations answer, and the result and the log say
// what was missing.
func TestSearchGoesOnWithoutItsModels(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	embedder := &failing{Embedder: clienttest.Hash(t, 384)}
	registry := prometheus.NewRegistry()
	calls, err := metrics.Calls(registry)
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{
		DatabaseURL: pgtest.New(t), Embedder: embedder, Reranker: embedder, Log: slog.New(slog.NewTextHandler(&log, nil)), Calls: calls,
	})
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris.", "2024-01-10"))
	nan := float32(math.NaN())
	searches := 0.0
	for name, with := range map[string]func() ([][]float32, error){
		"an error":          func() ([][]float32, error) { return nil, errors.New("500 Internal Server Error") },
		"no numbers":        func() ([][]float32, error) { return [][]float32{slices.Repeat([]float32{nan}, 384)}, nil },
		"another dimension": func() ([][]float32, error) { return [][]float32{{1, 0, 0}}, nil },
	} {
		embedder.with = with
		log.Reset()
		found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?"})
		if err != nil || len(found.Facts) != 1 || len(found.Without) != 1 || !strings.Contains(found.Without[0], "vectors") {
			t.Errorf("with %s: %d facts without %q (%v)", name, len(found.Facts), found.Without, err)
		}
		if !strings.Contains(log.String(), "goes without a model") {
			t.Errorf("with %s the log says %q", name, log.String())
		}
		for about, has := range map[string]string{"Where does Alice live?": "Alice lives in Paris.", "Who painted the Mona Lisa?": "Nothing is known about this."} {
			told, err := client.ContextAs(t.Context(), annals.Query{GroupID: "t", Text: about}, annals.Construction{Tokens: 200})
			if err != nil || !strings.Contains(told, has) || !strings.Contains(told, "Searched without vectors: ") {
				t.Errorf("with %s the context is %q (%v)", name, told, err)
			}
		}
		if got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: "Where does Alice live?"}}); err != nil || len(got.Without) != 1 ||
			!strings.Contains(got.Note(), "Searched without vectors: ") {
			t.Errorf("with %s the answer is %+v (%v)", name, got, err)
		}
		searches += 4
		if _, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Where?", Methods: []annals.Method{annals.MethodVector}}); err == nil {
			t.Errorf("with %s a search by vectors alone finds something", name)
		}
	}
	if n := countedBy(t, registry, "annals_searches_without_total"); n != searches {
		t.Errorf("%v searches without vectors are counted, want %v", n, searches)
	}
	embedder.with = nil
	found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?", Rerank: []annals.Rerank{annals.RerankModel}, Scopes: []graph.Kind{graph.KindFact}})
	if err != nil || len(found.Facts) != 1 || len(found.Without) != 1 || !strings.Contains(found.Without[0], "cross_encoder") {
		t.Errorf("without a reranker: %d facts without %q (%v)", len(found.Facts), found.Without, err)
	}
}

// countedBy returns the value of a counter, summed over all labels.
func countedBy(t *testing.T, registry *prometheus.Registry, name string) (n float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}
