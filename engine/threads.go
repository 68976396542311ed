package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

const (
	threadStep         = 20   // new messages after which a thread's summary is extended by itself
	threadSummaryLimit = 1000 // bytes of a thread's summary
	maxThreadMessage   = 1000 // bytes of a message that are read for it
)

// Thread is a conversation and what was said in it, in short.
type Thread struct {
	ID           string
	Summary      string
	Messages     int
	Unsummarised int // messages since the summary
	LastAt       time.Time

	Metadata          json.RawMessage // what the application keeps with it
	CreatedAt         time.Time       // zero: only messages name it
	SummarisedAt      time.Time       // when its summary was last extended; zero: it has none
	SummarisedThrough time.Time       // when the last summarised message was said; zero: none
}

// Threads lists the conversations of a group, the latest first, from the one
// after that which was listed last; nil: from the first.
func (e *Engine) Threads(ctx context.Context, groupID string, after *Thread, limit int) ([]Thread, error) {
	params := db.ThreadListParams{GroupID: groupID, MaxRows: int32(limit)}
	if after != nil {
		params.AfterAt, params.AfterID = &after.LastAt, &after.ID
	}
	rows, err := db.New(e.pool).ThreadList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list the threads of %s: %w", groupID, err)
	}
	threads := make([]Thread, len(rows))
	for i, row := range rows {
		threads[i] = threadOf(row)
	}
	return threads, nil
}

// Thread returns one conversation of a group, or a [graph.CodeNotFound].
func (e *Engine) Thread(ctx context.Context, groupID, threadID string) (Thread, error) {
	rows, err := db.New(e.pool).ThreadList(ctx, db.ThreadListParams{GroupID: groupID, ID: &threadID, MaxRows: 1})
	if err != nil {
		return Thread{}, fmt.Errorf("read thread %q: %w", threadID, err)
	}
	if len(rows) == 0 {
		return Thread{}, &graph.Error{
			Code: graph.CodeNotFound, Field: "thread",
			Message: fmt.Sprintf("group %s has none called %q; 'annals threads' lists them", groupID, threadID),
		}
	}
	return threadOf(rows[0]), nil
}

func threadOf(row db.ThreadListRow) Thread {
	t := Thread{
		ID: row.ID, Summary: row.Summary, Messages: int(row.Messages), Unsummarised: int(row.Unsummarised), LastAt: row.LastAt.UTC(),
		Metadata: row.Metadata,
	}
	if row.CreatedAt != nil {
		t.CreatedAt = row.CreatedAt.UTC()
	}
	if row.ThroughAt != nil {
		t.SummarisedThrough, t.SummarisedAt = row.ThroughAt.UTC(), row.UpdatedAt.UTC()
	}
	return t
}

// CreateThread makes a conversation, and reports whether it was not there before.
func CreateThread(ctx context.Context, q db.DBTX, groupID, id string, metadata json.RawMessage) (bool, error) {
	made, err := db.New(q).ThreadCreate(ctx, db.ThreadCreateParams{GroupID: groupID, ID: id, Metadata: object(metadata)})
	if refused := refusal(err); refused != nil {
		return false, refused
	}
	if err != nil {
		return false, fmt.Errorf("make thread %q: %w", id, err)
	}
	return made > 0, nil
}

// DeleteThread undoes what was said in a conversation, as [Engine.Undo] does, and
// removes the conversation.
func (e *Engine) DeleteThread(ctx context.Context, groupID, id string, anyReader bool) (Undone, error) {
	if _, err := e.Thread(ctx, groupID, id); err != nil {
		return Undone{}, err
	}
	queries := db.New(e.pool)
	said, err := queries.ThreadEpisodes(ctx, db.ThreadEpisodesParams{GroupID: groupID, ThreadID: id})
	if err != nil {
		return Undone{}, fmt.Errorf("read what was said in thread %q: %w", id, err)
	}
	var done Undone
	if len(said) > 0 {
		if done, err = e.Undo(ctx, Deletion{GroupID: groupID, EpisodeIDs: said, AnyReader: anyReader}); err != nil {
			return done, err
		}
	}
	if _, err := queries.ThreadDelete(ctx, db.ThreadDeleteParams{GroupID: groupID, ID: id}); err != nil {
		return done, fmt.Errorf("remove thread %q: %w", id, err)
	}
	return done, nil
}

// summariseThreads extends the summaries of those threads in which much was
// said since. A model that fails leaves them for the next time.
func (e *Engine) summariseThreads(ctx context.Context, groupID string, threads map[string]bool) error {
	for _, id := range slices.Sorted(maps.Keys(threads)) {
		_, err := e.summariseThread(ctx, groupID, id, threadStep)
		var analysis *analysisError
		if errors.As(err, &analysis) {
			e.log.WarnContext(ctx, "thread not summarised", "group", groupID, "thread", id, "error", err)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SummariseThread extends the summary of a conversation by what was said since
// it was last summarised, a few messages at a time, and returns it.
func (e *Engine) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return "", err
	}
	return e.summariseThread(ctx, groupID, threadID, 1)
}
