package service

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/graph"
)

// FactChange is what is to be changed of one fact.
type FactChange = edit.FactEdit

// EditEach is [annals.Client.EditFacts] where each fact is changed in its own way: all
// of them are, or none.
func (s *Service) EditEach(ctx context.Context, groupID string, changes []FactChange) ([]annals.Fact, error) {
	if err := s.someFacts(groupID, len(changes)); err != nil {
		return nil, err
	}
	defer s.wrote(groupID)
	return s.engine.EditEach(ctx, groupID, changes)
}

// WithdrawFacts is [annals.Client.WithdrawFact] of several facts, such as all of one
// statement: all of them are withdrawn, or none.
func (s *Service) WithdrawFacts(ctx context.Context, groupID string, ids []uuid.UUID) error {
	if err := s.someFacts(groupID, len(ids)); err != nil {
		return err
	}
	defer s.wrote(groupID)
	return s.engine.WithdrawFacts(ctx, groupID, ids)
}

// someFacts refuses to change none, or too many at once.
func (s *Service) someFacts(groupID string, n int) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	if n == 0 || n > annals.MaxRows {
		return graph.Invalid("ids", "are %d; name 1 to %d facts", n, annals.MaxRows)
	}
	return nil
}

// EpisodesByID returns episodes in the order of their ids; those that are not there
// are left out.
func (s *Service) EpisodesByID(ctx context.Context, groupID string, ids []uuid.UUID) ([]annals.Episode, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read episodes of %s: %w", groupID, err)
	}
	read := make(map[uuid.UUID]annals.Episode, len(rows))
	for _, row := range rows {
		read[row.ID] = db.Episode(row)
	}
	episodes := make([]annals.Episode, 0, len(rows))
	for _, id := range ids {
		if e, ok := read[id]; ok {
			episodes = append(episodes, e)
		}
	}
	return episodes, nil
}
