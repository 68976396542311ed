package otlp

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Decoding terminates for any input, and what it accepts can be stored.
func FuzzDecoders(f *testing.F) {
	sent, err := proto.Marshal(&trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte("01234567"), Name: "x", Events: []*trace.Span_Event{{Name: "exception"}}, Status: &trace.Status{Code: 2},
	}}}}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sent)
	f.Add([]byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "5B8EFFF798038103D269B633813FC60C", "spanId": "EEE19B7EC3C1B174", "attributes": [
		{"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}}, {"key": "gen_ai.prompt", "value": {"stringValue": "[{\"role\": \"user\", \"content\": \"x\"}]"}}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, decode := range decoders {
			read, err := decode(body)
			if err != nil {
				continue
			}
			spans, _ := spansOf(read)
			for _, span := range spans {
				kept, err := json.Marshal(span)
				if err != nil || !utf8.Valid(kept) || len(span.Task) > maxTask || len(span.Result) > maxResult {
					t.Errorf("of %q is taken %s (%v)", body, kept, err)
				}
			}
		}
		_, _ = count(body, request, 0)
	})
}
