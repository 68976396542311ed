package telemetry

import (
	"context"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

type attributesKey struct{}

// With returns a context whose log lines, and those of contexts derived from it,
// have further attributes.
func With(ctx context.Context, attributes ...slog.Attr) context.Context {
	return context.WithValue(ctx, attributesKey{}, slices.Concat(attributesOf(ctx), attributes))
}

func attributesOf(ctx context.Context) []slog.Attr {
	attributes, _ := ctx.Value(attributesKey{}).([]slog.Attr)
	return attributes
}

// Logger returns log with the attributes of each line's context added: those of
// [With] and the ids of its span. A nil log discards all lines.
func Logger(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	if _, done := log.Handler().(handler); done {
		return log
	}
	return slog.New(handler{log.Handler()})
}

// handler adds the attributes of the context to each line.
type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, record slog.Record) error {
	said := map[string]bool{}
	record.Attrs(func(a slog.Attr) bool {
		said[a.Key] = true
		return true
	})
	for _, a := range attributesOf(ctx) {
		if !said[a.Key] { // the line's own attribute wins
			said[a.Key] = true
			record.AddAttrs(a)
		}
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

func (h handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attributes)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
