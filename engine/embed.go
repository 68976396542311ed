package engine

import (
	"context"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// embedNames embeds the names and the episodes themselves in one batch.
func (e *Engine) embedNames(ctx context.Context, d *draft) error {
	texts := make([]string, 0, len(d.names)+len(d.episodes))
	for _, name := range d.names {
		texts = append(texts, name.Name)
	}
	for _, episode := range d.episodes {
		texts = append(texts, episode.Content)
	}
	vectors, err := e.embed(ctx, texts)
	if err != nil {
		return err
	}
	d.nameVectors, d.episodeVectors = vectors[:len(d.names)], vectors[len(d.names):]
	return nil
}

// embedFacts embeds the facts in one batch.
func (e *Engine) embedFacts(ctx context.Context, d *draft) error {
	if len(d.statements) == 0 {
		return nil
	}
	texts := make([]string, len(d.statements))
	for i, s := range d.statements {
		texts[i] = graph.SearchText(s.fact, s.predicate)
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
	vectors, err := model.Vectors(ctx, e.embedder, texts)
	return vectors, analysed(ctx, stepEmbed, err)
}
