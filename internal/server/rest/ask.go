package rest

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// AskingQuery is the body of a question. It may have all fields of a search.
type AskingQuery struct {
	annals.QueryInput
	input.Asking
}

func (a *api) asking() {
	add(a, op("ask", "POST", "/v1/groups/{group}/ask", []string{"search"}, "Answer a question from what the memory has, with citations"),
		func(ctx context.Context, in *struct {
			InGroup
			Body AskingQuery
		},
		) (*body[annals.Answer], error) {
			return answer(a.ask(ctx, in.Group, in.Body))
		})
}

func (a *api) ask(ctx context.Context, group string, in AskingQuery) (annals.Answer, error) {
	built, err := a.query(ctx, group, in.QueryInput)
	if err != nil {
		return annals.Answer{}, err
	}
	client, err := a.server.ClientOver(ctx, append([]string{group}, in.AlsoIn...))
	if err != nil {
		return annals.Answer{}, err
	}
	q, err := input.Read(in.Asking, annals.Question{Query: built})
	if err != nil {
		return annals.Answer{}, err
	}
	return client.Ask(ctx, q)
}
