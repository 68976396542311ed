package server

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traced makes a span for each request except health checks and metrics. It
// continues the trace that a request names (traceparent). Spans hold neither
// queries nor headers nor bodies.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.options.TracerProvider == nil {
		return next
	}
	return otelhttp.NewHandler(next, "request",
		otelhttp.WithTracerProvider(s.options.TracerProvider), otelhttp.WithMeterProvider(noop.NewMeterProvider()),
		otelhttp.WithPropagators(propagation.TraceContext{}), otelhttp.WithFilter(worthTracing))
}

func worthTracing(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics":
		return false
	}
	return true
}

// nameSpan adds to the span of a request what is known at its end.
func nameSpan(r *http.Request, note *seen) {
	span := trace.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("annals.request_id", note.id))
	if note.route != "" {
		span.SetName(r.Method + " " + note.route)
		span.SetAttributes(attribute.String("http.route", note.route))
	}
	if note.episode != "" {
		span.SetAttributes(attribute.String("annals.episode", note.episode))
	}
}
