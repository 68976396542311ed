package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// An id can be given by a part of at least minPart digits, and is shown in
// tables by at least shownPart of them.
const (
	minPart   = 4
	shownPart = 8
	lastPart  = 12 // digits behind the last hyphen
)

// shorten returns how ids are shown in a table: by their last digits, as many as
// tell them apart. The first digits of a UUIDv7 are the time at which it was
// made, which all that one episode brought about share; the last ones are
// random, so that eight of them, which a double click selects, tell a row from
// all others of its group as well, but for one in some 43,000 in a group of
// 100,000. Every command takes them in the place of the id. JSON has the whole.
func shorten(ids []uuid.UUID) func(uuid.UUID) string {
	digits := shownPart
	for digits < lastPart && !toldApart(ids, digits) {
		digits++
	}
	if !toldApart(ids, digits) {
		return uuid.UUID.String
	}
	return func(id uuid.UUID) string { return tail(id, digits) }
}

func tail(id uuid.UUID, digits int) string {
	text := id.String()
	return text[len(text)-digits:]
}

// toldApart reports whether the last digits of different ids differ.
func toldApart(ids []uuid.UUID, digits int) bool {
	seen := map[string]uuid.UUID{}
	for _, id := range ids {
		if other, ok := seen[tail(id, digits)]; ok && other != id {
			return false
		}
		seen[tail(id, digits)] = id
	}
	return true
}

// partOf reads a text as a part of an id: digits, with or without hyphens.
func partOf(text string) (string, bool) {
	part := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(text), "-", ""))
	return part, len(part) >= minPart && len(part) <= 32 && strings.Trim(part, "0123456789abcdef") == ""
}

// ids finds ids of one kind, each given whole or by its beginning or end. field
// names the input in errors.
func (s *session) ids(ctx context.Context, kind graph.Kind, field string, texts ...string) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(texts))
	for i, text := range texts {
		id, err := uuid.Parse(strings.TrimSpace(text))
		found := err == nil
		if !found {
			if id, found, err = s.idByPart(ctx, text, kind); err != nil {
				return nil, err
			}
		}
		if !found {
			return nil, graph.Invalid(field, "%q is no %s id; 'annals %s' lists them", text, kind, plurals[kind])
		}
		ids[i] = id
	}
	return ids, nil
}

// kindAnswer is the kind of standing answers, which have ids but are in no search.
const kindAnswer graph.Kind = "answer"

// plurals maps each kind to the command that lists it.
var plurals = map[graph.Kind]string{
	graph.KindEpisode: "episodes", graph.KindFact: "facts", graph.KindEntity: "entities", graph.KindObservation: "observations", kindAnswer: "answers",
	graph.KindSkill: "skills",
}

// idByPart finds the one id that a text begins or ends; found is false where
// there is none. Several are an error that lists them.
func (s *session) idByPart(ctx context.Context, text string, kinds ...graph.Kind) (id uuid.UUID, found bool, err error) {
	part, ok := partOf(text)
	if !ok {
		return uuid.Nil, false, nil
	}
	const listed = 5
	var ids []uuid.UUID
	err = s.InSnapshot(ctx, s.group, func(tx pgx.Tx) error {
		ids, err = db.New(tx).IDsByPart(ctx, db.IDsByPartParams{GroupID: s.group, Kinds: each.Of(kinds, func(k graph.Kind) string { return string(k) }), Part: part, MaxRows: listed + 1})
		return err
	})
	switch {
	case err != nil:
		return uuid.Nil, false, fmt.Errorf("find the id %s: %w", text, err)
	case len(ids) == 0:
		return uuid.Nil, false, nil
	case len(ids) == 1:
		return ids[0], true, nil
	}
	names, more := strings.Join(each.Of(ids[:min(listed, len(ids))], uuid.UUID.String), ", "), ""
	if len(ids) > listed {
		more = " and more"
	}
	return uuid.Nil, false, graph.Invalid("id", "%q stands for several: %s%s; write more of the one that is meant, or its last digits", text, names, more)
}

// entity finds an entity by its id, a name that only one goes by, or else by a
// part of its id.
func (s *session) entity(ctx context.Context, text string, knownAt time.Time) (annals.Entity, error) {
	entity, err := s.EntityAt(ctx, s.group, text, knownAt)
	if _, whole := uuid.Parse(text); whole == nil || annals.CodeOf(err) != annals.CodeNotFound {
		return entity, err
	}
	id, found, ambiguous := s.idByPart(ctx, text, graph.KindEntity)
	if ambiguous != nil || !found {
		return annals.Entity{}, cmp.Or(ambiguous, err)
	}
	return s.EntityAt(ctx, s.group, id.String(), knownAt)
}

// about finds the entity that a list is to be about; an empty text is none.
func (s *session) about(ctx context.Context, text string, knownAt time.Time) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	entity, err := s.entity(ctx, text, knownAt)
	return entity.ID, err
}
