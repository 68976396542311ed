package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// errThreadChanged says that what a summary was made of changed meanwhile: a
// message was removed, a fact that one of them states was withdrawn, or somebody
// else summarised the thread. Stored all the same, it would bring back what is gone.
var errThreadChanged = errors.New("the thread changed while it was being summarised")

// telling is a thread as it is told in short: what the summary says so far, and
// what was said since.
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
		GroupID: groupID, ThreadID: threadID, AfterAt: t.thread.ThroughAt, AfterID: t.thread.ThroughID, MaxRows: threadStep,
	})
	if err != nil {
		return t, fmt.Errorf("read what was said in thread %q: %w", threadID, err)
	}
	return t, nil
}

// holds reports whether a summary of what was told then is one of what is told
// now. Messages that came meanwhile are left to the next.
func (t telling) holds(now telling) bool {
	return t.thread.Summary == now.thread.Summary && t.thread.ThroughID == now.thread.ThroughID && len(t.news) <= len(now.news) &&
		slices.EqualFunc(t.news, now.news[:len(t.news)], func(a, b db.ThreadNewsRow) bool { return a.ID == b.ID && a.TakenBack == b.TakenBack })
}

// summariseThread goes on as long as there are at least so many new messages. It
// begins anew where the thread changed meanwhile; if it keeps changing, the rest
// is left to the next time.
func (e *Engine) summariseThread(ctx context.Context, groupID, threadID string, least int) (string, error) {
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	for lost := 0; ; {
		t, err := tellingOf(ctx, db.New(e.pool), groupID, threadID)
		if err != nil {
			return "", err
		}
		if len(t.news) < least || lost == resolveAttempts {
			return t.thread.Summary, nil
		}
		err = e.extendThread(ctx, groupID, threadID, t)
		if errors.Is(err, errThreadChanged) {
			lost++
			continue
		}
		if err != nil {
			return "", err
		}
	}
}

func (e *Engine) extendThread(ctx context.Context, groupID, threadID string, t telling) error {
	question := prompts.SummariseThread{Summary: t.thread.Summary, Limit: threadSummaryLimit}
	for _, row := range t.news {
		if row.TakenBack == graph.TakenBackWhole {
			continue
		}
		message := messageOf(graph.Episode{Actor: row.Actor, Role: row.Role, Content: cut(row.Content, maxThreadMessage), OccurredAt: row.OccurredAt})
		message.Note = graph.TakenBackNote(row.TakenBack)
		question.Messages = append(question.Messages, message)
	}
	text := t.thread.Summary
	if len(question.Messages) > 0 {
		answer, err := e.analyst.SummariseThread(ctx, question)
		if err != nil {
			return analysed(ctx, "summarise the thread", err)
		}
		if said, ok := cleanText(answer.Summary, 2*threadSummaryLimit); ok { // an answer without words adds nothing
			text = said
		}
	}
	return e.storeThread(ctx, groupID, threadID, text, t)
}

// storeThread stores a summary unless what it was made of changed. What takes
// something out of a group holds the group's lock meanwhile.
func (e *Engine) storeThread(ctx context.Context, groupID, threadID, text string, t telling) error {
	return db.InTx(ctx, e.pool, func(q *db.Queries) error {
		if err := q.GroupLock(ctx, groupID); err != nil {
			return err
		}
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
