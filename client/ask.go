package client

import (
	"context"
	"net/http"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// Ask answers a question from the contents of a memory alone.
func (c *Client) Ask(ctx context.Context, q annals.Question) (annals.Answer, error) {
	return get(ctx, c, in(http.MethodPost, q.GroupID, "ask").saying(struct {
		annals.QueryInput
		input.Asking
	}{inputOfQuery(q.Query), input.Say[input.Asking](q)}), itself[annals.Answer])
}
