package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// maxWaitingSpans is how many spans of a group may wait for their runs.
const maxWaitingSpans = 10_000

// RefusedSpans counts spans that were refused for the same reason.
type RefusedSpans struct {
	Count  int64
	Reason string
}

// TakeSpans stores spans of agents' traces. The spans of a run that is over become an [annals.Run],
// only once even if they are sent again. Others wait for their run, for an hour at most. It returns
// the spans that were refused.
func (s *Service) TakeSpans(ctx context.Context, groupID string, spans []Span) (refused []RefusedSpans, err error) {
	if len(spans) == 0 {
		return nil, s.admit(groupID)
	}
	err = s.client.InGroup(ctx, groupID, func(tx pgx.Tx) error {
		refused, err = s.takeSpans(ctx, tx, groupID, spans)
		return err
	})
	return refused, wrap(err, "take in spans")
}

func (s *Service) takeSpans(ctx context.Context, tx pgx.Tx, groupID string, spans []Span) ([]RefusedSpans, error) {
	q := db.New(tx)
	if err := errors.Join(q.RunSpansLock(ctx, groupID), intake.EnsureGroup(ctx, q, groupID)); err != nil {
		return nil, err
	}
	rows, err := q.RunSpansWaiting(ctx, db.RunSpansWaitingParams{GroupID: groupID, Traces: tracesOf(spans)})
	if err != nil {
		return nil, err
	}
	waiting, err := each.Try(rows, func(row db.RunSpansWaitingRow) (Span, error) {
		span := Span{stale: row.Stale, kept: true}
		return span, json.Unmarshal(row.Span, &span)
	})
	if err != nil {
		return nil, err
	}
	runs, left := settle(append(waiting, spans...))
	refused, err := s.keepSpans(ctx, q, groupID, waiting, left)
	if err != nil {
		return nil, err
	}
	more, err := s.addRuns(ctx, tx, groupID, runs)
	return append(refused, more...), err
}

func tracesOf(spans []Span) (traces []string) {
	seen := map[string]bool{}
	for _, span := range spans {
		if !seen[span.Trace] {
			seen[span.Trace], traces = true, append(traces, span.Trace)
		}
	}
	return traces
}

// keepSpans stores the new spans that have to wait, and deletes stored ones that no longer do.
func (s *Service) keepSpans(ctx context.Context, q *db.Queries, groupID string, waited, left []Span) ([]RefusedSpans, error) {
	stay, fresh := map[spanID]bool{}, []Span{}
	for _, span := range left {
		stay[span.spanID] = true
		if !span.kept {
			fresh = append(fresh, span)
		}
	}
	over := db.RunSpansDeleteParams{GroupID: groupID}
	for _, span := range waited {
		if !stay[span.spanID] {
			over.Traces, over.Spans = append(over.Traces, span.Trace), append(over.Spans, span.ID)
		}
	}
	if len(over.Spans) > 0 {
		if err := q.RunSpansDelete(ctx, over); err != nil {
			return nil, err
		}
	}
	if len(fresh) == 0 {
		return nil, nil
	}
	count, err := q.RunSpansCount(ctx, groupID)
	if err != nil {
		return nil, err
	}
	var refused []RefusedSpans
	if room := max(0, maxWaitingSpans-int(count)); len(fresh) > room {
		refused = []RefusedSpans{{int64(len(fresh) - room), fmt.Sprintf("%d spans of the group wait for their runs already; let these end first", maxWaitingSpans)}}
		fresh = fresh[:room]
	}
	list, err := json.Marshal(fresh)
	if err != nil {
		return nil, err
	}
	return refused, q.RunSpansInsert(ctx, db.RunSpansInsertParams{GroupID: groupID, Spans: list})
}

// addRuns stores runs as episodes. It returns those that are refused.
func (s *Service) addRuns(ctx context.Context, tx pgx.Tx, groupID string, runs []spanRun) (refused []RefusedSpans, _ error) {
	for _, run := range runs {
		episode, left, err := run.episode(groupID)
		if left > 0 {
			refused = append(refused, RefusedSpans{int64(left), fmt.Sprintf("a run has at most %d steps; those after them are left out", graph.MaxRunSteps)})
		}
		if err == nil {
			err = pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
				_, err := s.AddAllTx(ctx, savepoint, []annals.Episode{episode})
				return err
			})
		}
		if reason := whyRefused(err); reason != "" {
			refused, err = append(refused, RefusedSpans{1, fmt.Sprintf("span %s: %s", run.ID, reason)}), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// whyRefused returns why a run was refused and what to correct; empty: the error has another cause.
func whyRefused(err error) string {
	if known, ok := errors.AsType[*annals.Error](err); ok {
		switch known.Code {
		case annals.CodeInvalid, annals.CodeConflict, annals.CodeForbidden:
			return known.Field + ": " + known.Message
		}
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && strings.HasPrefix(refused.Code, "22") {
		return "a text or number in it cannot be stored"
	}
	return ""
}
