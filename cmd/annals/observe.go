package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/resend"
	"github.com/annalsdb/annals/internal/telemetry"
)

// exportTimeout is how long the program waits at its end for the last spans to be sent.
const exportTimeout = 5 * time.Second

// observe sets up the log and the traces.
func (a *app) observe(ctx context.Context) error {
	if f := a.config.LogFormat; f != "json" && f != "text" {
		return graph.Invalid("log-format", "%q is not json or text", f)
	}
	if a.config.LogLevel != "" {
		var level slog.Level
		if err := level.UnmarshalText([]byte(a.config.LogLevel)); err != nil {
			return graph.Invalid("log-level", "%q is not debug, info, warn or error", a.config.LogLevel)
		}
		a.config.log = a.logger(level)
	}
	return a.trace(ctx)
}

// logs has what is at least of a level logged, unless --log-level says otherwise.
func (a *app) logs(level slog.Level) {
	if a.config.log == nil {
		a.config.log = a.logger(level)
	}
}

// logger returns a logger to standard error.
func (a *app) logger(level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if a.config.LogFormat == "text" {
		return telemetry.Logger(slog.New(slog.NewTextHandler(a.stderr, options)))
	}
	return telemetry.Logger(slog.New(slog.NewJSONHandler(a.stderr, options)))
}

// trace sets up tracing as OpenTelemetry's environment variables say. Without them there are no
// spans.
func (a *app) trace(ctx context.Context) error {
	if !a.config.tracing() {
		return nil
	}
	exporter, err := a.config.spanExporter(ctx)
	if err != nil {
		return fmt.Errorf("set up traces as the OTEL_ variables say: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "annals"), attribute.String("service.version", version())),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return fmt.Errorf("describe this service as the OTEL_ variables say: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { // the handler is global in the process
		if log := a.config.log; log != nil {
			log.Warn("spans could not be sent", "error", err)
		}
	}))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	a.config.traces = provider
	a.ended = func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), exportTimeout)
		defer cancel()
		if err := provider.Shutdown(last); err != nil {
			a.say("annals: the last spans could not be sent: %v", err)
		}
	}
	return nil
}

// tracing reports whether OpenTelemetry's variables name a receiver of spans. Their default, a
// collector on this machine, does not count.
func (c config) tracing() bool {
	if c.environ["OTEL_SDK_DISABLED"] == "true" || c.environ["OTEL_TRACES_EXPORTER"] == "none" {
		return false
	}
	return cmp.Or(c.environ["OTEL_TRACES_EXPORTER"], c.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], c.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) != ""
}

// spanExporter returns the exporter that OpenTelemetry's variables name. The library autoexport
// would add the exporters of logs and metrics.
func (c config) spanExporter(ctx context.Context) (sdktrace.SpanExporter, error) {
	switch name := cmp.Or(c.environ["OTEL_TRACES_EXPORTER"], "otlp"); name {
	case "otlp":
	default:
		return nil, fmt.Errorf("OTEL_TRACES_EXPORTER is %q; use otlp or none", name)
	}
	const only = "http/protobuf"
	if protocol := cmp.Or(c.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"], c.environ["OTEL_EXPORTER_OTLP_PROTOCOL"], only); protocol != only {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q; use %s, which collectors take on port 4318", protocol, only)
	}
	sender, err := c.sender()
	if err != nil {
		return nil, err
	}
	return otlptrace.New(ctx, sender)
}

// spanSender sends spans by OTLP's http/protobuf. OpenTelemetry's own client would link all of
// gRPC.
type spanSender struct {
	address string
	headers http.Header
	client  http.Client
}

var _ otlptrace.Client = (*spanSender)(nil)

// sender reads from OpenTelemetry's variables where to send spans.
func (c config) sender() (*spanSender, error) {
	address := c.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
	if address == "" {
		address = strings.TrimSuffix(cmp.Or(c.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], "http://localhost:4318"), "/") + "/v1/traces"
	}
	s := &spanSender{address: address, headers: http.Header{"Content-Type": {"application/x-protobuf"}}}
	headers := cmp.Or(c.environ["OTEL_EXPORTER_OTLP_TRACES_HEADERS"], c.environ["OTEL_EXPORTER_OTLP_HEADERS"])
	for header := range strings.SplitSeq(headers, ",") {
		name, escaped, given := strings.Cut(header, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if err != nil || !given && strings.TrimSpace(name) != "" {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS is no list like name=value,name=value: %q is none of them", name)
		}
		if given {
			s.headers.Set(strings.TrimSpace(name), value)
		}
	}
	return s, nil
}

// Start does nothing: requests are independent.
func (*spanSender) Start(context.Context) error { return nil }

// Stop does nothing.
func (*spanSender) Stop(context.Context) error { return nil }

// UploadTraces sends spans, and retries if the receiver asks for that.
func (s *spanSender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // has the same wire format as the request of OTLP
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = s.headers
	response, err := resend.Policy{}.Do(ctx, &s.client, request, false)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s answers %s: %q", s.address, response.Status, said)
	}
	return nil
}
