package annals

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
)

// StandingAnswer is a question that a group keeps answered, with its present answer.
// [answer.StandingAnswer] has its fields and methods.
type StandingAnswer = answer.StandingAnswer

// The limits of standing questions: how many a group may keep, and the bytes of each.
const (
	MaxStanding = answer.MaxStanding
	MaxQuestion = answer.MaxQuestion
)

// KeepAnswer makes a group keep a question answered, and answers it as [Client.Ask] does. Of the
// question only the group, the text, Tokens and Schema may be set. The text has at most MaxQuestion
// bytes, and a group keeps at most MaxStanding questions. A question that it already keeps is
// answered again only if something in the memory bears on it.
//
// From then on the answer follows the memory. If something that it was made from changes or is
// removed, the answer is hidden in the same transaction. Workers, or [Client.Process], then answer
// the question again, as they do if something new bears on it. Otherwise no model is called.
func (c *Client) KeepAnswer(ctx context.Context, q Question) (StandingAnswer, error) {
	return changed(c, q.GroupID, func() (StandingAnswer, error) {
		id, err := c.keeper().Keep(ctx, q)
		if err != nil {
			return StandingAnswer{}, err
		}
		list, err := standing(ctx, c.source, StandingFilter{GroupID: q.GroupID, ID: id})
		if err == nil && len(list) == 0 {
			err = noAnswer(q.GroupID, id)
		}
		if err != nil {
			return StandingAnswer{}, err
		}
		return list[0], nil
	})
}

// keeper returns a keeper of answers that reads from the primary.
func (c *Client) keeper() engineKeeper {
	main, _ := c.LLMs()
	return answer.NewKeeper(c.pool, answer.New(c.searcher.Search, main), c.config.Log)
}

type engineKeeper interface {
	engine.Keeper
	Keep(context.Context, Question) (uuid.UUID, error)
}

// StandingFilter selects standing answers. Zero fields do not narrow the selection.
type StandingFilter struct {
	GroupID      string
	ID           uuid.UUID // only this one
	ValidAt      time.Time // what the answers say of this time; zero: of now
	KnownAt      time.Time // as the answers were at this time; zero: as they are now
	EveryVersion bool      // all versions, whatever KnownAt is
}

// StandingAnswers lists the standing questions of a group with their answers, in the order in which
// they were kept; several versions of one are listed oldest first.
//
// For a ValidAt the answer has the sentences and values that held at that time. If none of a
// model's sentences did, it has the passages of that time, including facts that have ended since.
func (c *Client) StandingAnswers(ctx context.Context, f StandingFilter) ([]StandingAnswer, error) {
	if err := validateTimes(f.ValidAt, f.KnownAt); err != nil {
		return nil, err
	}
	return read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]StandingAnswer, error) {
		return standing(ctx, from, f)
	})
}

func standing(ctx context.Context, from source, f StandingFilter) ([]StandingAnswer, error) {
	rows, err := db.New(from.pool).AnswerList(ctx, db.AnswerListParams{
		GroupID: f.GroupID, ID: db.Nullable(f.ID), KnownAt: db.Nullable(f.KnownAt), EveryVersion: f.EveryVersion,
	})
	if err != nil {
		return nil, fmt.Errorf("list the standing answers of %s: %w", f.GroupID, err)
	}
	list := make([]StandingAnswer, len(rows))
	for i, row := range rows {
		read := f.KnownAt
		if ended := db.Interval(row.Recorded).End; f.EveryVersion {
			read = ended
		}
		if list[i], err = answer.ReadStanding(f.GroupID, row, f.ValidAt, read); err != nil {
			return nil, fmt.Errorf("read the standing answer %s: %w", row.ID, err)
		}
	}
	return list, nil
}

// DropAnswer makes a group stop keeping a question answered. Its history stays, for reads with a
// KnownAt. It fails with [CodeNotFound] if the group does not keep it.
func (c *Client) DropAnswer(ctx context.Context, groupID string, id uuid.UUID) error {
	return c.change(groupID, func() error {
		var gone int64
		err := db.InTxBy(ctx, c.pool, func(q *db.Queries) (err error) {
			gone, err = q.AnswerDrop(ctx, db.AnswerDropParams{GroupID: groupID, ID: id})
			return err
		})
		if err != nil {
			return fmt.Errorf("drop the standing answer %s: %w", id, err)
		}
		if gone == 0 {
			return noAnswer(groupID, id)
		}
		return nil
	})
}

func noAnswer(groupID string, id uuid.UUID) error {
	return change.NotFound("answer", "group %s keeps none with the id %s; 'annals answers' lists them", groupID, id)
}

// standingAnswers returns the answers that contexts show, of all groups of a query.
func (c *Client) standingAnswers(ctx context.Context, q Query) ([]graph.Answered, error) {
	var told []graph.Answered
	for _, group := range append([]string{q.GroupID}, q.AlsoIn...) {
		list, err := c.StandingAnswers(ctx, StandingFilter{GroupID: group, ValidAt: q.ValidAt, KnownAt: q.KnownAt})
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if s.Answer != nil && s.Answer.Known() {
				told = append(told, graph.Answered{Question: s.Question, Answer: s.Answer.Text, Data: s.Answer.Data})
			}
		}
	}
	return told, nil
}
