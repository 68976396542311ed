package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/internal/telemetry"
)

// step is a step of a draft. One without a name only groups others.
type step struct {
	name string
	do   func(context.Context, *draft) error
}

// take takes a draft through steps. A step with a name is a span and a debug line.
func (w *walk) take(ctx context.Context, d *draft, steps ...step) error {
	for _, s := range steps {
		if err := w.takeOne(ctx, d, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) takeOne(ctx context.Context, d *draft, s step) error {
	if s.name == "" {
		return w.ownFailure(ctx, "", guard.Run(func() error { return s.do(ctx, d) }))
	}
	began := time.Now()
	ctx, span := telemetry.Start(ctx, s.name)
	err := w.ownFailure(ctx, s.name, guard.Run(func() error { return s.do(ctx, d) }))
	telemetry.End(span, err)
	w.log.DebugContext(ctx, "step taken", "step", s.name, "ms", time.Since(began).Milliseconds(), "ok", err == nil)
	return err
}

// ownFailure makes a panic a failure of the episode, and logs where it was.
func (w *walk) ownFailure(ctx context.Context, step string, err error) error {
	panicked, ok := errors.AsType[*guard.Panic](err)
	_, analysis := errors.AsType[*analyst.Failure](err)
	if !ok || analysis && step == "" { // the step within has told of it
		return err
	}
	w.log.ErrorContext(ctx, "panic", "step", step, "panic", panicked.Value, "stack", panicked.Stack)
	if analysis {
		return err
	}
	return &analyst.Failure{Step: cmp.Or(step, "read"), Err: panicked}
}

// spanOf begins the span of reading episodes, within that of the request that stored the
// first.
func (w *walk) spanOf(ctx context.Context, episodes []graph.Episode) (_ context.Context, end func(error)) {
	first := episodes[0]
	origin, _ := ctx.Value(originKey{}).(trace.SpanContext)
	ctx = telemetry.With(ctx, slog.String("group", first.GroupID), slog.String("episode", first.ID.String()))
	ctx, span := telemetry.Begin(ctx, w.options.TracerProvider, origin, "process episode",
		attribute.String("annals.group", first.GroupID), attribute.String("annals.episode", first.ID.String()),
		attribute.Int("annals.episodes", len(episodes)))
	return ctx, func(err error) { telemetry.End(span, err) }
}

type originKey struct{}

// askedIn traces what is read next as part of the request that stored it.
func askedIn(ctx context.Context, origin trace.SpanContext) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}
