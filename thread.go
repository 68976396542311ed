package annals

import (
	"context"
	"encoding/json"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/thread"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Thread is a conversation, with its summary.
type Thread = thread.Thread

// NewThread is a thread to create.
type NewThread struct {
	GroupID  string
	ID       string          // the application's name for it, at most graph.MaxName bytes
	Metadata json.RawMessage // a JSON object; nil: {}
}

// Validate validates the ID and the metadata.
func (t NewThread) Validate() error {
	if t.ID == "" {
		return graph.Invalid("thread_id", "is empty; give the conversation a name")
	}
	// A thread has the same names as those that messages give.
	return Episode{GroupID: "any", Source: graph.SourceMessage, Content: "any", ThreadID: t.ID, Metadata: t.Metadata}.Validate()
}

// ThreadFilter selects threads. Zero fields do not narrow the selection.
type ThreadFilter struct {
	GroupID string
	After   *Thread // list those after this one, the last of the page before; nil: from the first
	Limit   int     // 1 to MaxRows; zero: DefaultRows
}

// Threads lists threads, the latest first.
func (c *Client) Threads(ctx context.Context, f ThreadFilter) ([]Thread, error) {
	limit, err := c.listBounds(f.GroupID, f.Limit)
	if err != nil {
		return nil, err
	}
	return read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Thread, error) {
		return from.engine.Threads(ctx, f.GroupID, f.After, int(limit))
	})
}

// Thread returns a thread. It fails with [CodeNotFound] if the group has none of this id.
func (c *Client) Thread(ctx context.Context, groupID, threadID string) (Thread, error) {
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Thread, error) {
		return from.engine.Thread(ctx, groupID, threadID)
	})
}

// CreateThread creates a thread in an existing group. Calling it is optional: the first message
// that names a thread creates it too. It fails with [CodeConflict] if the thread exists.
func (c *Client) CreateThread(ctx context.Context, t NewThread) (Thread, error) {
	if _, err := c.Group(ctx, t.GroupID); err != nil {
		return Thread{}, err
	}
	if err := t.Validate(); err != nil {
		return Thread{}, err
	}
	defer c.wrote(t.GroupID)
	made, err := intake.CreateThread(ctx, c.pool, t.GroupID, t.ID, t.Metadata)
	if err != nil {
		return Thread{}, err
	}
	if !made {
		return Thread{}, change.Conflict("thread_id", "there is a thread %q already", t.ID)
	}
	return c.engine.Thread(ctx, t.GroupID, t.ID)
}

// UndoThread undoes all messages of a thread, as [Client.UndoAll] does, and removes the thread.
func (c *Client) UndoThread(ctx context.Context, groupID, threadID string, anyReader bool) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, groupID, undone, func(ctx context.Context) (Undone, error) {
		return c.engine.UndoThread(ctx, groupID, threadID, anyReader)
	})
}

// SummariseThread extends the summary of a thread by the messages since the last summary, and
// returns it. Processing does so by itself every twenty messages.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	return changed(c, groupID, func() (string, error) { return c.engine.SummariseThread(ctx, groupID, threadID) })
}
