package annals

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Episode is one unit of input: a message, a text or a JSON document. [graph.Episode] has its
// fields and methods.
type Episode = graph.Episode

// Stored is the id of an episode that was added, and whether it is new.
type Stored = intake.Stored

// EpisodeFilter selects episodes. Zero fields do not narrow the selection.
type EpisodeFilter struct {
	GroupID  string
	State    graph.State
	ThreadID string
	Source   graph.Source // only episodes of this kind; empty: all kinds
	Trust    graph.Trust  // believed: those not in quarantine; candidate: those in quarantine; all: both; empty: believed
	After    *Episode     // list those after this one, the last of the page before; nil: from the first
	Limit    int          // 1 to MaxRows; zero: DefaultRows
}

// Add validates an episode and stores it. From then on it survives a crash and waits to be
// processed; see [Client.Process]. If the group already has its external id, nothing is stored and
// Stored.New is false, also if another client adds it at the same time.
func (c *Client) Add(ctx context.Context, episode Episode) (Stored, error) {
	stored, err := c.AddAll(ctx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddTx adds an episode in the caller's transaction: it exists if the caller commits, and otherwise
// not. With a replica, get the [Client.LSN] after the commit and read with [ReadAfter] to see it.
func (c *Client) AddTx(ctx context.Context, tx pgx.Tx, episode Episode) (Stored, error) {
	stored, err := c.addAllTx(ctx, tx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// addAllTx adds episodes as [Client.AddAll] does, in the caller's transaction.
func (c *Client) addAllTx(ctx context.Context, tx pgx.Tx, episodes []Episode) ([]Stored, error) {
	for _, episode := range episodes {
		if err := c.admit(episode.GroupID); err != nil {
			return nil, err
		}
	}
	tx = db.BorrowTx(tx)
	return tracedAdd(ctx, episodes, func(ctx context.Context) (stored []Stored, err error) {
		store := func() (err error) {
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

// AddAll adds several episodes, in order and in one transaction: all or none.
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
			return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) (err error) {
				stored, err = intake.Store(ctx, tx, episodes)
				return err
			})
		})
		return stored, err
	})
}

// Episode returns an episode. It fails with [CodeNotFound] if the group has no such episode.
func (c *Client) Episode(ctx context.Context, groupID string, id uuid.UUID) (Episode, error) {
	episodes, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]Episode, error) {
		rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: []uuid.UUID{id}})
		episodes := each.Of(rows, db.Episode)
		return episodes, errors.Join(err, q.MarkEpisodes(ctx, groupID, nil, episodes))
	}, "read episode %s", id)
	if err != nil {
		return Episode{}, err
	}
	if len(episodes) == 0 {
		return Episode{}, change.NotFound("episode", "group %s has no episode %s; 'annals episodes' lists them", groupID, id)
	}
	return episodes[0], nil
}

// Episodes lists episodes, the latest first.
func (c *Client) Episodes(ctx context.Context, f EpisodeFilter) ([]Episode, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err == nil {
		err = f.validate()
	}
	if err != nil {
		return nil, err
	}
	return query(ctx, c, f.GroupID, func(ctx context.Context, q *db.Queries) ([]Episode, error) {
		rows, err := f.rows(ctx, q, limit)
		episodes := each.Of(rows, db.Episode)
		return episodes, errors.Join(err, q.MarkEpisodes(ctx, f.GroupID, nil, episodes))
	}, "list episodes of %s", f.GroupID)
}

func (f EpisodeFilter) validate() error {
	switch f.State {
	case "", graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed:
	default:
		return graph.Invalid("state", "%q is not one of pending, processing, done, failed", f.State)
	}
	switch f.Source {
	case "", graph.SourceMessage, graph.SourceText, graph.SourceJSON, graph.SourceRun:
	default:
		return graph.Invalid("source", "%q is not one of message, text, json, run", f.Source)
	}
	return cmp.Or(graph.ValidateText("thread", f.ThreadID, math.MaxInt), graph.ValidateTrust("trust", f.Trust))
}

func (f EpisodeFilter) rows(ctx context.Context, q *db.Queries, limit int32) ([]db.EpisodeRow, error) {
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

// EpisodeCounts returns the number of the group's episodes in each state.
func (c *Client) EpisodeCounts(ctx context.Context, groupID string) (map[graph.State]int, error) {
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.EpisodeCountsRow, error) {
		return q.EpisodeCounts(ctx, groupID)
	}, "count episodes of %s", groupID)
	return each.Map(rows, func(row db.EpisodeCountsRow) (graph.State, int) { return row.State, int(row.Episodes) }), err
}

// SetMetadata merges an object into the metadata of an episode; null removes a key.
func (c *Client) SetMetadata(ctx context.Context, groupID string, id uuid.UUID, metadata json.RawMessage) error {
	return c.edit(ctx, telemetry.UpdateMemory, groupID, func(ctx context.Context) error { return c.engine.SetMetadata(ctx, groupID, id, metadata) })
}

type (
	// Undoing selects episodes to undo.
	Undoing = undo.Undoing
	// Undone counts what undoing episodes changed.
	Undone = undo.Undone
)

// Undo undoes one episode; see [Client.UndoAll].
func (c *Client) Undo(ctx context.Context, groupID string, id uuid.UUID) (Undone, error) {
	return c.UndoAll(ctx, Undoing{GroupID: groupID, EpisodeIDs: []uuid.UUID{id}})
}

// UndoAll undoes episodes: from then on the group believes what it would believe without them. What
// only they support is removed, and what they ended holds again. The history keeps what was
// believed before. UndoAll waits for a process that works on the group, and takes as long as
// placing the later episodes anew.
//
// It fails with [CodeConflict] if another analyst read a later episode, unless Undoing.AnyReader is
// set.
func (c *Client) UndoAll(ctx context.Context, undoing Undoing) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, undoing.GroupID, undone, func(ctx context.Context) (Undone, error) { return c.engine.Undo(ctx, undoing) })
}

// TraceEntry is one decision about an episode while it was processed.
type TraceEntry = engine.TraceEntry

// Trace lists the decisions about an episode, with reasons and in order. It is empty before the
// episode is processed.
func (c *Client) Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]TraceEntry, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) ([]TraceEntry, error) {
		return from.engine.Trace(ctx, groupID, episodeID)
	})
}
