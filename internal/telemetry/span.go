// Package telemetry is shared by logs and traces. It starts and ends spans, and
// adds the request and episode to log lines.
//
// A span is created by the provider of its parent span in the context. Without a
// parent no span is created, at almost no cost: nothing is traced unless the
// program that opens the library sets up a provider. Spans contain names,
// numbers and ids. They contain no texts, no arguments and no error messages,
// which may quote either.
package telemetry

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Scope is the instrumentation scope of our spans.
const Scope = "github.com/annalsdb/annals"

// Start starts a span within that of the context.
func Start(ctx context.Context, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer(Scope)
	return tracer.Start(ctx, name, trace.WithAttributes(attributes...))
}

// Begin starts a span of background work. Its parent is origin, the span of the
// request for the work, else the span of ctx, if there is one. Without a
// provider a span is created only if ctx has one.
func Begin(
	ctx context.Context, provider trace.TracerProvider, origin trace.SpanContext, name string, attributes ...attribute.KeyValue,
) (context.Context, trace.Span) {
	around := trace.SpanFromContext(ctx)
	if around.SpanContext().IsValid() {
		provider = around.TracerProvider()
	} else if provider == nil {
		provider = noop.NewTracerProvider()
	}
	options := []trace.SpanStartOption{trace.WithAttributes(attributes...)}
	if origin.IsValid() {
		if around.SpanContext().IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: around.SpanContext()}))
		}
		ctx = trace.ContextWithRemoteSpanContext(ctx, origin)
	}
	return provider.Tracer(Scope).Start(ctx, name, options...)
}

// End ends a span, as failed if err is not nil. It records only the type of the
// error.
func End(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetAttributes(attribute.String("error.type", kind(err)))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// kind returns the type of an error, without its message.
func kind(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	for {
		within := errors.Unwrap(err)
		if within == nil {
			return fmt.Sprintf("%T", err)
		}
		err = within
	}
}
