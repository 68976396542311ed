package upkeep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
)

// Retention is how long a group keeps its episodes. The zero value keeps them all.
type Retention struct {
	MaxAge      time.Duration // since they were said; zero: unlimited
	MaxEpisodes int           // how many of the latest episodes; zero: unlimited
	AppliedAt   time.Time     // when it was last applied; zero: never. Not set by users
}

// SetRetention sets a group's policy, which workers apply once a day with the authority of whoever
// set it. The zero value removes the policy.
func SetRetention(ctx context.Context, pool db.Pool, groupID string, r Retention) error {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return err
	}
	if r.MaxAge < 0 {
		return graph.Invalid("max_age", "is negative; it must be longer than nothing")
	}
	if r.MaxEpisodes < 0 || r.MaxEpisodes > math.MaxInt32 {
		return graph.Invalid("max_episodes", "is %d; it must be 1 to %d", r.MaxEpisodes, math.MaxInt32)
	}
	err := db.InTxBy(ctx, pool, func(q *db.Queries) error {
		if r.MaxAge == 0 && r.MaxEpisodes == 0 {
			return q.RetentionDelete(ctx, groupID)
		}
		if err := q.GroupLock(ctx, groupID); err != nil { // otherwise the group could be removed between the next statements
			return err
		}
		if err := intake.EnsureGroup(ctx, q, groupID); err != nil {
			return err
		}
		return q.RetentionSet(ctx, db.RetentionSetParams{
			GroupID: groupID, MaxAgeSeconds: db.Nullable(r.MaxAge.Seconds()), MaxEpisodes: db.Nullable(int32(r.MaxEpisodes)),
		})
	})
	if err == nil || graph.CodeOf(err) != graph.CodeInternal {
		return err
	}
	return fmt.Errorf("set the retention of %s: %w", groupID, err)
}

// RetentionOf returns a group's policy, or the zero value if it has none.
func RetentionOf(ctx context.Context, pool db.Pool, groupID string) (Retention, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return Retention{}, err
	}
	row, err := db.New(pool).RetentionGet(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return Retention{}, nil
	}
	if err != nil {
		return Retention{}, fmt.Errorf("read the retention of %s: %w", groupID, err)
	}
	r := Retention{MaxAge: time.Duration(row.MaxAgeSeconds * float64(time.Second)), MaxEpisodes: int(row.MaxEpisodes)}
	if row.AppliedAt != nil {
		r.AppliedAt = row.AppliedAt.UTC()
	}
	return r, nil
}

// ApplyRetention undoes the episodes that exceed the group's policy, and removes what has expired.
// Pinned episodes stay, and so do episodes of a higher authority than the policy has. It is cheap
// if there is nothing to do.
func ApplyRetention(ctx context.Context, pool db.Pool, e *engine.Engine, groupID string, anyReader bool) (undo.Undone, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return undo.Undone{}, err
	}
	swept, err := e.Sweep(ctx, groupID)
	if err != nil {
		return undo.Undone{}, err
	}
	q := db.New(pool)
	setBy, err := q.RetentionAuthority(ctx, groupID)
	if err != nil {
		return undo.Undone{}, fmt.Errorf("find who set the retention of %s: %w", groupID, err)
	}
	ids, err := q.EpisodesPastRetention(ctx, db.EpisodesPastRetentionParams{GroupID: groupID, Authority: setBy})
	if err != nil {
		return undo.Undone{}, fmt.Errorf("find the episodes of %s that are past its retention: %w", groupID, err)
	}
	var done undo.Undone
	if len(ids) > 0 {
		ctx := graph.WithOrigin(ctx, graph.OriginOf(ctx).Capped(setBy))
		if done, err = e.Outlive(ctx, undo.Undoing{GroupID: groupID, EpisodeIDs: ids, AnyReader: anyReader}); err != nil {
			return undo.Undone{}, err
		}
	}
	if err := noteSwept(ctx, pool, groupID, len(ids)); err != nil {
		return undo.Undone{}, fmt.Errorf("note that the retention of %s was applied: %w", groupID, err)
	}
	return done.With(swept), nil
}

// noteSwept records that a policy was applied, and who removed episodes by it.
func noteSwept(ctx context.Context, pool db.Pool, groupID string, episodes int) error {
	if episodes == 0 {
		return db.New(pool).RetentionApplied(ctx, groupID)
	}
	return db.InTxBy(ctx, pool, func(q *db.Queries) error {
		return errors.Join(q.RetentionApplied(ctx, groupID), q.ChangeNote(ctx, db.ChangeNoteParams{
			GroupID: groupID, Action: "sweep", Detail: fmt.Appendf(nil, `{"episodes": %d}`, episodes),
		}))
	})
}
