package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// errNoVectors is the error of an answer without usable vectors.
var errNoVectors = errors.New("its answer holds no usable vectors")

// path returns the path of the request for vectors.
func (e *ServedEmbedder) path() string {
	if e.provider.dialect == ollamaChat {
		return "/api/embed"
	}
	return "/embeddings"
}

// body returns the request for the vectors of texts.
func (e *ServedEmbedder) body(texts []string) map[string]any {
	body := map[string]any{"model": e.model, "input": texts}
	if e.asksDimensions() {
		body["dimensions"] = e.config.Dimensions
	}
	return body
}

// vectors reads the vectors of n texts, in the order of the texts.
func (d dialect) vectors(data []byte, n int) ([][]float32, error) {
	vectors, err := readOpenAI(data, n)
	if d == ollamaChat {
		vectors, err = readOllama(data)
	}
	if err == nil && len(vectors) != n {
		err = fmt.Errorf("%w: %s for %s", errNoVectors, each.Count(len(vectors), "vector"), each.Count(n, "text"))
	}
	return vectors, err
}

// numbers is a vector in an answer. It refuses null, which some servers write
// for NaN and which would be read as 0.
type numbers []float32

// UnmarshalJSON refuses null.
func (v *numbers) UnmarshalJSON(data []byte) error {
	if bytes.Contains(data, []byte("null")) {
		return errors.New("a vector is null or holds one")
	}
	return json.Unmarshal(data, (*[]float32)(v))
}

func readOllama(data []byte) ([][]float32, error) {
	var answer struct {
		Embeddings []numbers `json:"embeddings"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoVectors, err)
	}
	var vectors [][]float32
	for _, vector := range answer.Embeddings {
		vectors = append(vectors, vector)
	}
	return vectors, nil
}

// readOpenAI places every vector by its index. Without any index it keeps the
// order of the answer. If only one vector lacks an index, it is the first: some
// servers omit zero values.
func readOpenAI(data []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int    `json:"index"`
			Embedding numbers `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoVectors, err)
	}
	if len(answer.Data) != n {
		return nil, fmt.Errorf("%w: %s for %s", errNoVectors, each.Count(len(answer.Data), "vector"), each.Count(n, "text"))
	}
	ordered := true
	for _, item := range answer.Data {
		ordered = ordered && item.Index == nil
	}
	vectors := make([][]float32, n)
	for i, item := range answer.Data {
		switch {
		case ordered:
		case item.Index == nil:
			i = 0
		default:
			i = *item.Index
		}
		if i < 0 || i >= n || vectors[i] != nil {
			return nil, fmt.Errorf("%w: the index %d comes twice or belongs to no text", errNoVectors, i)
		}
		vectors[i] = item.Embedding
	}
	return vectors, nil
}

// check refuses unusable vectors and scales the others to length one, in place.
// The first vector fixes the length of all later ones.
func (e *ServedEmbedder) check(vectors [][]float32) error {
	for _, vector := range vectors {
		if err := scale(vector); err != nil {
			return err
		}
		if err := e.checkDimension(len(vector)); err != nil {
			return err
		}
	}
	return nil
}

func (e *ServedEmbedder) checkDimension(got int) error {
	if want := e.config.Dimensions; want > 0 && got != want {
		return graph.Invalid("embedder", "%s makes vectors of %s, and %d are asked for: set ANNALS_EMBEDDING_DIM=%d, "+
			"which needs a new database, or choose an embedder that makes %d", e.name, each.Count(got, "number"), want, got, want)
	}
	if e.learned.dimensions.CompareAndSwap(0, int64(got)) {
		return nil
	}
	if before := int(e.learned.dimensions.Load()); got != before {
		return fmt.Errorf("%w: one has %s and those before had %d", errNoVectors, each.Count(got, "number"), before)
	}
	return nil
}

// scale scales a vector to length one, in place.
func scale(vector []float32) error {
	squares := 0.0
	for _, x := range vector {
		squares += float64(x) * float64(x)
	}
	if squares == 0 || math.IsNaN(squares) || math.IsInf(squares, 0) {
		return fmt.Errorf("%w: one is empty, zero or infinite", errNoVectors)
	}
	length := math.Sqrt(squares)
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return nil
}
