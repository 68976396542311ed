package engine

import (
	"context"
	"fmt"
	"strings"
)

// embedNames embeds the episode's names and its content in one batch.
func (e *Engine) embedNames(ctx context.Context, d *draft) error {
	texts := make([]string, 0, len(d.names)+1)
	for _, name := range d.names {
		texts = append(texts, name.Name)
	}
	vectors, err := e.embed(ctx, append(texts, d.episode.Content))
	if err != nil {
		return err
	}
	d.nameVectors, d.episodeVector = vectors[:len(d.names)], vectors[len(d.names)]
	return nil
}

// searchText is what a fact is found by: its sentence and its relation in
// words, so that "moved to Porto" answers "where does she live". Full text has
// the same.
func (s statement) searchText() string {
	return s.Fact + " " + strings.ToLower(strings.ReplaceAll(s.Predicate, "_", " "))
}

// embedFacts embeds the facts in one batch.
func (e *Engine) embedFacts(ctx context.Context, d *draft) error {
	if len(d.statements) == 0 {
		return nil
	}
	texts := make([]string, len(d.statements))
	for i, s := range d.statements {
		texts[i] = s.searchText()
	}
	vectors, err := e.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i := range d.statements {
		d.statements[i].vector = vectors[i]
	}
	return nil
}

func (e *Engine) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.embedder.Embed(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("%s answered with %d vectors for %d texts", e.embedder.Name(), len(vectors), len(texts))
	}
	return vectors, analysed(ctx, "embed", err)
}
