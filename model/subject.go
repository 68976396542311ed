package model

import (
	"context"

	"github.com/google/uuid"
)

// Subject says on whose behalf a model is asked. The ledger files calls under
// it, and a cached answer is only given to the group that paid for it.
type Subject struct {
	GroupID   string
	EpisodeID uuid.UUID // zero: no episode in particular
}

type subjectKey struct{}

// WithSubject returns a context in which models are asked on behalf of s.
func WithSubject(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, s)
}

// SubjectOf returns the subject of [WithSubject], or the zero Subject.
func SubjectOf(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(Subject)
	return s
}
