package service

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// clearAtOnce is how many episodes are undone in one call.
const clearAtOnce = annals.MaxRows

// Clear empties a group: it undoes all its episodes and removes the entities that were made by
// hand. The history keeps them. The group itself stays and can be filled again. It fails with
// [annals.CodeNotFound] if there is no such group.
func (s *Service) Clear(ctx context.Context, groupID string) error {
	if _, err := s.client.Group(ctx, groupID); err != nil {
		return err
	}
	for {
		// The latest are undone first, so that no earlier episode has to be placed again.
		episodes, err := s.client.Episodes(ctx, annals.EpisodeFilter{GroupID: groupID, Trust: graph.TrustAll, Limit: clearAtOnce})
		if err != nil {
			return err
		}
		if len(episodes) == 0 {
			return s.clearEntities(ctx, groupID)
		}
		ids := each.Of(episodes, func(e annals.Episode) uuid.UUID { return e.ID })
		if _, err := s.client.UndoAll(ctx, annals.Undoing{GroupID: groupID, EpisodeIDs: ids, AnyReader: true}); err != nil {
			return err
		}
	}
}

// clearEntities removes the entities that no episode mentions, with their facts, and then the
// communities, whose names and summaries would still mention them.
func (s *Service) clearEntities(ctx context.Context, groupID string) error {
	for {
		left, err := s.client.Entities(ctx, annals.EntityFilter{GroupID: groupID, Limit: annals.MaxRows})
		if err != nil {
			return err
		}
		if len(left) == 0 {
			_, err := s.client.BuildCommunities(ctx, groupID)
			return err
		}
		for _, e := range left {
			if err := s.client.DeleteEntity(ctx, groupID, e.ID); err != nil {
				return err
			}
		}
	}
}

// GroupsFilledBy lists at most limit groups with rows that came through a door, such as graphiti.
func (s *Service) GroupsFilledBy(ctx context.Context, w Within, door string, limit int) ([]string, error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	groups, err := db.New(s.pool).GroupsFilledBy(ctx, db.GroupsFilledByParams{Namespace: w.Namespace, Among: w.Among, Door: door, MaxRows: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list the groups that %s filled: %w", door, err)
	}
	return groups, nil
}
