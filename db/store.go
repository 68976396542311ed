package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// EpisodeRun holds episodes that are stored in the same way, and the groups to create for them if
// missing.
type EpisodeRun struct {
	Groups   []string
	Episodes []EpisodeInsertParams
	Expires  []*time.Time // when each of them expires; nil: never
	Again    bool         // stores what was erased before
	By       string       // who does that, in the form of [graph.Origin.Doing]; empty: the transaction says it
}

// StoreFailure says which of several groups or episodes was refused.
type StoreFailure struct {
	Group   string               // that could not be created; empty: an episode was refused
	Episode *EpisodeInsertParams // nil: a group was
	Err     error
}

// Error says what was refused.
func (f *StoreFailure) Error() string { return f.Err.Error() }

// Unwrap returns the error of the database.
func (f *StoreFailure) Unwrap() error { return f.Err }

// StoreEpisodes creates groups and stores episodes, in order and in one round trip, or two if some
// expire. It returns a row for each episode. A refusal is a [*StoreFailure]; the transaction must
// then be rolled back.
func (q *Queries) StoreEpisodes(ctx context.Context, runs []EpisodeRun) ([]EpisodeInsertRow, error) {
	stored, err := q.storeRuns(ctx, runs)
	if err != nil {
		return nil, err
	}
	return stored, q.letExpire(ctx, runs, stored)
}

// storeRuns inserts the episodes of runs. An insert returns no row if another transaction took the
// external id while this one waited, as the statement still sees the state at its start. Such an
// episode is stored once more, which returns the existing one.
func (q *Queries) storeRuns(ctx context.Context, runs []EpisodeRun) ([]EpisodeInsertRow, error) {
	var together queued
	var stored []EpisodeInsertRow
	var unseen []EpisodeRun
	var places []int // of the unseen in stored
	queue := New(&together)
	for _, run := range runs {
		if run.Again {
			_ = queue.Readmit(ctx, "on")
			if run.By != "" {
				_ = queue.OriginSet(ctx, run.By)
			}
		}
		for _, group := range run.Groups {
			_ = queue.GroupEnsure(ctx, group)
			together.then(func(rows pgx.Rows) error {
				rows.Close()
				if err := rows.Err(); err != nil {
					return &StoreFailure{Group: group, Err: err}
				}
				return nil
			})
		}
		for i := range run.Episodes {
			queue.EpisodeInsert(ctx, run.Episodes[i:i+1])
			together.then(func(rows pgx.Rows) error {
				row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[EpisodeInsertRow])
				if errors.Is(err, pgx.ErrNoRows) && run.Episodes[i].ExternalID != nil {
					unseen = append(unseen, EpisodeRun{Episodes: run.Episodes[i : i+1], Again: run.Again})
					places, err = append(places, len(stored)), nil
				}
				if err != nil {
					return &StoreFailure{Episode: &run.Episodes[i], Err: err}
				}
				stored = append(stored, row)
				return nil
			})
		}
		if run.Again {
			_ = queue.Readmit(ctx, "")
			if run.By != "" {
				_ = queue.OriginSet(ctx, "")
			}
		}
	}
	if together.batch.Len() == 0 {
		return nil, nil
	}
	if err := q.db.SendBatch(ctx, &together.batch).Close(); err != nil {
		return nil, err
	}
	rows, err := q.storeRuns(ctx, unseen)
	for i, row := range rows {
		stored[places[i]] = row
	}
	return stored, err
}

// letExpire notes when the new ones among the episodes expire.
func (q *Queries) letExpire(ctx context.Context, runs []EpisodeRun, stored []EpisodeInsertRow) (failed error) {
	var expiring []EpisodeExpiresParams
	var episodes []*EpisodeInsertParams
	n := 0
	for _, run := range runs {
		for i := range run.Episodes {
			if e, at := &run.Episodes[i], run.Expires[i]; at != nil && stored[n].Added {
				expiring = append(expiring, EpisodeExpiresParams{GroupID: e.GroupID, ID: e.ID, ExpiresAt: *at, Door: e.Door, WrittenBy: e.WrittenBy, Cap: e.Cap})
				episodes = append(episodes, e)
			}
			n++
		}
	}
	if len(expiring) == 0 {
		return nil
	}
	q.EpisodeExpires(ctx, expiring).Exec(func(i int, err error) {
		if err != nil && failed == nil {
			failed = &StoreFailure{Episode: episodes[i], Err: err}
		}
	})
	return failed
}
