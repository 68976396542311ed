package model

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals/internal/telemetry"
)

// operations maps the kinds of calls to the operation names of OpenTelemetry's
// semantic conventions for generative AI.
var operations = map[string]string{KindChat: "chat", KindEmbedding: "embeddings", KindRerank: "rerank"}

// traced starts the span of a question to a model, named after its prompt.
func traced(ctx context.Context, kind, prompt, model string) (context.Context, trace.Span) {
	provider, name, _ := strings.Cut(model, ":")
	return telemetry.Start(ctx, operations[kind]+" "+prompt,
		attribute.String("gen_ai.operation.name", operations[kind]), attribute.String("gen_ai.provider.name", provider),
		attribute.String("gen_ai.request.model", name), attribute.String("annals.prompt", prompt))
}

// noteCall adds a call to the span of its question as an event, since a
// question may take several calls. It records only that a call failed, not the
// error.
func noteCall(ctx context.Context, c Call) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.AddEvent("call", trace.WithAttributes(
		attribute.Int("gen_ai.usage.input_tokens", c.InputTokens), attribute.Int("gen_ai.usage.output_tokens", c.OutputTokens),
		attribute.Int("annals.cached_tokens", c.CachedTokens), attribute.Float64("annals.seconds", c.Latency.Seconds()),
		attribute.Bool("annals.from_cache", c.FromCache), attribute.Bool("annals.repair", c.Repair), attribute.Bool("annals.failed", c.Error != "")))
}
