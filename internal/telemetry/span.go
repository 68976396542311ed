// Package telemetry is what logs and traces have in common: how a span begins
// and ends, and how a line of the log gets to know the request and the episode
// that it is about.
//
// A span is made by the provider of the one around it, which travels in the
// context. Where there is none, none is made, and it costs next to nothing: so
// that nothing is traced unless the program that opens the library says where
// spans go to. Spans hold names, numbers and ids; no texts, no arguments, no
// words of an error, which may quote either.
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

// Scope is the name under which our spans are made.
const Scope = "github.com/annalsdb/annals"

// Start begins a span within that of the context.
func Start(ctx context.Context, name string, attributes ...attribute.KeyValue) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer(Scope)
	return tracer.Start(ctx, name, trace.WithAttributes(attributes...))
}

// Begin begins a span of background work. It stands within the span
// of origin, the context of the request for the work, and else within that of
// ctx, if either has one. The provider may be nil: then no span is made but
// within another.
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

// End ends a span, as failed where there is an error. Of that it keeps the kind.
func End(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetAttributes(attribute.String("error.type", kind(err)))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// kind is what sort of error it is, in no words of its own.
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
