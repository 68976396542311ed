package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// MergeEntities makes two entities one: into takes over the names, types,
// attributes, facts and mentions of from, which is gone. Facts between the two
// say nothing any more and leave the graph. The history keeps all as it was,
// and from's id goes on standing for into.
func (e *Engine) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (graph.Entity, error) {
	if from == into {
		return graph.Entity{}, graph.Invalid("entity", "%s cannot be merged into itself", from)
	}
	var merged *node
	err := e.edit(ctx, groupID, func(q *db.Queries) error {
		nodes, err := lockNodes(ctx, q, groupID, from, into)
		if err != nil {
			return err
		}
		merged = nodes[into]
		merged.absorb(nodes[from])
		for _, write := range []func() error{
			func() error { return outdateCommunities(ctx, q, groupID, from, into) },
			func() error { return e.writeNode(ctx, q, merged) },
			func() error { return moveEverything(ctx, q, groupID, from, into) },
			func() error {
				return q.EntityMergeInsert(ctx, db.EntityMergeInsertParams{GroupID: groupID, ID: from, MergedInto: into})
			},
			func() error {
				_, err := q.EntityDelete(ctx, db.EntityDeleteParams{GroupID: groupID, ID: from})
				return err
			},
		} {
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "merge entity %s into %s", from, into)
	}
	return merged.Entity, nil
}

// outdateCommunities has the communities of entities summarised anew, and keeps
// them as they were in the history.
func outdateCommunities(ctx context.Context, q *db.Queries, groupID string, ids ...uuid.UUID) error {
	return q.CommunitiesOfOutdate(ctx, db.CommunitiesOfOutdateParams{GroupID: groupID, EntityIds: ids})
}

// absorb adds what another entity is called and known by. Where the two
// differ, what was there stays.
func (n *node) absorb(other *node) {
	for _, name := range append([]string{other.Name}, other.Aliases...) {
		if !strings.EqualFold(name, n.Name) && !containsFold(n.Aliases, name) {
			n.Aliases = append(slices.Clone(n.Aliases), name)
		}
	}
	for _, label := range other.Labels {
		if !containsFold(n.Labels, label) {
			n.Labels = append(slices.Clone(n.Labels), label)
		}
	}
	n.Attributes = graph.MergeAttributes(other.Attributes, n.Attributes)
	n.Summary = latestWords(join(n.Summary, []string{other.Summary}), overlongSummary)
}

// moveEverything gives one entity's facts and mentions to another.
func moveEverything(ctx context.Context, q *db.Queries, groupID string, from, into uuid.UUID) error {
	if _, err := q.FactsBetweenDelete(ctx, db.FactsBetweenDeleteParams{GroupID: groupID, One: from, Other: into}); err != nil {
		return err
	}
	_, err := q.FactsMove(ctx, db.FactsMoveParams{GroupID: groupID, FromID: from, ToID: into, EveryFact: true, Ids: []uuid.UUID{}})
	if err != nil {
		return err
	}
	folded, err := q.FactsFold(ctx, db.FactsFoldParams{GroupID: groupID, EntityID: into})
	if err != nil {
		return err
	}
	var doubles []db.FactExpireParams
	for _, id := range folded {
		doubles = append(doubles, db.FactExpireParams{GroupID: groupID, ID: id})
	}
	if err := db.Exec(q.FactExpire(ctx, doubles)); err != nil {
		return err
	}
	return q.MentionsCopy(ctx, db.MentionsCopyParams{GroupID: groupID, FromID: from, ToID: into})
}

// SplitEntity makes a new entity of a part of one that was two: the listed
// facts become facts of the new one. It takes its name from the old one's
// aliases where it stands there.
func (e *Engine) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (graph.Entity, error) {
	name, err := validName(name)
	if err != nil {
		return graph.Entity{}, err
	}
	if len(factIDs) == 0 {
		return graph.Entity{}, graph.Invalid("facts", "is empty; name the facts that belong to %s", name)
	}
	vector, err := e.embedName(ctx, groupID, name)
	if err != nil {
		return graph.Entity{}, err
	}
	part := &node{
		Entity: graph.Entity{GroupID: groupID, ID: newID(), Name: name, Aliases: []string{}}, isNew: true, vector: vector,
	}
	err = e.edit(ctx, groupID, func(q *db.Queries) error {
		nodes, err := lockNodes(ctx, q, groupID, from)
		if err != nil {
			return err
		}
		whole := nodes[from]
		moved, err := factsOf(ctx, q, whole, factIDs)
		if err != nil {
			return err
		}
		if err := outdateCommunities(ctx, q, groupID, from); err != nil {
			return err
		}
		part.Labels = whole.Labels
		whole.giveUp(part, moved)
		if err := e.writeNode(ctx, q, whole); err != nil {
			return err
		}
		if err := e.writeNode(ctx, q, part); err != nil {
			return err
		}
		_, err = q.FactsMove(ctx, db.FactsMoveParams{GroupID: groupID, FromID: from, ToID: part.ID, Ids: factIDs})
		if err != nil {
			return err
		}
		return q.MentionsMove(ctx, db.MentionsMoveParams{GroupID: groupID, FactIds: factIDs, FromID: from, ToID: part.ID})
	})
	if err != nil {
		return graph.Entity{}, wrapEdit(err, "split %q off entity %s", name, from)
	}
	return part.Entity, nil
}

// factsOf reads the sentences of facts that must all be of one entity.
func factsOf(ctx context.Context, q *db.Queries, n *node, ids []uuid.UUID) ([]string, error) {
	rows, err := q.FactsOfEntity(ctx, db.FactsOfEntityParams{GroupID: n.GroupID, Ids: ids, EntityID: n.ID})
	if err != nil {
		return nil, err
	}
	found := map[uuid.UUID]bool{}
	var sentences []string
	for _, row := range rows {
		found[row.ID] = true
		sentences = append(sentences, row.Fact)
	}
	for _, id := range ids {
		if !found[id] {
			return nil, &graph.Error{
				Code: graph.CodeNotFound, Field: "facts",
				Message: fmt.Sprintf("%s has no current fact %s; 'annals facts --entity %s' lists them", n.Name, id, n.ID),
			}
		}
	}
	return sentences, nil
}

// giveUp takes out of an entity what belongs to the part split off it.
func (n *node) giveUp(part *node, sentences []string) {
	n.Aliases = slices.DeleteFunc(slices.Clone(n.Aliases), func(a string) bool { return strings.EqualFold(a, part.Name) })
	for _, s := range sentences {
		n.Summary = withoutSentence(n.Summary, s)
		part.Summary = latestWords(join(part.Summary, []string{s}), overlongSummary)
	}
}

// RenameEntity gives an entity another name. The old one stays as an alias.
// Given versions, the entity must be in the one that began then.
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
	err = e.edit(ctx, groupID, func(q *db.Queries) error {
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
		return e.writeNode(ctx, q, renamed)
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

// edit runs a change made by hand in one transaction under the group's lock.
func (e *Engine) edit(ctx context.Context, groupID string, change func(*db.Queries) error) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	return db.InTx(ctx, e.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, groupID); err != nil {
			return err
		}
		if _, err := q.EditBegin(ctx); err != nil {
			return err
		}
		return change(q)
	})
}

func wrapEdit(err error, format string, args ...any) error {
	if graph.CodeOf(err) != graph.CodeInternal {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// lockNodes reads entities that must all be there and holds them still.
func lockNodes(ctx context.Context, q *db.Queries, groupID string, ids ...uuid.UUID) (map[uuid.UUID]*node, error) {
	if _, err := q.VersionsLock(ctx, db.VersionsLockParams{GroupID: groupID, EntityIds: ids}); err != nil {
		return nil, err
	}
	rows, err := q.EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, err
	}
	nodes := map[uuid.UUID]*node{}
	for _, row := range rows {
		nodes[row.ID] = &node{Entity: db.Entity(row), changed: true}
	}
	for _, id := range ids {
		if nodes[id] == nil {
			return nil, &graph.Error{
				Code: graph.CodeNotFound, Field: "entity",
				Message: fmt.Sprintf("group %s has no entity %s; 'annals entities' lists them", groupID, id),
			}
		}
	}
	return nodes, nil
}

// writeNode stores one entity by itself.
func (e *Engine) writeNode(ctx context.Context, q *db.Queries, n *node) error {
	return e.writeEntities(ctx, q, &draft{groupID: n.GroupID, extra: []*node{n}})
}

// FindEntity returns the entity with this id, or the only one that goes by
// this name. An id that was merged away stands for the entity it went into.
func (e *Engine) FindEntity(ctx context.Context, groupID, idOrName string) (graph.Entity, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.Entity{}, err
	}
	ids, err := e.idsOf(ctx, groupID, idOrName)
	if err != nil {
		return graph.Entity{}, err
	}
	rows, err := db.New(e.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	switch {
	case err != nil:
		return graph.Entity{}, fmt.Errorf("find entity %q: %w", idOrName, err)
	case len(rows) == 0:
		return graph.Entity{}, &graph.Error{
			Code: graph.CodeNotFound, Field: "entity",
			Message: fmt.Sprintf("group %s has none called %q; 'annals entities' lists them", groupID, idOrName),
		}
	case len(rows) > 1:
		return graph.Entity{}, &graph.Error{
			Code: graph.CodeConflict, Field: "entity",
			Message: fmt.Sprintf("%d entities of group %s go by the name %q; use the id of one", len(rows), groupID, idOrName),
		}
	}
	return db.Entity(rows[0]), nil
}

func (e *Engine) idsOf(ctx context.Context, groupID, idOrName string) ([]uuid.UUID, error) {
	queries := db.New(e.pool)
	if id, err := uuid.Parse(idOrName); err == nil {
		now, err := queries.EntityMergedInto(ctx, db.EntityMergedIntoParams{GroupID: groupID, ID: id})
		if err != nil {
			return nil, fmt.Errorf("find entity %s: %w", id, err)
		}
		return []uuid.UUID{now}, nil
	}
	rows, err := queries.EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: groupID, Names: []string{idOrName}})
	if err != nil {
		return nil, fmt.Errorf("find entity %q: %w", idOrName, err)
	}
	ids := []uuid.UUID{}
	for _, row := range rows {
		if row.EntityID != nil {
			ids = append(ids, *row.EntityID)
		}
	}
	return ids, nil
}
