package model

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Subject says on whose behalf a model is asked. The ledger files calls under
// it, and a cached answer is only given to the group that paid for it.
type Subject struct {
	GroupID   string
	EpisodeID uuid.UUID // zero: no episode in particular
}

type subjectKey struct{}

// onBehalf is a subject, and since when it has been worked for.
type onBehalf struct {
	subject Subject
	since   time.Time
}

// WithSubject returns a context in which models are asked on behalf of s. It is
// called before what they are asked about is read; see [AskedFor].
func WithSubject(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, onBehalf{s, time.Now()})
}

// SubjectOf returns the subject of [WithSubject], or the zero Subject.
func SubjectOf(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(onBehalf)
	return s.subject
}

// AskedFor returns how long ago [WithSubject] was called: what models are asked
// about was read since. It is zero without a subject.
func AskedFor(ctx context.Context) time.Duration {
	s, ok := ctx.Value(subjectKey{}).(onBehalf)
	if !ok {
		return 0
	}
	return time.Since(s.since)
}
