package annals

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/thread"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Thread is a conversation and what was said in it, in short.
type Thread = thread.Thread

// NewThread is a conversation before anything is said in it.
type NewThread struct {
	GroupID  string
	ID       string          // your own name for it, at most graph.MaxName bytes
	Metadata json.RawMessage // a JSON object; nil: {}
}

// Validate checks the name and the metadata.
func (t NewThread) Validate() error {
	if t.ID == "" {
		return graph.Invalid("thread_id", "is empty; give the conversation a name")
	}
	if err := graph.ValidateText("thread_id", t.ID, graph.MaxName); err != nil {
		return err
	}
	return graph.ValidateObject("metadata", t.Metadata)
}

// ThreadFilter chooses conversations. Fields that are zero do not narrow the choice.
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
	return read(ctx, c, groupID, func(ctx context.Context, from source) (Thread, error) {
		return from.engine.Thread(ctx, groupID, threadID)
	})
}

// CreateThread makes a conversation of a group that is there. There is no need
// to: the first message that names one makes it too. One that is there already
// is a [CodeConflict].
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
		return Thread{}, &Error{Code: CodeConflict, Field: "thread_id", Message: fmt.Sprintf("there is a thread %q already", t.ID)}
	}
	return c.engine.Thread(ctx, t.GroupID, t.ID)
}

// UndoThread undoes what was said in a conversation, as [Client.UndoAll]
// does, and removes the conversation.
func (c *Client) UndoThread(ctx context.Context, groupID, threadID string, anyReader bool) (Undone, error) {
	return edited(ctx, c, telemetry.DeleteMemory, groupID, undone, func(ctx context.Context) (Undone, error) {
		return c.engine.UndoThread(ctx, groupID, threadID, anyReader)
	})
}

// SummariseThread extends the summary of a conversation by what was said since
// it was last summarised, and returns it. Processing does so by itself every
// twenty messages.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	return changed(c, groupID, func() (string, error) { return c.engine.SummariseThread(ctx, groupID, threadID) })
}
