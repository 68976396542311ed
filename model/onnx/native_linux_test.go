package onnx_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/model/onnx"
	"github.com/annalsdb/annals/model/onnx/native"
)

// Vectors stay the same: the expected ones come from another runtime, in pure
// Go.
func TestVectorsAreAnotherRuntimesToo(t *testing.T) {
	t.Parallel()
	e := open(t)
	if !strings.HasPrefix(e.Runtime(), "ONNX Runtime 1.") {
		t.Errorf("the network runs on %s", e.Runtime())
	}
	for text, want := range map[string][]float32{
		"ann works for acme": {0.05079927, -0.0031183127, 0.09771265, -0.3636087},
		"日本語":                {0.11689186, -0.13342746, 0.08886862, -0.3964836},
		strings.Repeat("ann works for acme ", 40): {0.0038433983, 0.011841323, 0.06925666, -0.2934696},
	} {
		if got := embed(t, e, text)[0][:len(want)]; far(want, got) > tolerance {
			t.Errorf("%.20q has the vector %v, want %v", text, got, want)
		}
	}
	scores := rerank(t, openReranker(t), "where lives ann", "ann lives in paris", "acme", strings.Repeat("the works of ", 50))
	for i, want := range []float64{0.65139029, 0.63288572, 0.64227221} {
		if math.Abs(scores[i]-want) > tolerance {
			t.Errorf("text %d scores %v, want %v", i, scores[i], want)
		}
	}
}

// An embedder survives the end of its library's process. Not parallel: the test
// kills the processes of all running tests.
func TestTheProcessIsStartedAgain(t *testing.T) {
	e := open(t)
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

func TestWithoutALibrary(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, modelFiles(t, tinyBERT))
	for library, why := range map[string]string{
		"/nowhere/at/all":                    "there is no /nowhere/at/all",
		folder:                               "holds no libonnxruntime.so",
		filepath.Join(folder, "config.json"): "config.json",
	} {
		e, err := onnx.Open(t.Context(), onnx.Config{Model: folder, Library: library})
		if err == nil {
			_ = e.Close()
			t.Fatalf("%s: it opens", library)
		}
		if !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", library, err)
		}
	}
	_, err := onnx.Runtime("")
	if errors.Is(err, native.ErrNotFound) && !strings.Contains(err.Error(), "pip install") {
		t.Errorf("it says not how to get the library: %v", err)
	}
}

func benchmarkReal(b *testing.B) (*onnx.Embedder, []string) {
	const variable = "ANNALS_TEST_ONNX"
	folder := os.Getenv(variable)
	if folder == "" {
		b.Skipf("%s names no model", variable)
	}
	e, err := onnx.Open(b.Context(), onnx.Config{Model: folder, Library: fetched.ONNXRuntime(b)})
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
	e, _ := benchmarkReal(b)
	for b.Loop() {
		if _, err := e.Embed(b.Context(), []string{"Where does Nora live since she moved last week?"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNativeTexts(b *testing.B) {
	e, texts := benchmarkReal(b)
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
	r, err := onnx.OpenReranker(b.Context(), onnx.Config{Model: folder, Library: fetched.ONNXRuntime(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	_, texts := benchmarkReal(b)
	for b.Loop() {
		if _, err := r.Rerank(b.Context(), "Where does Nora live since she moved?", texts[:50]); err != nil {
			b.Fatal(err)
		}
	}
}
