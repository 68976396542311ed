package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// RenameEntity gives an entity another name. The old one stays as an alias.
// Given versions, the entity must be in one that began then.
func (e *Engine) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (graph.Entity, error) {
	name, err := validName(name)
	if err != nil {
		return graph.Entity{}, err
	}
	vector, err := e.embedName(ctx, groupID, name)
	if err != nil {
		return graph.Entity{}, err
	}
	var renamed *node
	err = e.edit(ctx, groupID, "rename", func(q *db.Queries) error {
		nodes, err := lockNodes(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		renamed = nodes[id]
		if err := renamed.unchanged(versions); err != nil {
			return err
		}
		old := renamed.Name
		renamed.Name, renamed.vector = name, vector
		renamed.Aliases = slices.DeleteFunc(slices.Clone(renamed.Aliases), func(a string) bool { return a == name })
		if old != name && !slices.Contains(renamed.Aliases, old) {
			renamed.Aliases = append(renamed.Aliases, old)
		}
		return errors.Join(
			e.writeNode(ctx, q, renamed),
			q.RejectionsMove(ctx, db.RejectionsMoveParams{GroupID: groupID, FromID: id, IntoID: id}))
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "rename entity %s to %q", id, name)
	}
	return renamed.Entity, nil
}

// unchanged checks that the entity is still in one of the versions, if any.
func (n *node) unchanged(versions []time.Time) error {
	if len(versions) == 0 || slices.ContainsFunc(versions, n.Recorded.Start.Equal) {
		return nil
	}
	return &graph.Error{
		Code: graph.CodeConflict, Field: "version", Message: n.Name + " was changed in the meantime; read it again",
	}
}

func validName(name string) (string, error) {
	clean, ok := cleanText(name, graph.MaxName)
	if !ok {
		return "", graph.Invalid("name", "%q is empty, longer than %d bytes or not text", cut(name, 100), graph.MaxName)
	}
	return clean, nil
}

func (e *Engine) embedName(ctx context.Context, groupID, name string) ([]float32, error) {
	vectors, err := e.embed(model.WithSubject(ctx, model.Subject{GroupID: groupID}), []string{name})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}
