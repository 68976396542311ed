package server

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	otel "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/internal/telemetry"
)

// traced starts a span for each request except health checks and metrics, as a child of the trace
// in the header traceparent. Spans hold no queries or bodies, and only the headers of
// OpenTelemetry's conventions. otelhttp would do the same, but add 1.5 MB to the program: it has a
// wrapper for each combination of interfaces of a response writer.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.options.TracerProvider == nil {
		return next
	}
	tracer := s.options.TracerProvider.Tracer(telemetry.Scope)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !worthTracing(r) {
			next.ServeHTTP(w, r)
			return
		}
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(asked(r)...))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func worthTracing(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics":
		return false
	}
	return true
}

// asked returns the attributes of a request, by OpenTelemetry's semantic conventions for HTTP
// servers.
func asked(r *http.Request) []attribute.KeyValue {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	peer, peerPort := hostPort(r.RemoteAddr)
	address, port := hostPort(r.Host)
	sender, _, _ := strings.Cut(r.Header.Get("X-Forwarded-For"), ",")
	if sender == "" {
		sender = peer
	}
	attributes := []attribute.KeyValue{
		attribute.String("http.request.method", r.Method), attribute.String("url.scheme", scheme), attribute.String("url.path", r.URL.Path),
		attribute.String("server.address", address), attribute.String("network.peer.address", peer), attribute.String("client.address", sender),
		attribute.String("network.protocol.version", strings.TrimPrefix(r.Proto, "HTTP/")), attribute.String("user_agent.original", r.UserAgent()),
	}
	for key, number := range map[string]int64{"server.port": port, "network.peer.port": peerPort, "http.request.body.size": r.ContentLength} {
		if number > 0 {
			attributes = append(attributes, attribute.Int64(key, number))
		}
	}
	return attributes
}

// hostPort splits an address. The port is 0 if there is none.
func hostPort(address string) (host string, port int64) {
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		return address, 0
	}
	port, _ = strconv.ParseInt(digits, 10, 64)
	return host, port
}

// nameSpan sets the name and the attributes of a span that are known only at the end of the
// request.
func nameSpan(r *http.Request, note *seen, out *response) {
	span := trace.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	status := out.statusCode()
	span.SetAttributes(attribute.String("annals.request_id", note.id), attribute.Int("http.response.status_code", status), attribute.Int64("http.response.body.size", out.bytes))
	if status >= http.StatusInternalServerError {
		span.SetAttributes(attribute.String("error.type", strconv.Itoa(status)))
		span.SetStatus(otel.Error, "")
	}
	if note.route != "" {
		span.SetName(r.Method + " " + note.route)
		span.SetAttributes(attribute.String("http.route", note.route))
	}
	if note.episode != "" {
		span.SetAttributes(attribute.String("annals.episode", note.episode))
	}
}
