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

// An id can be shortened to at least minPart digits. Tables show at least shownPart digits.
const (
	minPart   = 4
	shownPart = 8
	lastPart  = 12 // the digits after the last hyphen
)

// shorten returns a function that shortens ids for a table to their last digits, to as many as keep
// them distinct. The first digits of a UUIDv7 are the time of its creation, which all rows of one
// episode share. The last ones are random. Eight of them, which a double click selects, identify a
// row in its whole group, except for one in some 43,000 in a group of 100,000. Every command
// accepts them as an id. JSON has the whole id.
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

// toldApart reports whether different ids have different last digits.
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

// partOf normalises a part of an id, with or without hyphens, and reports whether it is one.
func partOf(text string) (string, bool) {
	part := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(text), "-", ""))
	return part, len(part) >= minPart && len(part) <= 32 && strings.Trim(part, "0123456789abcdef") == ""
}

// ids returns ids of one kind. Each may be shortened to its beginning or end. field names the input
// in errors.
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

// kindAnswer is the kind of standing answers, which have ids but are not searched.
const kindAnswer graph.Kind = "answer"

// plurals maps each kind to the command that lists it.
var plurals = map[graph.Kind]string{
	graph.KindEpisode: "episodes", graph.KindFact: "facts", graph.KindEntity: "entities", graph.KindObservation: "observations", kindAnswer: "answers",
	graph.KindSkill: "skills",
}

// idByPart returns the only id that begins or ends with a text; found is false if there is none.
// Several ids are an error that lists them.
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

// anyID returns the id of a row of some kinds, also of one that is gone: by its id, by the name of an
// entity, or by a part of an id.
func (s *session) anyID(ctx context.Context, text string, kinds ...graph.Kind) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	entity, err := s.Entity(ctx, s.group, text)
	if annals.CodeOf(err) != annals.CodeNotFound {
		return entity.ID, err
	}
	id, found, ambiguous := s.idByPart(ctx, text, kinds...)
	if found || ambiguous != nil {
		return id, ambiguous
	}
	return uuid.Nil, err
}

// entity returns an entity by its id, by a name that no other entity has, or by a part of its id.
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

// about returns the entity to which a list is restricted; the zero id if the text is empty.
func (s *session) about(ctx context.Context, text string, knownAt time.Time) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	entity, err := s.entity(ctx, text, knownAt)
	return entity.ID, err
}
