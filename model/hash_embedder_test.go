package model_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

func newEmbedder(t testing.TB) *model.HashEmbedder {
	t.Helper()
	e, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHashEmbedderConforms(t *testing.T) {
	t.Parallel()
	modeltest.TestEmbedder(t, newEmbedder(t))
}

func TestAnyTextHasAVectorOfLengthOne(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	rapid.Check(t, func(t *rapid.T) {
		vectors, err := e.Embed(t.Context(), []string{rapid.String().Draw(t, "text")})
		if err != nil || math.Abs(modeltest.Dot(vectors[0], vectors[0])-1) > 1e-3 {
			t.Fatalf("%v, %v", vectors, err)
		}
	})
}

// What is written alike lies nearer than what is not.
func TestLikenessInWriting(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	for _, tt := range []struct{ text, near, far string }{
		{"Alice moved to Lisbon", "Alice has moved to Lisbon with her dog", "The printer prints blank pages"},
		{"printing problems", "the printer has a problem", "gardening in spring"},
		{"Caroline", "Carolin", "Melanie"},
		{"José García", "Jose Garcia", "Maria Silva"},
		{"東京タワーに行きました", "東京タワー", "大阪城"},
		{"Она живёт в Москве", "Москва", "Париж"},
	} {
		v, err := e.Embed(t.Context(), []string{tt.text, tt.near, tt.far})
		if err != nil {
			t.Fatal(err)
		}
		if near, far := modeltest.Dot(v[0], v[1]), modeltest.Dot(v[0], v[2]); near <= far+0.1 {
			t.Errorf("%q lies %.2f near %q and %.2f near %q", tt.text, near, tt.near, far, tt.far)
		}
	}
}

// A stored vector must stay comparable with those made by later builds: who
// changes the features must change the name.
func TestVectorsNeverChangeUnderOneName(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	v, err := e.Embed(t.Context(), []string{"Alice moved to Lisbon last week."})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, x := range v[0] {
		sum += float64(i+1) * float64(x)
	}
	if got, want := fmt.Sprintf("%s %.4f", e.Name(), sum), "offline:hash-1-384 206.4075"; got != want {
		t.Errorf("fingerprint %q, want %q", got, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := e.Embed(t.Context(), []string{"Alice moved to Lisbon.", "Bob did not."}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestTooFewDimensions(t *testing.T) {
	t.Parallel()
	if _, err := model.NewHashEmbedder(7); err == nil {
		t.Error("7 dimensions are taken")
	}
}

func BenchmarkEmbed(b *testing.B) {
	e := newEmbedder(b)
	for b.Loop() {
		if _, err := e.Embed(b.Context(), []string{"Alice moved to Lisbon last week because of her new job at the harbour."}); err != nil {
			b.Fatal(err)
		}
	}
}
