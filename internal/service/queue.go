package service

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// Queue says how much waits to be read.
type Queue struct {
	Episodes int           // that wait, or are being read
	Oldest   time.Duration // how long the first of them has waited
	Groups   int           // they belong to
	Waiting  int           // jobs: groups that wait for a worker
	Running  int           // jobs that workers have, or had when they died
	Retrying int           // jobs that failed and are tried again
}

// Queue asks how much waits to be read in all groups.
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

// Progress says how many of a range of a group's episodes were read.
type Progress struct {
	Episodes    int
	Done        int
	Failed      int
	Processing  int
	Deferred    int       // that wait for nothing
	CreatedAt   time.Time // of the first
	ProcessedAt time.Time // of the last that is done
	Error       string    // of one that failed
}

// Ended reports whether nothing of it waits any more.
func (p Progress) Ended() bool { return p.Done+p.Failed+p.Deferred >= p.Episodes }

// Progress says how many of the episodes between two, both included, were read.
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
