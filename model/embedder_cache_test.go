package model_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// asked records the texts that an embedder receives.
type asked struct {
	model.Embedder
	mu    sync.Mutex
	texts []string
}

func (a *asked) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	a.mu.Lock()
	a.texts = append(a.texts, texts...)
	a.mu.Unlock()
	return a.Embedder.Embed(ctx, texts)
}

func TestCachedEmbedderConforms(t *testing.T) {
	t.Parallel()
	cached := model.NewCachedEmbedder(newEmbedder(t), 3)
	modeltest.TestEmbedder(t, cached)
	if cached.Name() != newEmbedder(t).Name() {
		t.Errorf("it is called %s", cached.Name())
	}
}

func TestTheTextsUsedLastAreRemembered(t *testing.T) {
	t.Parallel()
	within := &asked{Embedder: newEmbedder(t)}
	cached := model.NewCachedEmbedder(within, 2)
	for _, text := range []string{"a", "b", "a", "c", "a", "b", "c"} {
		mustEmbed(t, cached, text)
	}
	// c pushes out b, which was used longer ago than a; then b pushes out c.
	if diff := cmp.Diff([]string{"a", "b", "c", "b", "c"}, within.texts); diff != "" {
		t.Errorf("other texts were embedded:\n%s", diff)
	}
}

func TestMoreTextsThanAreRemembered(t *testing.T) {
	t.Parallel()
	cached, plain := model.NewCachedEmbedder(newEmbedder(t), 5), newEmbedder(t)
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("text %d", i%20))
	}
	if diff := cmp.Diff(mustEmbed(t, plain, texts...), mustEmbed(t, cached, texts...)); diff != "" {
		t.Error(diff)
	}
}

func TestCachedEmbedderInConcurrentUse(t *testing.T) {
	t.Parallel()
	cached := model.NewCachedEmbedder(newEmbedder(t), 3)
	texts := []string{"a", "b", "c", "d", "e"}
	want := mustEmbed(t, newEmbedder(t), texts...)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for round := range 20 {
				i := (worker + round) % len(texts)
				vectors, err := cached.Embed(t.Context(), []string{texts[i], texts[0]})
				if err != nil || !slices.Equal(vectors[0], want[i]) || !slices.Equal(vectors[1], want[0]) {
					t.Errorf("%q has another vector (%v)", texts[i], err)
				}
			}
		})
	}
	group.Wait()
}

func TestEmbedderWithRecordsWhereThereIsSomethingToRecord(t *testing.T) {
	t.Parallel()
	offline := newEmbedder(t)
	if model.EmbedderWith(offline, &modeltest.Ledger{}) != model.Embedder(offline) {
		t.Error("the offline embedder has become another")
	}
	served, _ := openEmbedder(t, model.EmbedderConfig{}, nil)
	ledger := &modeltest.Ledger{}
	mustEmbed(t, model.EmbedderWith(model.NewCachedEmbedder(served, 10), ledger), "a")
	if len(ledger.Calls()) != 1 {
		t.Errorf("the ledger has %d calls, want 1", len(ledger.Calls()))
	}
}

// A cache is worthwhile for slow embedders, such as package onnx's.
func ExampleNewCachedEmbedder() {
	slow, err := model.NewHashEmbedder(384)
	if err != nil {
		panic(err)
	}
	e := model.NewCachedEmbedder(slow, 1000)
	vectors, err := e.Embed(context.Background(), []string{"Ann lives in Paris", "Ann lives in Paris"})
	fmt.Println(len(vectors), len(vectors[0]), err)
	// Output: 2 384 <nil>
}
