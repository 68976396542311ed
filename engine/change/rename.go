package change

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// TellByName replaces the old name of an entity by its present one in facts, and in the names of
// entities named after it, such as "Ana's mother". These keep the old name as an alias if known.
// Episodes and former versions stay as they are.
func (t *Tx) TellByName(ctx context.Context, e *Entity, old string, known bool) error {
	after, err := t.Queries.EntitiesNamedAfter(ctx, db.EntitiesNamedAfterParams{GroupID: t.GroupID, Name: old})
	if err != nil {
		return err
	}
	after = slices.DeleteFunc(after, func(id uuid.UUID) bool { return id == e.ID })
	if err := t.nameAfter(ctx, e, old, after, known); err != nil {
		return err
	}
	ids, err := t.Queries.FactsTelling(ctx, db.FactsTellingParams{GroupID: t.GroupID, EntityIds: append(slices.Clone(after), e.ID), Name: old})
	if err != nil {
		return err
	}
	return errors.Join(t.Reword(ctx, e, old, ids, after...),
		t.Queries.RejectionsMove(ctx, db.RejectionsMoveParams{GroupID: t.GroupID, FromID: e.ID, IntoID: e.ID}))
}

// PartFrom moves the facts of an entity that were stated only in one conversation to another
// entity, and puts its name into them.
func (t *Tx) PartFrom(ctx context.Context, from, into *Entity, threadID string) error {
	ids, err := t.Queries.FactsOfThread(ctx, db.FactsOfThreadParams{GroupID: t.GroupID, EntityID: from.ID, ThreadID: threadID})
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = t.Queries.FactsMove(ctx, db.FactsMoveParams{GroupID: t.GroupID, FromID: from.ID, ToID: into.ID, Ids: ids})
	return errors.Join(err,
		t.Queries.MentionsOfFacts(ctx, db.MentionsOfFactsParams{GroupID: t.GroupID, EntityID: into.ID, FactIds: ids}),
		t.HideCommunities(ctx, from.ID),
		t.Reword(ctx, into, from.Name, ids, from.ID))
}

// Reword replaces an old name of an entity by its present one in facts, and remakes the summaries
// of their ends and of others.
func (t *Tx) Reword(ctx context.Context, e *Entity, old string, ids []uuid.UUID, others ...uuid.UUID) error {
	facts, err := t.Facts(ctx, ids)
	if err != nil {
		return err
	}
	var rows []db.FactRewordParams
	var vectors Vectors
	for _, f := range facts {
		names := append([]string{f.Source, f.Target, e.Name}, e.Aliases...)
		sentence := wording.ReplaceName(f.Fact, old, e.Name, names...)
		if sentence == f.Fact {
			continue
		}
		rows = append(rows, db.FactRewordParams{GroupID: t.GroupID, ID: f.ID, Fact: sentence, Told: wording.ReplaceName(f.Told(), old, e.Name, names...)})
		vectors.Fact(f.ID, sentence, f.Predicate)
	}
	if err := errors.Join(db.Exec(t.Queries.FactReword(ctx, rows)), vectors.Write(ctx, t)); err != nil {
		return err
	}
	retold, err := t.Retell(ctx, slices.Concat(EndsOf(facts...), others, []uuid.UUID{e.ID}))
	if now := retold[e.ID]; now != nil {
		e.Summary = now.Summary
	}
	return err
}

// nameAfter renames entities that were named after another one.
func (t *Tx) nameAfter(ctx context.Context, e *Entity, old string, ids []uuid.UUID, known bool) error {
	if len(ids) == 0 {
		return nil
	}
	entities, err := t.held(ctx, ids)
	if err != nil {
		return err
	}
	var vectors Vectors
	for id, n := range entities {
		was, name := n.Name, e.Name+strings.TrimPrefix(n.Name, old)
		if len(name) > graph.MaxName {
			continue
		}
		n.Name, n.Changed = name, true
		n.Aliases = slices.DeleteFunc(slices.Clone(n.Aliases), func(a string) bool { return a == name })
		if known {
			n.AddName(was)
		}
		if err := t.WriteEntities(ctx, n); err != nil {
			return err
		}
		vectors.Entity(id, name)
	}
	return vectors.Write(ctx, t)
}
