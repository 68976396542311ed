package annals

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Episode is one raw unit of what was taken in: a message, a text, a JSON document.
// [graph.Episode] has its fields and methods.
type Episode = graph.Episode

// Stored says whether an episode that was added is new, and its id.
type Stored = intake.Stored

// EpisodeFilter chooses episodes. Fields that are zero do not narrow the choice.
type EpisodeFilter struct {
	GroupID  string
	State    graph.State
	ThreadID string
	Source   graph.Source // only what is of this kind; empty: everything
	Trust    graph.Trust  // which to list: believed, without what is in quarantine; candidate, that alone; all; empty: believed
	After    *Episode     // that come after this one, the last that was listed; nil: from the first
	Limit    int          // 1 to MaxRows; zero: DefaultRows
}

// Add validates an episode and stores it. It is then safe, and waits to be
// processed; see [Client.Process]. An external id that the group already has
// changes nothing, also while somebody else adds it: Stored.New is false.
func (c *Client) Add(ctx context.Context, episode Episode) (Stored, error) {
	stored, err := c.AddAll(ctx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddTx is [Client.Add] within the caller's transaction: the episode is there
// when, and only when, the caller commits. With a replica, [Client.LSN] after
// the commit is the place that reads must demand, by [ReadAfter], to see it.
func (c *Client) AddTx(ctx context.Context, tx pgx.Tx, episode Episode) (Stored, error) {
	stored, err := c.addAllTx(ctx, tx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// addAllTx is [Client.AddAll] within the caller's transaction.
func (c *Client) addAllTx(ctx context.Context, tx pgx.Tx, episodes []Episode) ([]Stored, error) {
	for _, episode := range episodes {
		if err := c.admit(episode.GroupID); err != nil {
			return nil, err
		}
	}
	tx = db.BorrowTx(tx)
	return tracedAdd(ctx, episodes, func(ctx context.Context) (stored []Stored, err error) {
		store := func() error {
			var err error
			stored, err = intake.Store(ctx, tx, episodes)
			return err
		}
		if c.tenant == "" {
			err = store()
		} else {
			err = db.InTenant(ctx, tx, c.tenant, store)
		}
		return stored, err
	})
}

// AddAll stores several episodes, in order and in one transaction: all or none.
func (c *Client) AddAll(ctx context.Context, episodes []Episode) ([]Stored, error) {
	groups := make([]string, len(episodes))
	for i, episode := range episodes {
		if err := c.admit(episode.GroupID); err != nil {
			return nil, err
		}
		groups[i] = episode.GroupID
	}
	defer c.wrote(groups...)
	return tracedAdd(ctx, episodes, func(ctx context.Context) (stored []Stored, err error) {
		err = db.Retrying(ctx, func() error {
			return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
				var err error
				stored, err = intake.Store(ctx, tx, episodes)
				return err
			})
		})
		return stored, err
	})
}

// Episode returns one episode, or a [CodeNotFound].
func (c *Client) Episode(ctx context.Context, groupID string, id uuid.UUID) (Episode, error) {
	if err := c.admit(groupID); err != nil {
		return Episode{}, err
	}
	episodes, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]Episode, error) {
		q := db.New(from.pool)
		rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		episodes := each.Of(rows, db.Episode)
		return episodes, errors.Join(err, q.MarkEpisodes(ctx, groupID, nil, episodes))
	})
	if err != nil {
		return Episode{}, fmt.Errorf("read episode %s: %w", id, err)
	}
	if len(episodes) == 0 {
		return Episode{}, &Error{
			Code: CodeNotFound, Field: "episode",
			Message: fmt.Sprintf("group %s has no episode %s; 'annals episodes' lists them", groupID, id),
		}
	}
	return episodes[0], nil
}

// Episodes lists episodes, the latest first.
func (c *Client) Episodes(ctx context.Context, f EpisodeFilter) ([]Episode, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	episodes, err := read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Episode, error) {
		q := db.New(from.pool)
		rows, err := f.rows(ctx, q, limit)
		episodes := each.Of(rows, db.Episode)
		return episodes, errors.Join(err, q.MarkEpisodes(ctx, f.GroupID, nil, episodes))
	})
	if err != nil {
		return nil, fmt.Errorf("list episodes of %s: %w", f.GroupID, err)
	}
	return episodes, nil
}

func (f EpisodeFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.EpisodeRow, error) {
	if err := graph.ValidateTrust("trust", f.Trust); err != nil {
		return nil, err
	}
	trust := string(cmp.Or(f.Trust, graph.TrustBelieved))
	var beforeAt *time.Time // the latest come first
	var beforeID *uuid.UUID
	if f.After != nil {
		beforeAt, beforeID = &f.After.OccurredAt, &f.After.ID
	}
	source := db.Nullable(f.Source)
	switch {
	case f.ThreadID != "":
		return q.EpisodeListOfThread(ctx, db.EpisodeListOfThreadParams{
			GroupID: f.GroupID, ThreadID: f.ThreadID, State: db.Nullable(f.State), Source: source, BeforeAt: beforeAt, BeforeID: beforeID, Trust: trust, MaxRows: limit,
		})
	case f.State != "" && f.State != graph.StateDone:
		return q.EpisodeListUnread(ctx, db.EpisodeListUnreadParams{
			GroupID: f.GroupID, State: f.State, Source: source, BeforeAt: beforeAt, BeforeID: beforeID, Trust: trust, MaxRows: limit,
		})
	}
	return q.EpisodeList(ctx, db.EpisodeListParams{
		GroupID: f.GroupID, Done: f.State == graph.StateDone, Source: source, BeforeAt: beforeAt, BeforeID: beforeID, Trust: trust, MaxRows: limit,
	})
}

// EpisodeCounts says how many of the group's episodes are in each state.
func (c *Client) EpisodeCounts(ctx context.Context, groupID string) (map[graph.State]int, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]db.EpisodeCountsRow, error) {
		return db.New(from.pool).EpisodeCounts(ctx, groupID)
	})
	if err != nil {
		return nil, fmt.Errorf("count episodes of %s: %w", groupID, err)
	}
	counts := map[graph.State]int{}
	for _, row := range rows {
		counts[row.State] = int(row.Episodes)
	}
	return counts, nil
}

// SetMetadata merges an object into the metadata of an episode; null removes a
// key.
func (c *Client) SetMetadata(ctx context.Context, groupID string, id uuid.UUID, metadata json.RawMessage) error {
	return c.edit(ctx, telemetry.UpdateMemory, groupID, func(ctx context.Context) error { return c.engine.SetMetadata(ctx, groupID, id, metadata) })
}

type (
	// Undoing names episodes to undo.
	Undoing = undo.Undoing
	// Undone says what undoing episodes did.
	Undone = undo.Undone
)

// Undo undoes one episode; see [Client.UndoAll].
func (c *Client) Undo(ctx context.Context, groupID string, id uuid.UUID) (Undone, error) {
	return c.UndoAll(ctx, Undoing{GroupID: groupID, EpisodeIDs: []uuid.UUID{id}})
}

// UndoAll undoes episodes: the group believes what it would had they never
// come. What only they support goes, what they ended holds on, and the
// history keeps what was believed until now. It waits for a process that is
// working on the group, and costs as much as placing the later episodes anew.
//
// Later episodes that another analyst read are refused with [CodeConflict],
// unless Undoing.AnyReader is set.
func (c *Client) UndoAll(ctx context.Context, undoing Undoing) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, undoing.GroupID, undone, func(ctx context.Context) (Undone, error) { return c.engine.Undo(ctx, undoing) })
}

// TraceEntry is one decision taken about an episode on its way into the graph.
type TraceEntry = engine.TraceEntry

// Trace says what was decided about an episode and why, in order. It is empty
// before the episode was processed.
func (c *Client) Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]TraceEntry, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) ([]TraceEntry, error) {
		return from.engine.Trace(ctx, groupID, episodeID)
	})
}
