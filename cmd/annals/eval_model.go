package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/model"
)

// answering holds the flags for answers by a model.
type answering struct {
	Answers      []string `json:"answers" doc:"let the model of ANNALS_LLM answer and judge, from these contexts: memory, full, summaries, recursive (one call each to answer and to judge)"`
	AnswerTokens int      `json:"answer_tokens" doc:"the most tokens of the memory's context that a model answers from; 0: no limit"`
	Repeat       int      `json:"repeat" doc:"how many times each question is answered and judged"`
	Judge        string   `json:"judge" doc:"the provider:model that judges; else the one that answers"`
	JudgeBaseURL string   `json:"judge_base_url" doc:"where the judge is reached; else where its provider is, or the model that answers if it is of the same"`
}

// validate checks the flags before any data is read.
func (n *answering) validate() error {
	for _, kind := range n.Answers {
		if !slices.Contains(answer.Kinds, answer.Kind(kind)) {
			return graph.Invalid("answers", "%q is not one of %s", kind, strings.Join(each.Of(answer.Kinds, func(k answer.Kind) string { return string(k) }), ", "))
		}
	}
	switch {
	case n.Repeat < 1:
		return graph.Invalid("repeat", "is %d; give how many times each question is answered, at least 1", n.Repeat)
	case n.AnswerTokens < 0:
		return graph.Invalid("answer-tokens", "is %d; give the most tokens of a context, or 0 for no limit", n.AnswerTokens)
	case len(n.Answers) > 0:
		return nil
	case n.Repeat > 1, n.AnswerTokens > 0, n.Judge != "", n.JudgeBaseURL != "":
		return graph.Invalid("answers", "is not set, and --repeat, --answer-tokens and --judge are of answers; say --answers memory")
	}
	return nil
}

// examiner returns an examiner with the configured model, and the same or another model as the
// judge; nil if no answers are requested. It uses the ledger, so repeated questions cost nothing.
func (a *app) examiner(ctx context.Context, where database, n answering) (*answer.Examiner, func(), error) {
	if len(n.Answers) == 0 {
		return nil, func() {}, nil
	}
	reader, judge, err := a.config.examiners(n)
	if err != nil {
		return nil, nil, err
	}
	pool, err := db.Open(ctx, where.url)
	if err != nil {
		return nil, nil, err
	}
	ledger := analyst.NewLedger(pool)
	return answer.New(answer.Settings{
		Model: examinee{reader, ledger}, Judge: examinee{judge, ledger},
		Kinds: each.Of(n.Answers, func(k string) answer.Kind { return answer.Kind(k) }), Tokens: n.AnswerTokens, Repeat: n.Repeat,
	}), pool.Close, nil
}

// examiners returns the models that answer and judge.
func (c config) examiners(n answering) (reader, judge *model.LLM, err error) {
	reader, _, err = c.llms()
	switch {
	case err != nil:
		return nil, nil, err
	case reader == nil:
		return nil, nil, graph.Invalid("answers", "need a language model, which the offline rules are not; name one with --llm or ANNALS_LLM")
	case n.Judge == "" && n.JudgeBaseURL == "":
		return reader, reader, nil
	}
	spec := cmp.Or(n.Judge, c.LLM)
	if providerOf(spec) != providerOf(c.LLM) { // its address and key are of no use for another provider
		c.LLMBaseURL, c.LLMKey = "", ""
	}
	c.LLMBaseURL = cmp.Or(n.JudgeBaseURL, c.LLMBaseURL)
	if judge, err = c.llm("judge", spec); err == nil && judge == nil {
		err = graph.Invalid("judge", "%q is no language model; write provider:model, as in openai:gpt-5-mini", spec)
	}
	return reader, judge, err
}

// examinee adapts a model to benchmarks.
type examinee struct {
	llm    *model.LLM
	ledger model.Ledger
}

// Name returns the name of the model.
func (e examinee) Name() string { return e.llm.Name() }

// at returns the model with the cache of one repetition.
func (e examinee) at(n int) *model.LLM { return e.llm.With(repetition{e.ledger, n}) }

// repetition is a ledger with separate entries for each repetition of a question. A restarted run
// finds the answers that were given.
type repetition struct {
	model.Ledger
	n int
}

// Answer looks up an answer of this repetition.
func (r repetition) Answer(ctx context.Context, groupID string, key [32]byte) (string, bool, error) {
	return r.Ledger.Answer(ctx, groupID, r.key(key))
}

// Record records a call of this repetition.
func (r repetition) Record(ctx context.Context, c model.Call) error {
	c.Key = r.key(c.Key)
	return r.Ledger.Record(ctx, c)
}

func (r repetition) key(of [32]byte) [32]byte {
	if r.n == 0 {
		return of
	}
	return sha256.Sum256(binary.BigEndian.AppendUint64(of[:], uint64(r.n)))
}

// written is a text by a model.
type written struct {
	Text string `json:"text" jsonschema:"what was asked for"`
}

// verdict is the verdict of a judge.
type verdict struct {
	Reason string `json:"reason" jsonschema:"why, in one sentence"`
	Right  bool   `json:"right" jsonschema:"whether the response is right"`
}

// Write asks the model for a text.
func (e examinee) Write(ctx context.Context, p answer.Prompt) (string, error) {
	w, err := asked(ctx, e.at(p.Repetition), p, func(w *written) error {
		if strings.TrimSpace(w.Text) == "" {
			return errors.New("the text is empty")
		}
		return nil
	})
	return w.Text, err
}

// Judge asks the model whether an answer is right.
func (e examinee) Judge(ctx context.Context, p answer.Prompt) (bool, error) {
	v, err := asked[verdict](ctx, e.at(p.Repetition), p, nil)
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
