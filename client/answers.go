package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// KeepAnswer has a group keep a question answered. Of the question only the group,
// the text, Tokens and Schema are sent.
func (c *Client) KeepAnswer(ctx context.Context, q annals.Question) (annals.StandingAnswer, error) {
	k := in(http.MethodPost, q.GroupID, "answers")
	k.body = struct {
		Query  string          `json:"query"`
		Tokens int             `json:"tokens,omitempty"`
		Schema json.RawMessage `json:"schema,omitempty"`
	}{q.Text, q.Tokens, q.Schema}
	out, _, err := send[annals.StandingAnswer](ctx, c, k)
	return out, err
}

// StandingAnswers lists the questions that a group keeps answered, with their
// answers.
func (c *Client) StandingAnswers(ctx context.Context, f annals.StandingFilter) ([]annals.StandingAnswer, error) {
	if f.ID == uuid.Nil {
		if f.EveryVersion {
			return nil, graph.Invalid("id", "is missing; over REST the versions of one standing answer are listed")
		}
		k := in(http.MethodGet, f.GroupID, "answers")
		k.set("as_of", written(f.ValidAt))
		k.set("known_at", written(f.KnownAt))
		out, _, err := send[struct {
			Answers []annals.StandingAnswer `json:"answers"`
		}](ctx, c, k)
		return out.Answers, err
	}
	if f.EveryVersion {
		out, _, err := send[struct {
			Versions []annals.StandingAnswer `json:"versions"`
		}](ctx, c, in(http.MethodGet, f.GroupID, "answers", f.ID.String(), "history"))
		return out.Versions, err
	}
	k := in(http.MethodGet, f.GroupID, "answers", f.ID.String())
	k.set("as_of", written(f.ValidAt))
	k.set("known_at", written(f.KnownAt))
	out, _, err := send[annals.StandingAnswer](ctx, c, k)
	if annals.CodeOf(err) == annals.CodeNotFound {
		return []annals.StandingAnswer{}, nil
	}
	return []annals.StandingAnswer{out}, err
}

// DropAnswer has a group keep a question answered no longer.
func (c *Client) DropAnswer(ctx context.Context, groupID string, id uuid.UUID) error {
	_, _, err := send[struct{}](ctx, c, in(http.MethodDelete, groupID, "answers", id.String()))
	return err
}
