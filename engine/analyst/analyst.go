// Package analyst puts the questions of package prompts to language models. It separates failures
// that an answer caused from other errors, and stores every call in the ledger.
package analyst

import (
	"context"
	"errors"
	"net/http"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// Analyst answers the questions of the pipeline that take judgement. Everything else is code.
//
// An answer is checked before it is used: ids that name nothing are dropped,
// and the trace says so. An error leaves the episode stored, failed, with the
// error, to be retried. Implementations must be safe for concurrent use.
type Analyst interface {
	// Name returns the model as provider:model, or "offline" for the rules.
	Name() string

	// The questions about an episode, in the order in which they are asked.
	ExtractEntities(context.Context, prompts.ExtractEntities) (prompts.ExtractedEntities, error)
	ReviewEntities(context.Context, prompts.ReviewEntities) (prompts.ReviewedEntities, error)
	ResolveEntities(context.Context, prompts.ResolveEntities) (prompts.ResolvedEntities, error)
	ExtractFacts(context.Context, prompts.ExtractFacts) (prompts.ExtractedFacts, error)
	ResolveFacts(context.Context, prompts.ResolveFacts) (prompts.ResolvedFacts, error)
	SummariseEntities(context.Context, prompts.SummariseEntities) (prompts.EntitySummaries, error)

	// The dates of a single fact that is added without any; see AddTriple of package engine.
	ExtractDates(context.Context, prompts.ExtractDates) (prompts.ExtractedDates, error)

	// The questions about many episodes.
	SummariseThread(context.Context, prompts.SummariseThread) (prompts.ThreadSummary, error)
	Communities
}

// Communities answers the questions about communities.
type Communities interface {
	SummariseMembers(context.Context, prompts.SummariseMembers) (prompts.Summary, error)
	CombineSummaries(context.Context, prompts.CombineSummaries) (prompts.Summary, error)
	NameCommunity(context.Context, prompts.NameCommunity) (prompts.CommunityName, error)
}

// Informed is an analyst that is shown, with a message, known facts about its speakers and the
// entities it names. The offline rules are not Informed: they read only the words.
type Informed interface{ Informed() }

// Observer is an analyst that derives observations from facts. Without one, repeated facts are only
// counted.
type Observer interface {
	DeriveObservations(context.Context, prompts.DeriveObservations) (prompts.DerivedObservations, error)
}

// Teacher is an analyst that puts the lessons of runs into words. Without one, the words of the
// runs are shown.
type Teacher interface {
	WordSkill(context.Context, prompts.WordSkill) (prompts.WordedSkill, error)
}

// MessageOf returns an episode in the form in which an analyst sees messages.
func MessageOf(e graph.Episode) prompts.Message {
	return prompts.Message{Speaker: e.Speaker(), Role: e.Role, Content: e.Content, OccurredAt: e.OccurredAt}
}

// MaxError is the longest stored error, in bytes.
const MaxError = 2000

// Failure is a failed step whose cause is its input: another episode may succeed.
type Failure struct {
	Step string
	Err  error
}

// Error names the step and says why it failed.
func (f *Failure) Error() string { return f.Step + ": " + f.Err.Error() }

// Unwrap returns why it failed.
func (f *Failure) Unwrap() error { return f.Err }

// Failed wraps the error of a step in a [Failure], unless the caller gave up or the ledger cannot
// be written.
func Failed(ctx context.Context, step string, err error) error {
	var ledger *ledgerError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &ledger):
		return err
	}
	return &Failure{step, err}
}

// Outage reports whether a model answers no request at all. A model that declines to answer, gives
// an unusable answer or rejects a request does answer others.
func Outage(err error) bool {
	var call *model.CallError
	var answer *model.AnswerError
	if errors.As(err, &answer) || !errors.As(err, &call) {
		return false
	}
	switch call.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return false
	case 0:
		return call.Err != nil // without a cause, the model declined
	}
	return call.Status >= 400
}
