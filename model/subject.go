package model

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Subject names the group and episode that a model is asked for. The ledger
// files calls under it. A cached answer is given only to the group that paid
// for it.
type Subject struct {
	GroupID   string
	EpisodeID uuid.UUID // zero: no particular episode
}

type subjectKey struct{}

// onBehalf is a subject with the time of WithSubject.
type onBehalf struct {
	subject Subject
	since   time.Time
}

// WithSubject returns a context in which models are asked on behalf of s. Call
// it before reading the data that the questions are about; see [AskedFor].
func WithSubject(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, onBehalf{s, time.Now()})
}

// SubjectOf returns the subject of [WithSubject], or the zero Subject.
func SubjectOf(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(onBehalf)
	return s.subject
}

// AskedFor returns the time since [WithSubject] was called. Data that a
// question is about was read within that time. It is zero without a subject.
func AskedFor(ctx context.Context) time.Duration {
	s, ok := ctx.Value(subjectKey{}).(onBehalf)
	if !ok {
		return 0
	}
	return time.Since(s.since)
}
