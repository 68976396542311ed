package model

import (
	"container/list"
	"context"
	"crypto/sha256"
	"slices"
	"sync"
)

// CachedEmbedder remembers the vectors that another embedder made for the texts
// used last. Use it for slow embedders; [OpenEmbedder] has such a cache built
// in.
type CachedEmbedder struct {
	embedder Embedder
	cache    *vectorCache
}

// NewCachedEmbedder caches the vectors of the given number of texts, at least
// one. Each takes four bytes per dimension and some 200 more.
func NewCachedEmbedder(e Embedder, texts int) *CachedEmbedder {
	return &CachedEmbedder{embedder: e, cache: newVectorCache(max(texts, 1))}
}

// Name returns the name of the wrapped embedder.
func (e *CachedEmbedder) Name() string { return e.embedder.Name() }

// Dimensions returns the length of a vector.
func (e *CachedEmbedder) Dimensions() int { return e.embedder.Dimensions() }

// Lexical reports whether the wrapped embedder's vectors represent spellings;
// see [Lexical].
func (e *CachedEmbedder) Lexical() bool { return Lexical(e.embedder) }

// Embed returns one vector for each text, in order. It asks the wrapped
// embedder once for equal texts, and not at all for cached ones.
func (e *CachedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.cache.embed(ctx, texts, e.embedder.Embed)
}

// With returns an embedder with the same cache, whose wrapped embedder records
// its requests in the ledger.
func (e *CachedEmbedder) With(ledger Ledger) Embedder {
	return &CachedEmbedder{embedder: EmbedderWith(e.embedder, ledger), cache: e.cache}
}

// vectorCache holds the vectors of the texts used last. Its keys are hashes, so
// that long texts take no more memory than short ones.
type vectorCache struct {
	capacity int

	mu     sync.Mutex
	known  map[textKey]*list.Element // of remembered
	latest *list.List                // most recently used first
}

type textKey [sha256.Size]byte

type remembered struct {
	key    textKey
	vector []float32
}

func newVectorCache(capacity int) *vectorCache {
	return &vectorCache{capacity: capacity, known: map[textKey]*list.Element{}, latest: list.New()}
}

// embed embeds the texts missing from the cache, each once. If some fail, it
// keeps the vectors of the others.
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
