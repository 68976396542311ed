package telemetry

import (
	"context"
	"encoding/json"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Carried is the span of the context as a JSON object of the headers of W3C
// Trace Context (https://www.w3.org/TR/trace-context/), for work that another
// process may do. It is nil where there is no span.
func Carried(ctx context.Context) []byte {
	headers := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, headers)
	if len(headers) == 0 {
		return nil
	}
	text, err := json.Marshal(headers)
	if err != nil { // it is made of texts
		panic("telemetry: " + err.Error())
	}
	return text
}

// Origin is the span that was [Carried]. What is none is not valid.
func Origin(carried []byte) trace.SpanContext {
	var headers propagation.MapCarrier
	if json.Unmarshal(carried, &headers) != nil {
		return trace.SpanContext{}
	}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), headers))
}
