package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/eval/answer"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// examiner asks the configured model to answer from these kinds of context; nil
// where there are none. It asks through the ledger, so that asking again costs
// nothing.
func (a *app) examiner(ctx context.Context, where database, kinds []string) (*answer.Examiner, func(), error) {
	if len(kinds) == 0 {
		return nil, func() {}, nil
	}
	contexts := make([]answer.Kind, len(kinds))
	for i, kind := range kinds {
		contexts[i] = answer.Kind(kind)
		if !slices.Contains(answer.Kinds, contexts[i]) {
			return nil, nil, graph.Invalid("answers", "%q is not one of %s", kind, strings.Join(views(answer.Kinds, func(k answer.Kind) string { return string(k) }), ", "))
		}
	}
	llm, _, err := a.config.llms()
	if err != nil {
		return nil, nil, err
	}
	if llm == nil {
		return nil, nil, graph.Invalid("answers", "need a model that answers; name one with --llm or ANNALS_LLM")
	}
	pool, err := db.Open(ctx, where.url)
	if err != nil {
		return nil, nil, err
	}
	return answer.New(examinee{llm.With(engine.NewLedger(pool))}, contexts), pool.Close, nil
}

// examinee is a model as benchmarks see it.
type examinee struct{ llm *model.LLM }

// Name returns the name of the model.
func (e examinee) Name() string { return e.llm.Name() }

// written is a text that a model wrote.
type written struct {
	Text string `json:"text" jsonschema:"what was asked for"`
}

// verdict is what a judge says.
type verdict struct {
	Reason string `json:"reason" jsonschema:"why, in one sentence"`
	Right  bool   `json:"right" jsonschema:"whether the response is right"`
}

// Write asks the model for a text.
func (e examinee) Write(ctx context.Context, p answer.Prompt) (string, error) {
	w, err := asked(ctx, e.llm, p, func(w *written) error {
		if strings.TrimSpace(w.Text) == "" {
			return errors.New("the text is empty")
		}
		return nil
	})
	return w.Text, err
}

// Judge asks the model whether an answer is right.
func (e examinee) Judge(ctx context.Context, p answer.Prompt) (bool, error) {
	v, err := asked[verdict](ctx, e.llm, p, nil)
	return v.Right, err
}

func asked[Answer any](ctx context.Context, llm *model.LLM, p answer.Prompt, check func(*Answer) error) (Answer, error) {
	ctx = model.WithSubject(ctx, model.Subject{GroupID: p.Group})
	got, err := model.Ask(ctx, llm, model.Question{Name: p.Name, Version: 1, System: p.System, User: p.User}, check)
	if err != nil {
		err = fmt.Errorf("%s: %w", p.Name, err)
	}
	return got, err
}
