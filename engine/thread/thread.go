// Package thread lists conversations, and keeps a summary of what was said in them.
package thread

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
)

// Conversations are those of groups.
type Conversations struct {
	Pool    db.Pool
	Analyst analyst.Analyst
	Undoer  *undo.Undoer
}

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
func (c *Conversations) Threads(ctx context.Context, groupID string, after *Thread, limit int) ([]Thread, error) {
	params := db.ThreadListParams{GroupID: groupID, MaxRows: int32(limit)}
	if after != nil {
		params.AfterAt, params.AfterID = &after.LastAt, &after.ID
	}
	rows, err := db.New(c.Pool).ThreadList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list the threads of %s: %w", groupID, err)
	}
	return change.Each(rows, threadOf), nil
}

// Thread returns one conversation of a group, or a [graph.CodeNotFound].
func (c *Conversations) Thread(ctx context.Context, groupID, threadID string) (Thread, error) {
	rows, err := db.New(c.Pool).ThreadList(ctx, db.ThreadListParams{GroupID: groupID, ID: &threadID, MaxRows: 1})
	if err != nil {
		return Thread{}, fmt.Errorf("read thread %q: %w", threadID, err)
	}
	if len(rows) == 0 {
		return Thread{}, change.NotFound("thread", "group %s has none called %q; 'annals threads' lists them", groupID, threadID)
	}
	return threadOf(rows[0]), nil
}

func threadOf(row db.ThreadListRow) Thread {
	t := Thread{
		ID: row.ID, Summary: row.Summary, Messages: int(row.Messages), Unsummarised: int(row.Unsummarised), LastAt: row.LastAt.UTC(),
		Metadata: row.Metadata, CreatedAt: change.Value(row.CreatedAt).UTC(),
	}
	if row.ThroughAt != nil {
		t.SummarisedThrough, t.SummarisedAt = row.ThroughAt.UTC(), row.UpdatedAt.UTC()
	}
	return t
}

// DeleteThread undoes what was said in a conversation, as [undo.Undoer.Undo] does, and
// removes the conversation.
func (c *Conversations) DeleteThread(ctx context.Context, groupID, id string, anyReader bool) (undo.Undone, error) {
	var done undo.Undone
	if _, err := c.Thread(ctx, groupID, id); err != nil {
		return done, err
	}
	queries := db.New(c.Pool)
	said, err := queries.ThreadEpisodes(ctx, db.ThreadEpisodesParams{GroupID: groupID, ThreadID: id})
	if err != nil {
		return done, fmt.Errorf("read what was said in thread %q: %w", id, err)
	}
	if len(said) > 0 {
		if done, err = c.Undoer.Undo(ctx, undo.Deletion{GroupID: groupID, EpisodeIDs: said, AnyReader: anyReader}); err != nil {
			return done, err
		}
	}
	if _, err := queries.ThreadDelete(ctx, db.ThreadDeleteParams{GroupID: groupID, ID: id}); err != nil {
		return done, fmt.Errorf("remove thread %q: %w", id, err)
	}
	return done, nil
}
