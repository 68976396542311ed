package engine

import (
	"container/list"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/telemetry"
)

// step is one on the way of a draft into the graph. One that only holds others
// together has no name.
type step struct {
	name string
	do   func(context.Context, *draft) error
}

// take takes a draft through steps, up to the first that fails. Each that has a
// name is a span, and a line of the log for whoever looks closely.
func (e *Engine) take(ctx context.Context, d *draft, steps ...step) error {
	for _, s := range steps {
		if err := e.takeOne(ctx, d, s); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) takeOne(ctx context.Context, d *draft, s step) error {
	if s.name == "" {
		return s.do(ctx, d)
	}
	began := time.Now()
	ctx, span := telemetry.Start(ctx, s.name)
	err := s.do(ctx, d)
	telemetry.End(span, err)
	e.log.DebugContext(ctx, "step taken", "step", s.name, "ms", time.Since(began).Milliseconds(), "ok", err == nil)
	return err
}

// spanOf begins the span of reading some episodes, within that of the request
// that stored the first of them, where this process did.
func (e *Engine) spanOf(ctx context.Context, episodes []graph.Episode) (_ context.Context, end func(error)) {
	first := episodes[0]
	origin := e.origins.take(first.ID)
	for _, other := range episodes[1:] {
		e.origins.take(other.ID)
	}
	ctx = telemetry.With(ctx, slog.String("group", first.GroupID), slog.String("episode", first.ID.String()))
	ctx, span := telemetry.Begin(ctx, e.options.TracerProvider, origin, "process episode",
		attribute.String("annals.group", first.GroupID), attribute.String("annals.episode", first.ID.String()),
		attribute.Int("annals.episodes", len(episodes)))
	return ctx, func(err error) { telemetry.End(span, err) }
}

// Asked notes in whose span episodes were stored, so that reading them stands
// there too. It is forgotten with the process: what another one reads is traced
// by itself.
func (e *Engine) Asked(ctx context.Context, stored []Stored) {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return
	}
	for _, s := range stored {
		if s.New {
			e.origins.put(s.ID, span)
		}
	}
}

// maxOrigins is of how many episodes it is known at most who stored them.
const maxOrigins = 10_000

// origins are the spans in which waiting episodes were stored, the oldest in front.
type origins struct {
	mu    sync.Mutex
	known map[uuid.UUID]*list.Element // of origin
	order *list.List
}

type origin struct {
	episode uuid.UUID
	span    trace.SpanContext
}

func newOrigins() *origins { return &origins{known: map[uuid.UUID]*list.Element{}, order: list.New()} }

func (o *origins) put(episode uuid.UUID, span trace.SpanContext) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known[episode] = o.order.PushBack(origin{episode, span})
	if o.order.Len() > maxOrigins {
		delete(o.known, o.order.Remove(o.order.Front()).(origin).episode)
	}
}

// take returns where an episode was stored, and forgets it. What is not known
// is not valid.
func (o *origins) take(episode uuid.UUID) trace.SpanContext {
	o.mu.Lock()
	defer o.mu.Unlock()
	element, ok := o.known[episode]
	if !ok {
		return trace.SpanContext{}
	}
	delete(o.known, episode)
	return o.order.Remove(element).(origin).span
}
