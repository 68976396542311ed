package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/annalsdb/annals"
)

// Ask answers a question from what a memory has, and from nothing else.
func (c *Client) Ask(ctx context.Context, q annals.Question) (annals.Answer, error) {
	k := in(http.MethodPost, q.GroupID, "ask")
	k.body = struct {
		annals.QueryInput
		Tokens int             `json:"tokens,omitempty"`
		Schema json.RawMessage `json:"schema,omitempty"`
	}{inputOfQuery(q.Query), q.Tokens, q.Schema}
	out, _, err := send[annals.Answer](ctx, c, k)
	return out, err
}
