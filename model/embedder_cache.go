package model

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"
)

// CachedEmbedder remembers the vectors of another embedder, those used last.
// It is for embedders that are slow; [OpenEmbedder] has one within.
type CachedEmbedder struct {
	embedder Embedder
	cache    *vectorCache
}

// NewCachedEmbedder remembers the vectors of as many texts, at least one, each
// at four bytes a dimension and some 200 more.
func NewCachedEmbedder(e Embedder, texts int) *CachedEmbedder {
	return &CachedEmbedder{embedder: e, cache: newVectorCache(max(texts, 1))}
}

// Name is that of the embedder within.
func (e *CachedEmbedder) Name() string { return e.embedder.Name() }

// Dimensions is how many numbers a vector has.
func (e *CachedEmbedder) Dimensions() int { return e.embedder.Dimensions() }

// Lexical reports whether the vectors of the embedder within are of spellings.
func (e *CachedEmbedder) Lexical() bool { return Lexical(e.embedder) }

// Embed returns one vector for each text, in order. The embedder within is
// asked once for texts alike, and not at all for those remembered.
func (e *CachedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.cache.embed(ctx, texts, e.embedder.Embed)
}

// With returns the same embedder, recording in the ledger what the one within
// records.
func (e *CachedEmbedder) With(ledger Ledger) Embedder {
	return &CachedEmbedder{embedder: EmbedderWith(e.embedder, ledger), cache: e.cache}
}

// vectorCache holds the vectors of the texts used last. Its keys are hashes, so
// that long texts take no more memory than short ones.
type vectorCache struct {
	capacity int

	mu     sync.Mutex
	known  map[textKey]*list.Element // of remembered
	latest *list.List                // the one used last in front
}

type textKey [sha256.Size]byte

type remembered struct {
	key    textKey
	vector []float32
}

func newVectorCache(capacity int) *vectorCache {
	return &vectorCache{capacity: capacity, known: map[textKey]*list.Element{}, latest: list.New()}
}

// embed embeds the texts that are not in the cache, each once. Where some fail,
// the vectors of the others are kept.
func (c *vectorCache) embed(
	ctx context.Context, texts []string, embed func(context.Context, []string) ([][]float32, error),
) ([][]float32, error) {
	if err := ctx.Err(); err != nil || len(texts) == 0 {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	var missing []string
	wanted := map[textKey][]int{}
	for i, text := range texts {
		key := textKey(sha256.Sum256([]byte(text)))
		if vectors[i] = c.get(key); vectors[i] != nil {
			continue
		}
		if wanted[key] == nil {
			missing = append(missing, text)
		}
		wanted[key] = append(wanted[key], i)
	}
	if len(missing) == 0 {
		return vectors, nil
	}
	made, err := embed(ctx, missing)
	for i, vector := range made {
		if vector == nil {
			continue
		}
		key := textKey(sha256.Sum256([]byte(missing[i])))
		c.put(key, vector)
		for _, place := range wanted[key] {
			vectors[place] = slices.Clone(vector)
		}
	}
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// get returns a copy of a vector, nil if there is none.
func (c *vectorCache) get(key textKey) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.known[key]
	if !ok {
		return nil
	}
	c.latest.MoveToFront(element)
	return slices.Clone(element.Value.(remembered).vector)
}

func (c *vectorCache) put(key textKey, vector []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[key]; ok || c.capacity == 0 {
		return
	}
	c.known[key] = c.latest.PushFront(remembered{key, vector})
	for c.latest.Len() > c.capacity {
		oldest := c.latest.Remove(c.latest.Back()).(remembered)
		delete(c.known, oldest.key)
	}
}
