package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/annalsdb/annals/graph"
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
