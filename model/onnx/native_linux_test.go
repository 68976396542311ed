package onnx_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/model/onnx"
)

// library is ONNX Runtime's, where the environment names one:
// ANNALS_TEST_ONNXRUNTIME.
func library(tb testing.TB) string {
	tb.Helper()
	path := os.Getenv("ANNALS_TEST_ONNXRUNTIME")
	if path == "" {
		tb.Skip("ANNALS_TEST_ONNXRUNTIME names no libonnxruntime.so")
	}
	return path
}

func openNative(t *testing.T, folder string) *onnx.Embedder {
	t.Helper()
	e := openConfig(t, onnx.Config{Model: folder, Library: library(t)})
	if !strings.HasPrefix(e.Runtime(), "ONNX Runtime 1.") {
		t.Fatalf("the network runs on %s", e.Runtime())
	}
	return e
}

func cosine(a, b []float32) float64 {
	product, squares, others := 0.0, 0.0, 0.0
	for i := range a {
		product += float64(a[i]) * float64(b[i])
		squares += float64(a[i]) * float64(a[i])
		others += float64(b[i]) * float64(b[i])
	}
	return product / math.Sqrt(squares*others)
}

func TestNativeConforms(t *testing.T) {
	t.Parallel()
	modeltest.TestEmbedder(t, openNative(t, folderWith(t, modelFiles(t, tinyBERT))))
}

// Vectors of both runtimes stand in one database.
func TestNativeAndPureGoMakeTheSameVectors(t *testing.T) {
	t.Parallel()
	folders := map[string]string{"tiny": folderWith(t, modelFiles(t, tinyBERT))}
	if real := os.Getenv("ANNALS_TEST_ONNX"); real != "" {
		folders["real"] = real
	}
	texts := []string{
		"Where does Nora live?", "Nora moved to Lisbon last week.", "", "日本語", "a", strings.Repeat("ann works for acme ", 40),
		"[CLS]", "Yes, last week!", "the blood type of somebody",
	}
	for name, folder := range folders {
		t.Run(name, func(t *testing.T) {
			native, pure := openNative(t, folder), openConfig(t, onnx.Config{Model: folder, Library: onnx.PureGo})
			if native.Name() != pure.Name() || native.Dimensions() != pure.Dimensions() {
				t.Errorf("%s of %d dimensions, and %s of %d", native.Name(), native.Dimensions(), pure.Name(), pure.Dimensions())
			}
			want := embed(t, pure, texts...)
			for i, vector := range embed(t, native, texts...) {
				if c := cosine(vector, want[i]); c < .9999 {
					t.Errorf("text %d: cosine %v", i, c)
				}
			}
		})
	}
}

// What ends the process of the library ends no embedder. Not parallel: it ends
// the processes of all tests that run.
func TestTheProcessIsStartedAgain(t *testing.T) {
	e := openNative(t, folderWith(t, modelFiles(t, tinyBERT)))
	want := embed(t, e, "ann")[0]
	for range 2 {
		killed := 0
		lists, _ := filepath.Glob("/proc/self/task/*/children")
		for _, list := range lists {
			text, _ := os.ReadFile(list)
			for _, child := range strings.Fields(string(text)) {
				pid, err := strconv.Atoi(child)
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(pid, syscall.SIGKILL); err == nil {
					killed++
				}
			}
		}
		if killed == 0 {
			t.Fatal("there is no process to end")
		}
		if far(want, embed(t, e, "ann")[0]) > tolerance {
			t.Error("another vector afterwards")
		}
	}
}

// A library that cannot be loaded is no reason not to work.
func TestPureGoWithoutALibrary(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, modelFiles(t, tinyBERT))
	for library, why := range map[string]string{
		onnx.PureGo:                          "not asked for",
		"/nowhere/at/all":                    "there is no /nowhere/at/all",
		folder:                               "holds no libonnxruntime.so",
		filepath.Join(folder, "config.json"): "config.json",
	} {
		e := openConfig(t, onnx.Config{Model: folder, Library: library})
		if runs := e.Runtime(); !strings.HasPrefix(runs, "pure Go (") || !strings.Contains(runs, why) {
			t.Errorf("%s: it runs on %s", library, runs)
		}
		embed(t, e, "ann")
	}
}

func TestNativeReranker(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, rerankerFiles(t, tinyBERT))
	texts := []string{"ann lives in paris", "acme", "", strings.Repeat("the works of ", 50)}
	scores := map[string][]float64{}
	for _, library := range []string{library(t), onnx.PureGo} {
		r, err := onnx.OpenReranker(t.Context(), onnx.Config{Model: folder, Library: library})
		if err != nil {
			t.Fatal(err)
		}
		if scores[library], err = r.Rerank(t.Context(), "where lives ann", texts); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	for i, want := range scores[onnx.PureGo] {
		if got := scores[library(t)][i]; math.Abs(got-want) > tolerance {
			t.Errorf("text %d: %v natively and %v in pure Go", i, got, want)
		}
	}
	embedder := folderWith(t, modelFiles(t, tinyBERT), map[string]string{"tokenizer.json": rerankerFiles(t, tinyBERT)["tokenizer.json"]})
	if r, err := onnx.OpenReranker(t.Context(), onnx.Config{Model: embedder, Library: library(t)}); err == nil {
		_ = r.Close()
		t.Error("an embedding model opens as a reranker")
	} else if !strings.Contains(err.Error(), "is it an embedding model?") {
		t.Error(err)
	}
}

func benchmarkReal(b *testing.B, variable, library string) (*onnx.Embedder, []string) {
	folder := os.Getenv(variable)
	if folder == "" {
		b.Skipf("%s names no model", variable)
	}
	e, err := onnx.Open(b.Context(), onnx.Config{Model: folder, Library: library})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	texts := make([]string, 256)
	for i := range texts {
		texts[i] = fmt.Sprintf("Nora told us %d times that she moved to Lisbon last week%s", i, strings.Repeat(" with her dog", i%4))
	}
	return e, texts
}

func BenchmarkNativeQuestion(b *testing.B) {
	e, _ := benchmarkReal(b, "ANNALS_TEST_ONNX", library(b))
	for b.Loop() {
		if _, err := e.Embed(b.Context(), []string{"Where does Nora live since she moved last week?"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNativeTexts(b *testing.B) {
	e, texts := benchmarkReal(b, "ANNALS_TEST_ONNX", library(b))
	for b.Loop() {
		if _, err := e.Embed(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}

func BenchmarkNativeRerank50(b *testing.B) {
	folder := os.Getenv("ANNALS_TEST_ONNX_RERANKER")
	if folder == "" {
		b.Skip("ANNALS_TEST_ONNX_RERANKER names no model")
	}
	r, err := onnx.OpenReranker(b.Context(), onnx.Config{Model: folder, Library: library(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	_, texts := benchmarkReal(b, "ANNALS_TEST_ONNX", library(b))
	for b.Loop() {
		if _, err := r.Rerank(b.Context(), "Where does Nora live since she moved?", texts[:50]); err != nil {
			b.Fatal(err)
		}
	}
}
