package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/model/onnx"
)

var _ model.Embedder = (*onnx.Embedder)(nil)

// open opens the tiny model, with files added or replaced.
func open(t *testing.T, files ...map[string]string) *onnx.Embedder {
	t.Helper()
	folder := folderWith(t, append([]map[string]string{modelFiles(t, tinyBERT)}, files...)...)
	return openConfig(t, onnx.Config{Model: folder})
}

func openConfig(t *testing.T, config onnx.Config) *onnx.Embedder {
	t.Helper()
	config.Library = fetched.ONNXRuntime(t)
	e, err := onnx.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func embed(t *testing.T, e *onnx.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d texts gave %d vectors", len(texts), len(vectors))
	}
	return vectors
}

// far returns the largest difference of two vectors in one dimension.
func far(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(float64(a[i]-b[i])))
	}
	return most
}

const tolerance = 1e-5

func TestEmbedderConforms(t *testing.T) {
	t.Parallel()
	modeltest.TestEmbedder(t, open(t))
}

func TestVectorsHaveTheModelsDimensionAndLengthOne(t *testing.T) {
	t.Parallel()
	e := open(t)
	if e.Dimensions() != tinyBERT.hidden || e.Name() != "onnx:tiny-model" {
		t.Errorf("the model is %s of %d dimensions", e.Name(), e.Dimensions())
	}
	texts := []string{
		"Ann lives in Paris", "", " ", "a", "!?…", "日本語のテキスト", "Привет, мир", "مرحبا بالعالم", "naïve café", "🙂🙂", "\xff\xfe broken", "a\x00b",
		"[CLS] [SEP] [PAD]", strings.Repeat("the works of ", 5000), strings.Repeat("x", 100_000), strings.Repeat("é", 60_000),
	}
	for i, vector := range embed(t, e, texts...) {
		if len(vector) != tinyBERT.hidden {
			t.Errorf("text %d has a vector of %d numbers", i, len(vector))
		}
		squares := 0.0
		for _, x := range vector {
			squares += float64(x) * float64(x)
		}
		if math.Abs(squares-1) > tolerance {
			t.Errorf("text %d has a vector of length %v", i, math.Sqrt(squares))
		}
	}
}

func TestTheSameTextHasTheSameVectorAndAnotherAnother(t *testing.T) {
	t.Parallel()
	e := open(t)
	first := embed(t, e, "Ann lives in Paris")[0]
	if again := embed(t, e, "Ann lives in Paris")[0]; far(first, again) != 0 {
		t.Error("the same text has another vector the second time")
	}
	for _, other := range []string{"Ann lives in Berlin", "Paris lives in Ann"} {
		if far(first, embed(t, e, other)[0]) < 0.01 {
			t.Errorf("%q has the same vector as another text", other)
		}
	}
}

func TestABatchGivesWhatItsTextsGiveAlone(t *testing.T) {
	t.Parallel()
	e := open(t)
	var texts []string
	for i := range 75 {
		texts = append(texts, strings.Repeat("ann works for acme and ", i%9)+string(rune('a'+i%26)))
	}
	for i, vector := range embed(t, e, texts...) {
		if d := far(vector, embed(t, e, texts[i])[0]); d > tolerance {
			t.Errorf("text %d of the batch is %v away from its vector alone", i, d)
		}
	}
}

func TestTextsAreCutAtTheModelsLimit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		files map[string]string
		want  int
	}{
		"positions":       {want: 40},
		"tokeniser":       {files: map[string]string{"tokenizer_config.json": `{"model_max_length": 21}`}, want: 21},
		"no limit stated": {files: map[string]string{"tokenizer_config.json": `{"model_max_length": 1e30}`}, want: 40},
		"sentences":       {files: map[string]string{"sentence_bert_config.json": `{"max_seq_length": 18}`}, want: 18},
		"of RoBERTa":      {files: map[string]string{"config.json": `{"model_type": "roberta", "max_position_embeddings": 40}`}, want: 38},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t, test.files)
			if e.MaxTokens() != test.want {
				t.Fatalf("texts are cut at %d tokens, not %d", e.MaxTokens(), test.want)
			}
			// Two tokens are special, and each word here is one token.
			words := func(n int, tail string) string { return strings.Repeat("the ", n) + tail }
			vectors := embed(t, e, words(test.want-2, "acme"), words(test.want-2, ""), words(test.want-3, "acme"))
			if d := far(vectors[0], vectors[1]); d > tolerance {
				t.Errorf("the word after the limit moves the vector by %v", d)
			}
			if far(vectors[0], vectors[2]) < 1e-3 {
				t.Error("the last word within the limit is not read")
			}
		})
	}
}

func TestPoolingIsWhatTheModelStates(t *testing.T) {
	t.Parallel()
	const text = "ann works for acme"
	mean := embed(t, open(t), text)[0]
	stated := func(mode string) map[string]string {
		return map[string]string{"1_Pooling/config.json": `{"word_embedding_dimension": 32, "pooling_mode_` + mode + `": true}`}
	}
	if d := far(mean, embed(t, open(t, stated("mean_tokens")), text)[0]); d > tolerance {
		t.Errorf("a stated mean differs by %v from the default", d)
	}
	cls := embed(t, open(t, stated("cls_token")), text)[0]
	if far(mean, cls) < 1e-3 {
		t.Error("a stated first token gives the mean")
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	e := open(t)
	texts := []string{"ann", "ann works for acme", "the moved of paris and berlin with ann in the", "bob lives in paris"}
	want := embed(t, e, texts...)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for round := range 5 {
				i := (worker + round) % len(texts)
				vectors, err := e.Embed(t.Context(), []string{texts[i], "padding of another length"})
				if err != nil {
					t.Error(err)
				} else if d := far(want[i], vectors[0]); d > tolerance {
					t.Errorf("text %d is %v away from its vector", i, d)
				}
			}
		})
	}
	group.Wait()
}

func TestNoTextsGiveNoVectors(t *testing.T) {
	t.Parallel()
	if vectors := embed(t, open(t)); len(vectors) != 0 {
		t.Errorf("no texts gave %v", vectors)
	}
}

func TestEmbedHeedsItsContext(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(ctx, []string{"ann"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
	embed(t, e, "ann") // The model is still there for others.
}

func TestAClosedModelSaysSo(t *testing.T) {
	t.Parallel()
	e := open(t)
	for range 2 {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Embed(t.Context(), []string{"ann"}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed model ends with %v", err)
	}
}

func TestOpenOutlivesItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e, err := onnx.Open(ctx, onnx.Config{Model: folderWith(t, modelFiles(t, tinyBERT)), Library: fetched.ONNXRuntime(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cancel()
	embed(t, e, "ann")
}

func TestOtherPlacesOfTheNetwork(t *testing.T) {
	t.Parallel()
	network := string(tinyBERT.onnx(1))
	other := string(tinyBERT.onnx(2))
	want := embed(t, open(t), "ann")[0]
	tests := map[string]struct {
		files map[string]string
		file  string
		same  bool
	}{
		"in the folder onnx": {files: map[string]string{"model.onnx": "", "onnx/model.onnx": network, "onnx/model_O2.onnx": other}, same: true},
		"the only one":       {files: map[string]string{"model.onnx": "", "bert.onnx": network}, same: true},
		"the one asked for":  {files: map[string]string{"onnx/model_O2.onnx": other}, file: "onnx/model_O2.onnx"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := folderWith(t, modelFiles(t, tinyBERT), test.files)
			got := embed(t, openConfig(t, onnx.Config{Model: folder, File: test.file}), "ann")[0]
			if same := far(want, got) < tolerance; same != test.same {
				t.Errorf("the network is the usual one: %v", same)
			}
		})
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	without := func(name string) string {
		return folderWith(t, modelFiles(t, tinyBERT), map[string]string{name: ""})
	}
	with := func(name, content string) string {
		return folderWith(t, modelFiles(t, tinyBERT), map[string]string{name: content})
	}
	whole := folderWith(t, modelFiles(t, tinyBERT))
	network := string(tinyBERT.onnx(1))
	tests := map[string]struct {
		config onnx.Config
		want   string
	}{
		"nothing":                   {onnx.Config{}, "no embedding model is named"},
		"no folder":                 {onnx.Config{Model: "/nowhere/at/all"}, "there is no folder /nowhere/at/all"},
		"a file":                    {onnx.Config{Model: filepath.Join(whole, "config.json")}, "is a file"},
		"a hub without a place":     {onnx.Config{Model: "owner/some-model"}, "a folder to keep it in must be set"},
		"no network":                {onnx.Config{Model: without("model.onnx")}, "has no model.onnx"},
		"no such network":           {onnx.Config{Model: whole, File: "model_O4.onnx"}, "has no file model_O4.onnx"},
		"no tokeniser":              {onnx.Config{Model: without("tokenizer.json")}, "has no tokenizer.json"},
		"a damaged network":         {onnx.Config{Model: with("model.onnx", "not a network")}, "load the embedding model"},
		"half a network":            {onnx.Config{Model: with("model.onnx", network[:len(network)/2])}, "load the embedding model"},
		"a damaged tokeniser":       {onnx.Config{Model: with("tokenizer.json", "{")}, "load the embedding model"},
		"a tokeniser without model": {onnx.Config{Model: with("tokenizer.json", "{}")}, "makes no tokens"},
		"a damaged limit":           {onnx.Config{Model: with("tokenizer_config.json", "{")}, "tokenizer_config.json"},
		"a pooling not supported":   {onnx.Config{Model: with("1_Pooling/config.json", `{"pooling_mode_max_tokens": true}`)}, "pools by max_tokens"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config.Library = fetched.ONNXRuntime(t)
			e, err := onnx.Open(t.Context(), test.config)
			if err == nil {
				_ = e.Close()
				t.Fatal("it opens")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error says %q and not %q", err, test.want)
			}
		})
	}
}

func Example() {
	ctx := context.Background()
	e, err := onnx.Open(ctx, onnx.Config{
		Model:    "sentence-transformers/all-MiniLM-L6-v2",
		CacheDir: "models", // downloaded to here the first time
	})
	if err != nil {
		panic(err)
	}
	defer e.Close()
	// Texts recur, above all names of entities; the cache spares the network.
	cached := model.NewCachedEmbedder(e, 10_000)
	vectors, err := cached.Embed(ctx, []string{"Ann lives in Paris"})
	fmt.Println(len(vectors[0]), err) // 384 <nil>
}

func BenchmarkEmbedTiny(b *testing.B)   { benchmark(b, tinyBERT) }
func BenchmarkEmbedMiniLM(b *testing.B) { benchmark(b, miniLM) }

// benchmark embeds short texts of 16 tokens, singly and 32 at a time.
func benchmark(b *testing.B, shape bert) {
	e, err := onnx.Open(b.Context(), onnx.Config{Model: folderWith(b, modelFiles(b, shape)), Library: fetched.ONNXRuntime(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	const text = "ann works for acme and lives in the berlin of paris with ann"
	texts := make([]string, 32)
	for i := range texts {
		texts[i] = text
	}
	for name, some := range map[string][]string{"one": texts[:1], "batch": texts} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Embed(b.Context(), some); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(some)), "µs/text")
		})
	}
}
