package service

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// Queue is the state of the reading queue over all groups.
type Queue struct {
	Episodes int           // waiting or being read
	Oldest   time.Duration // how long the oldest of them has waited
	Groups   int           // the groups of these episodes
	Waiting  int           // jobs, each for one group, that wait for a worker
	Running  int           // jobs that a worker runs, or ran when it died
	Retrying int           // jobs that failed and will be retried
}

// Queue returns the state of the reading queue over all groups.
func (s *Service) Queue(ctx context.Context) (Queue, error) {
	if err := s.unbound(); err != nil {
		return Queue{}, err
	}
	row, err := db.New(s.pool).QueueState(ctx)
	if err != nil {
		return Queue{}, fmt.Errorf("look at the queue: %w", err)
	}
	return Queue{
		Episodes: int(row.Episodes), Oldest: time.Duration(row.OldestSeconds * float64(time.Second)), Groups: int(row.Groups),
		Waiting: int(row.Waiting), Running: int(row.Running), Retrying: int(row.Retrying),
	}, nil
}

// Progress counts how many of a range of a group's episodes were read.
type Progress struct {
	Episodes    int
	Done        int
	Failed      int
	Processing  int
	Deferred    int       // stored without being read
	CreatedAt   time.Time // of the first episode
	ProcessedAt time.Time // of the last episode that is done
	Error       string    // of one episode that failed
}

// Ended reports whether no episode waits any more.
func (p Progress) Ended() bool { return p.Done+p.Failed+p.Deferred >= p.Episodes }

// Progress counts how many of the episodes from first to last, both included, were read.
func (s *Service) Progress(ctx context.Context, groupID string, first, last uuid.UUID) (Progress, error) {
	if err := s.admit(groupID); err != nil {
		return Progress{}, err
	}
	row, err := db.New(s.pool).EpisodeProgress(ctx, db.EpisodeProgressParams{GroupID: groupID, FirstID: first, LastID: last})
	if err != nil {
		return Progress{}, fmt.Errorf("ask how far episodes of %s have come: %w", groupID, err)
	}
	return Progress{
		Episodes: int(row.Episodes), Done: int(row.Done), Failed: int(row.Failed), Processing: int(row.Processing), Deferred: int(row.Deferred),
		CreatedAt: row.CreatedAt.UTC(), ProcessedAt: row.ProcessedAt.UTC(), Error: row.Error,
	}, nil
}
