package db

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// VectorKinds are the kinds of rows that have vectors, in the order in which
// the engine writes them.
var VectorKinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

// Embeddable is a row that may have a vector, and the texts it is made from.
type Embeddable struct {
	ID        uuid.UUID
	Text      string
	Predicate string // of a fact
	Missing   bool   // it lacks the vector
}

// VectorPage asks for a page of a group's rows of one kind.
type VectorPage struct {
	Model   string
	GroupID string
	After   uuid.UUID
	MaxRows int32
}

// VectorPage reads a page of rows in the order of their ids.
func (q *Queries) VectorPage(ctx context.Context, kind graph.Kind, p VectorPage) ([]Embeddable, error) {
	switch kind {
	case graph.KindEpisode:
		return pageOf(q.EpisodeVectorsMissing(ctx, EpisodeVectorsMissingParams(p)))
	case graph.KindEntity:
		return pageOf(q.EntityVectorsMissing(ctx, EntityVectorsMissingParams(p)))
	case graph.KindFact:
		return pageOf(q.FactVectorsMissing(ctx, FactVectorsMissingParams(p)))
	case graph.KindCommunity:
		return pageOf(q.CommunityVectorsMissing(ctx, CommunityVectorsMissingParams(p)))
	}
	return nil, fmt.Errorf("rows of kind %q have no vectors", kind)
}

func pageOf[Row ~struct {
	ID        uuid.UUID
	Text      string
	Predicate string
	Missing   bool
}](rows []Row, err error) ([]Embeddable, error) {
	page := make([]Embeddable, len(rows))
	for i, r := range rows {
		page[i] = Embeddable(r)
	}
	return page, err
}

// FillVectors adds vectors to rows whose texts are still those they were made
// from, and returns how many. Rows that somebody is changing are left out.
func (q *Queries) FillVectors(ctx context.Context, kind graph.Kind, groupID, model string, rows []Embeddable, vectors [][]float32) (int64, error) {
	fill := EntityVectorsFillParams{GroupID: groupID, Model: model}
	for i, row := range rows {
		fill.Ids = append(fill.Ids, row.ID)
		fill.Texts = append(fill.Texts, row.Text)
		fill.Predicates = append(fill.Predicates, row.Predicate)
		fill.Embeddings = append(fill.Embeddings, Vector(vectors[i]).String())
	}
	switch kind {
	case graph.KindEpisode:
		return explained(q.EpisodeVectorsFill(ctx, EpisodeVectorsFillParams(fill)))
	case graph.KindEntity:
		return explained(q.EntityVectorsFill(ctx, fill))
	case graph.KindFact:
		return explained(q.FactVectorsFill(ctx, FactVectorsFillParams(fill)))
	case graph.KindCommunity:
		return explained(q.CommunityVectorsFill(ctx, CommunityVectorsFillParams(fill)))
	}
	return 0, fmt.Errorf("rows of kind %q have no vectors", kind)
}

func explained(n int64, err error) (int64, error) { return n, explainEmbedder(err) }

// DropVectors removes some of a group's vectors: those of a model where own,
// else those of all others. It returns how many; zero: there are no more.
func (q *Queries) DropVectors(ctx context.Context, kind graph.Kind, groupID, model string, own bool) (int64, error) {
	const some = 5000
	drop := EntityVectorsDropParams{GroupID: groupID, Model: model, Own: own, MaxRows: some}
	switch kind {
	case graph.KindEpisode:
		return q.EpisodeVectorsDrop(ctx, EpisodeVectorsDropParams(drop))
	case graph.KindEntity:
		return q.EntityVectorsDrop(ctx, drop)
	case graph.KindFact:
		return q.FactVectorsDrop(ctx, FactVectorsDropParams(drop))
	case graph.KindCommunity:
		return q.CommunityVectorsDrop(ctx, CommunityVectorsDropParams(drop))
	}
	return 0, fmt.Errorf("rows of kind %q have no vectors", kind)
}
