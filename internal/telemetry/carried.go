package telemetry

import (
	"context"
	"encoding/json"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Carried returns the span of the context as a JSON object of W3C Trace Context
// headers (https://www.w3.org/TR/trace-context/), for work in another process.
// It is nil without a span.
func Carried(ctx context.Context) []byte {
	headers := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, headers)
	if len(headers) == 0 {
		return nil
	}
	text, err := json.Marshal(headers)
	if err != nil { // strings cannot fail
		panic("telemetry: " + err.Error())
	}
	return text
}

// Origin returns the span that [Carried] encoded, or an invalid one.
func Origin(carried []byte) trace.SpanContext {
	var headers propagation.MapCarrier
	if json.Unmarshal(carried, &headers) != nil {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), headers))
}
