package annals

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// Thread is a conversation and what was said in it, in short.
type Thread = engine.Thread

// NewThread is a conversation before anything is said in it.
type NewThread struct {
	GroupID  string
	ID       string          // your own name for it, at most graph.MaxName bytes
	Metadata json.RawMessage // a JSON object; nil: {}
}

// ThreadFilter chooses conversations. Its zero fields choose nothing out.
type ThreadFilter struct {
	GroupID string
	After   *Thread // that come after this one, the last that was listed; nil: from the first
	Limit   int     // 1 to MaxRows; zero: DefaultRows
}

// Threads lists conversations, the latest first.
func (c *Client) Threads(ctx context.Context, f ThreadFilter) ([]Thread, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	return read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Thread, error) {
		return from.engine.Threads(ctx, f.GroupID, f.After, int(limit))
	})
}

// Thread returns one conversation, or a [CodeNotFound].
func (c *Client) Thread(ctx context.Context, groupID, threadID string) (Thread, error) {
	if err := c.admit(groupID); err != nil {
		return Thread{}, err
	}
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Thread, error) {
		return from.engine.Thread(ctx, groupID, threadID)
	})
}

// CreateThread makes a conversation of a group that is there. There is no need
// to: the first message that names one makes it too. One that is there already
// is a [CodeConflict].
func (c *Client) CreateThread(ctx context.Context, t NewThread) (Thread, error) {
	if err := c.checkThread(ctx, t); err != nil {
		return Thread{}, err
	}
	defer c.wrote(t.GroupID)
	if err := makeThread(ctx, c.pool, t); err != nil {
		return Thread{}, err
	}
	return c.engine.Thread(ctx, t.GroupID, t.ID)
}

func (c *Client) checkThread(ctx context.Context, t NewThread) error {
	if _, err := c.Group(ctx, t.GroupID); err != nil {
		return err
	}
	if t.ID == "" {
		return graph.Invalid("thread_id", "is empty; give the conversation a name")
	}
	if err := graph.ValidateText("thread_id", t.ID, graph.MaxName); err != nil {
		return err
	}
	return graph.ValidateObject("metadata", t.Metadata)
}

func makeThread(ctx context.Context, q db.DBTX, t NewThread) error {
	made, err := engine.CreateThread(ctx, q, t.GroupID, t.ID, t.Metadata)
	if err != nil {
		return err
	}
	if !made {
		return threadThere(t.ID)
	}
	return nil
}

func threadThere(id string) error {
	return &Error{Code: CodeConflict, Field: "thread_id", Message: fmt.Sprintf("there is a thread %q already", id)}
}

// DeleteThread takes back what was said in a conversation, as
// [Client.DeleteEpisodes] does, and removes it.
func (c *Client) DeleteThread(ctx context.Context, groupID, threadID string, anyReader bool) (Undone, error) {
	if err := c.admit(groupID); err != nil {
		return Undone{}, err
	}
	defer c.wrote(groupID)
	return c.engine.DeleteThread(ctx, groupID, threadID, anyReader)
}

// Messages lists what was said in a conversation, from the beginning.
func (c *Client) Messages(ctx context.Context, groupID, threadID string, skip, limit int) ([]Episode, error) {
	maxRows, err := c.listBounds(groupID, limit)
	if err != nil {
		return nil, err
	}
	rows, err := db.New(c.pool).ThreadMessages(ctx, db.ThreadMessagesParams{
		GroupID: groupID, ThreadID: threadID, Skip: int32(max(0, min(skip, 1<<30))), MaxRows: maxRows,
	})
	if err != nil {
		return nil, fmt.Errorf("list what was said in thread %q: %w", threadID, err)
	}
	episodes := make([]Episode, len(rows))
	for i, row := range rows {
		episodes[i] = db.Episode(groupID, db.EpisodeListRow(row))
	}
	return episodes, nil
}
