package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// why prints the ranks of expected hits in a search, and what hid them.
func (s *session) why(ctx context.Context, q annals.Query, expected []string) error {
	var ids []uuid.UUID
	for _, text := range expected {
		id, err := s.anyID(ctx, text)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	found, err := service.New(s.Client).Why(ctx, q, ids)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]service.Expected{"expected": found})
	}
	for _, e := range found {
		if err := s.printExpected(e); err != nil {
			return err
		}
	}
	return nil
}

// anyID returns the id of a fact, an entity or an episode by a part of it, or that of an entity by
// its name.
func (s *session) anyID(ctx context.Context, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	id, found, err := s.idByPart(ctx, text, graph.KindFact, graph.KindEntity, graph.KindEpisode)
	if found || err != nil {
		return id, err
	}
	entity, err := s.entity(ctx, text, time.Time{})
	return entity.ID, err
}

func (p *printer) printExpected(e service.Expected) error {
	if _, err := fmt.Fprintf(p.stdout, "%s %s: %s\n", cmp.Or(e.Kind, "id"), e.ID, brief(e.Text, 90)); err != nil {
		return err
	}
	if e.Found {
		fmt.Fprintf(p.stdout, "  It is found: number %d, with a score of %s.\n", e.Rank, score(e.Score))
	} else if e.Rank > 0 {
		fmt.Fprintf(p.stdout, "  It is not found. Without what hides it, it comes %d.\n", e.Rank)
	}
	for _, method := range slices.Sorted(maps.Keys(e.Places)) {
		fmt.Fprintf(p.stdout, "  %s: number %d (%.3f)\n", method, e.Places[method].Rank, e.Places[method].Score)
	}
	for _, r := range e.Reasons {
		fmt.Fprintf(p.stdout, "  %s: %s\n", r.Code, r.Text)
	}
	return nil
}
