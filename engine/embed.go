package engine

import (
	"context"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/chunk"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// embedNames embeds the names and the episodes themselves in one batch.
func (w *walk) embedNames(ctx context.Context, d *draft) error {
	names := make([]string, len(d.names))
	for i, name := range d.names {
		names[i] = name.Name
	}
	lists := [][]string{names}
	for _, episode := range d.episodes {
		lists = append(lists, EpisodeTexts(w.Embedder, episode))
	}
	vectors, err := w.embedLists(ctx, lists)
	if err != nil {
		return err
	}
	d.nameVectors, d.episodeVectors = vectors[0], vectors[1:]
	return nil
}

// EpisodeTexts are what an episode is embedded by: the whole and, of a message of
// somebody who says several things, each passage. What is said in passing hardly
// shows in the vector of the whole. Vectors of spellings tell no more by passages
// than words do, and the long answers of assistants would take too many.
func EpisodeTexts(embedder model.Embedder, e graph.Episode) []string {
	texts := []string{e.Content}
	if e.ByPerson() && !model.Lexical(embedder) {
		texts = append(texts, chunk.Passages(e.Content)...)
	}
	return texts
}

// embedFacts embeds the facts in one batch.
func (w *walk) embedFacts(ctx context.Context, d *draft) error {
	if len(d.statements) == 0 {
		return nil
	}
	texts := make([]string, len(d.statements))
	for i, s := range d.statements {
		texts[i] = graph.SearchText(s.fact, s.predicate)
	}
	vectors, err := w.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i := range d.statements {
		d.statements[i].vector = vectors[i]
	}
	return nil
}

func (w *walk) embedLists(ctx context.Context, lists [][]string) ([][][]float32, error) {
	vectors, err := model.VectorLists(ctx, w.Embedder, lists)
	return vectors, analyst.Failed(ctx, stepEmbed, err)
}

func (w *walk) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := model.Vectors(ctx, w.Embedder, texts)
	return vectors, analyst.Failed(ctx, stepEmbed, err)
}
