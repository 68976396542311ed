// Package community finds the communities of a group's entities, summarises
// and names them, and keeps them up to date as entities arrive. Which entities
// belong together is worked out by package clustering.
package community

import (
	"context"
	"log/slog"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// Analyst answers the questions about communities. Implementations must be
// safe for concurrent use.
type Analyst interface {
	SummariseMembers(context.Context, prompts.SummariseMembers) (prompts.Summary, error)
	CombineSummaries(context.Context, prompts.CombineSummaries) (prompts.Summary, error)
	NameCommunity(context.Context, prompts.NameCommunity) (prompts.CommunityName, error)
}

// Builder builds communities. It is safe for concurrent use.
type Builder struct {
	pool     db.Pool
	analyst  Analyst
	embedder model.Embedder
	log      *slog.Logger
}

// New returns a builder on a migrated database.
func New(pool db.Pool, analyst Analyst, embedder model.Embedder, log *slog.Logger) *Builder {
	return &Builder{pool: pool, analyst: analyst, embedder: embedder, log: log}
}

// QuestionError is a question that the analyst or the embedder did not answer.
// The communities stay as they were.
type QuestionError struct {
	Question string
	Err      error
}

// Error names the question and says why it was not answered.
func (e *QuestionError) Error() string { return e.Question + ": " + e.Err.Error() }

// Unwrap returns why it was not answered.
func (e *QuestionError) Unwrap() error { return e.Err }

// asked is the error of a question, nil where it was answered.
func asked(question string, err error) error {
	if err == nil {
		return nil
	}
	return &QuestionError{question, err}
}

func (b *Builder) embed(ctx context.Context, names []string) ([][]float32, error) {
	vectors, err := model.Vectors(ctx, b.embedder, names)
	return vectors, asked("embed", err)
}
