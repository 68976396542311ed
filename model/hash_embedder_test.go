package model_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
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

// Texts of similar spelling lie closer together than others.
func TestLikenessInWriting(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	for _, tt := range []struct{ text, near, far string }{
		{"Alice moved to Lisbon", "Alice has moved to Lisbon with her dog", "The printer prints blank pages"},
		{"printing problems", "the printer has a problem", "gardening in spring"},
		{"Caroline", "Carolin", "Melanie"},
		{"appointment with the dentist", "apointment with the dentsit", "a walk along the harbour"},
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

// A stored vector must stay comparable with those of later builds and other
// machines. A change of the features therefore needs a new name.
func TestVectorsNeverChangeUnderOneName(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	for _, tt := range []struct{ text, want string }{
		{"Alice moved to Lisbon last week.", "54f5a89e7085"},
		{"the cat and the dog and the cat and the café", "ca21c9e02dfb"},
		{"東京タワーに行きました", "687a47a6c387"},
		{"", "373421642a44"},
	} {
		v, err := e.Embed(t.Context(), []string{tt.text})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		if err := binary.Write(sum, binary.LittleEndian, v[0]); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s %x", e.Name(), sum.Sum(nil)[:6]); got != "offline:hash-1-384 "+tt.want {
			t.Errorf("%q has the fingerprint %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestTextWithoutWordsHasTheFixedVector(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	vectors, err := e.Embed(t.Context(), []string{"", " \n", "!? … 🎉", "\xff", "words"})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors[:4] {
		if !slices.Equal(v, vectors[0]) {
			t.Errorf("text %d has another vector than the empty one", i)
		}
	}
	if slices.Equal(vectors[4], vectors[0]) {
		t.Error("a word has the vector of the empty text")
	}
}

// Accents may be omitted; marks that make a different letter may not.
func TestAccentsAreFolded(t *testing.T) {
	t.Parallel()
	e := newEmbedder(t)
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Résumé", "RESUME", true},
		{"Ångström", "angstrom", true},
		{"שָׁלוֹם", "שלום", true},
		{"مُحَمَّد", "محمد", true},
		{"パス", "バス", false},
		{"की", "कु", false},
		{"สี", "สู", false},
	} {
		v, err := e.Embed(t.Context(), []string{tt.a, tt.b})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(v[0], v[1]) != tt.same {
			t.Errorf("%q and %q have one vector: %t, want %t", tt.a, tt.b, !tt.same, tt.same)
		}
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
