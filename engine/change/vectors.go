package change

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Vectors collects entities and facts whose vectors are to be made.
type Vectors struct {
	Entities, Facts []uuid.UUID
	names, facts    []string
}

// Entity adds the name of an entity.
func (v *Vectors) Entity(id uuid.UUID, name string) {
	v.Entities, v.names = append(v.Entities, id), append(v.names, name)
}

// Fact adds the text of a fact.
func (v *Vectors) Fact(id uuid.UUID, fact, predicate string) {
	v.Facts, v.facts = append(v.Facts, id), append(v.facts, graph.SearchText(fact, predicate))
}

// Write makes the vectors and stores them.
func (v *Vectors) Write(ctx context.Context, t *Tx) error {
	if len(v.Entities)+len(v.Facts) == 0 {
		return nil
	}
	made, err := t.Embed(ctx, t.GroupID, slices.Concat(v.names, v.facts)...)
	if err != nil {
		return err
	}
	var entities []db.EntityEmbeddingUpsertParams
	var facts []db.FactEmbeddingUpsertParams
	for i, id := range v.Entities {
		entities = append(entities, t.entityVector(id, made[i]))
	}
	for i, id := range v.Facts {
		facts = append(facts, t.FactVector(id, made[len(v.Entities)+i]))
	}
	return errors.Join(db.Exec(t.Queries.EntityEmbeddingUpsert(ctx, entities)), db.Exec(t.Queries.FactEmbeddingUpsert(ctx, facts)))
}

func (t *Tx) entityVector(id uuid.UUID, vector []float32) db.EntityEmbeddingUpsertParams {
	return db.EntityEmbeddingUpsertParams{GroupID: t.GroupID, Model: t.Embedder.Name(), EntityID: id, Embedding: db.Vector(vector)}
}

// FactVector returns the row of a fact's vector.
func (t *Tx) FactVector(id uuid.UUID, vector []float32) db.FactEmbeddingUpsertParams {
	return db.FactEmbeddingUpsertParams{GroupID: t.GroupID, Model: t.Embedder.Name(), FactID: id, Embedding: db.Vector(vector)}
}
