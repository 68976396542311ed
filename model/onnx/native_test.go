package onnx_test

import (
	"fmt"
	"math"
	"os"
	"strings"
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
