package client

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// KeepAnswer stores a question whose answer the group keeps up to date. It sends
// only the group, text, Tokens and Schema of the question.
func (c *Client) KeepAnswer(ctx context.Context, q annals.Question) (annals.StandingAnswer, error) {
	k := in(http.MethodPost, q.GroupID, "answers").saying(input.Say[input.StandingQuestion](q))
	return get(ctx, c, k, itself[annals.StandingAnswer])
}

// StandingAnswers lists the standing questions of a group with their answers.
// EveryVersion needs an ID.
func (c *Client) StandingAnswers(ctx context.Context, f annals.StandingFilter) ([]annals.StandingAnswer, error) {
	k := in(http.MethodGet, f.GroupID, "answers").asking(input.Say[input.Times](f))
	switch {
	case f.ID == uuid.Nil && f.EveryVersion:
		return nil, graph.Invalid("id", "is missing; over REST the versions of one standing answer are listed")
	case f.ID == uuid.Nil:
		return member[[]annals.StandingAnswer](ctx, c, k, "answers")
	case f.EveryVersion:
		return member[[]annals.StandingAnswer](ctx, c, in(http.MethodGet, f.GroupID, "answers", f.ID.String(), "history"), "versions")
	}
	k.path = append(k.path, f.ID.String())
	out, _, err := send[annals.StandingAnswer](ctx, c, k)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return []annals.StandingAnswer{}, nil
	}
	return []annals.StandingAnswer{out}, err
}

// DropAnswer makes a group stop keeping a question answered. Its history stays.
func (c *Client) DropAnswer(ctx context.Context, groupID string, id uuid.UUID) error {
	_, _, err := send[struct{}](ctx, c, in(http.MethodDelete, groupID, "answers", id.String()))
	return err
}
