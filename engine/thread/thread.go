// Package thread lists conversations and keeps their summaries.
package thread

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// Conversations lists, summarises and undoes the conversations of groups.
type Conversations struct {
	Pool    db.Pool
	Analyst analyst.Analyst
	Undoer  *undo.Undoer
}

// Thread is a conversation with its summary.
type Thread struct {
	ID           string
	Summary      string
	Messages     int
	Unsummarised int // messages since the summary
	LastAt       time.Time

	Metadata          json.RawMessage // of the application
	CreatedAt         time.Time       // zero: there are only messages
	SummarisedAt      time.Time       // when the summary was last extended; zero: there is none
	SummarisedThrough time.Time       // when the last summarised message was said; zero: none
}

// Threads lists the conversations of a group, the latest first, starting after a given one.
func (c *Conversations) Threads(ctx context.Context, groupID string, after *Thread, limit int) ([]Thread, error) {
	params := db.ThreadListParams{GroupID: groupID, MaxRows: int32(limit)}
	if after != nil {
		params.AfterAt, params.AfterID = &after.LastAt, &after.ID
	}
	rows, err := db.New(c.Pool).ThreadList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list the threads of %s: %w", groupID, err)
	}
	return each.Of(rows, threadOf), nil
}

// Thread returns one conversation of a group, or a [graph.CodeNotFound].
func (c *Conversations) Thread(ctx context.Context, groupID, threadID string) (Thread, error) {
	if err := graph.ValidateText("thread", threadID, math.MaxInt); err != nil {
		return Thread{}, err
	}
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

// UndoThread undoes the messages of a conversation, as [undo.Undoer.Undo] does, and removes the
// conversation.
func (c *Conversations) UndoThread(ctx context.Context, groupID, id string, anyReader bool) (undo.Undone, error) {
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
		if done, err = c.Undoer.Undo(ctx, undo.Undoing{GroupID: groupID, EpisodeIDs: said, AnyReader: anyReader}); err != nil {
			return done, err
		}
	}
	if _, err := queries.ThreadDelete(ctx, db.ThreadDeleteParams{GroupID: groupID, ID: id}); err != nil {
		return done, fmt.Errorf("remove thread %q: %w", id, err)
	}
	return done, nil
}

// errThreadChanged reports that, while the thread was summarised, a message was removed, a fact
// withdrawn, or another summary stored. Storing the summary would bring back what was removed.
var errThreadChanged = errors.New("the thread changed while it was being summarised")

const (
	step         = 20   // new messages after which a summary is extended automatically
	summaryLimit = 1000 // bytes of a summary
	maxMessage   = 1000 // bytes of a message that are read for the summary
	attempts     = 3    // if the thread changes meanwhile
)

// SummariseThread extends the summary of a conversation by the messages since the last summary, a
// few at a time, and returns it.
func (c *Conversations) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	if err := cmp.Or(graph.ValidateGroupID(groupID), graph.ValidateText("thread", threadID, math.MaxInt)); err != nil {
		return "", err
	}
	return c.summarise(ctx, groupID, threadID, 1)
}

// Tend extends the summaries of threads, each for every step new messages, after so many of each
// were read. A summary that a model refuses is asked for again when there are step more.
func (c *Conversations) Tend(ctx context.Context, groupID string, threads map[string]int) error {
	for _, id := range slices.Sorted(maps.Keys(threads)) {
		due, err := c.due(ctx, groupID, id, threads[id])
		if err == nil && due {
			_, err = c.summarise(ctx, groupID, id, step)
		}
		if err != nil {
			return fmt.Errorf("thread %q: %w", id, err)
		}
	}
	return nil
}

// due reports whether the messages just read complete a step of those since the summary. Messages
// that wait do not count, as they are read later.
func (c *Conversations) due(ctx context.Context, groupID, id string, read int) (bool, error) {
	n, err := db.New(c.Pool).ThreadReadSince(ctx, db.ThreadReadSinceParams{GroupID: groupID, ThreadID: id})
	return int(n)/step > (int(n)-read)/step, err
}

// telling is the summary of a thread so far, with the messages since.
type telling struct {
	thread db.ThreadGetRow
	news   []db.ThreadNewsRow
}

func tellingOf(ctx context.Context, q *db.Queries, groupID, threadID string) (telling, error) {
	var t telling
	var err error
	t.thread, err = q.ThreadGet(ctx, db.ThreadGetParams{GroupID: groupID, ID: threadID})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return t, fmt.Errorf("read thread %q: %w", threadID, err)
	}
	t.news, err = q.ThreadNews(ctx, db.ThreadNewsParams{
		GroupID: groupID, ThreadID: threadID, AfterAt: t.thread.ThroughAt, AfterID: t.thread.ThroughID, MaxRows: step,
	})
	if err != nil {
		return t, fmt.Errorf("read what was said in thread %q: %w", threadID, err)
	}
	return t, nil
}

// holds reports whether a summary made of t still fits the thread. Later messages are left to the
// next summary.
func (t telling) holds(now telling) bool {
	return t.thread.Summary == now.thread.Summary && t.thread.ThroughID == now.thread.ThroughID && len(t.news) <= len(now.news) &&
		slices.EqualFunc(t.news, now.news[:len(t.news)], func(a, b db.ThreadNewsRow) bool { return a.ID == b.ID && a.TakenBack == b.TakenBack })
}

// summarise extends the summary while there are at least least new messages. If the thread keeps
// changing, the rest is left to the next time.
func (c *Conversations) summarise(ctx context.Context, groupID, threadID string, least int) (string, error) {
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	for lost := 0; ; {
		t, err := tellingOf(ctx, db.New(c.Pool), groupID, threadID)
		if err != nil {
			return "", err
		}
		if len(t.news) < least || lost == attempts {
			return t.thread.Summary, nil
		}
		err = c.extend(ctx, groupID, threadID, t)
		if errors.Is(err, errThreadChanged) {
			lost++
			continue
		}
		if err != nil {
			return "", err
		}
	}
}

func (c *Conversations) extend(ctx context.Context, groupID, threadID string, t telling) error {
	question := prompts.SummariseThread{Summary: t.thread.Summary, Limit: summaryLimit}
	for _, row := range t.news {
		if row.TakenBack == graph.TakenBackWhole {
			continue
		}
		message := analyst.MessageOf(graph.Episode{Actor: row.Actor, Role: row.Role, Content: wording.Cut(row.Content, maxMessage), OccurredAt: row.OccurredAt.UTC()})
		message.Note = graph.TakenBackNote(row.TakenBack)
		question.Messages = append(question.Messages, message)
	}
	text := t.thread.Summary
	if len(question.Messages) > 0 {
		answer, err := c.Analyst.SummariseThread(ctx, question)
		if err != nil {
			return analyst.Failed(ctx, "summarise the thread", err)
		}
		if said, ok := wording.Sentence(answer.Summary, 2*summaryLimit); ok { // an empty answer adds nothing
			text = said
		}
	}
	return c.store(ctx, groupID, threadID, text, t)
}

// store stores a summary unless its thread changed. Whoever removes messages holds the same lock.
func (c *Conversations) store(ctx context.Context, groupID, threadID, text string, t telling) error {
	return change.Locked(ctx, c.Pool, groupID, func(q *db.Queries) error {
		now, err := tellingOf(ctx, q, groupID, threadID)
		if err != nil {
			return err
		}
		if !t.holds(now) {
			return errThreadChanged
		}
		last := t.news[len(t.news)-1]
		err = q.ThreadUpsert(ctx, db.ThreadUpsertParams{
			GroupID: groupID, ID: threadID, Summary: text, ThroughAt: last.OccurredAt, ThroughID: last.ID,
		})
		if err != nil {
			return fmt.Errorf("store the summary of thread %q: %w", threadID, err)
		}
		return nil
	})
}
