package otlp

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// textRequest is the OTLP request for traces in JSON, where ids are hexadecimal and long integers
// may be strings.
type textRequest struct {
	ResourceSpans []struct {
		Resource   struct{ Attributes []textPair }
		ScopeSpans []struct{ Spans []textSpan }
	}
}

type textSpan struct {
	TraceID           string      `json:"traceId"`
	SpanID            string      `json:"spanId"`
	ParentSpanID      string      `json:"parentSpanId"`
	Flags             json.Number `json:"flags"`
	Name              string      `json:"name"`
	StartTimeUnixNano json.Number `json:"startTimeUnixNano"`
	EndTimeUnixNano   json.Number `json:"endTimeUnixNano"`
	Attributes        []textPair  `json:"attributes"`
	Events            []struct {
		Name       string     `json:"name"`
		Attributes []textPair `json:"attributes"`
	} `json:"events"`
	Status struct {
		Code    any    `json:"code"` // a number; a name is accepted too
		Message string `json:"message"`
	} `json:"status"`
}

type textPair struct {
	Key   string    `json:"key"`
	Value textValue `json:"value"`
}

type textValue struct {
	StringValue *string     `json:"stringValue"`
	BoolValue   *bool       `json:"boolValue"`
	IntValue    json.Number `json:"intValue"`
	DoubleValue any         `json:"doubleValue"` // a number, or a text such as NaN
	BytesValue  *string     `json:"bytesValue"`
	ArrayValue  *struct {
		Values []textValue `json:"values"`
	} `json:"arrayValue"`
	KvlistValue *struct {
		Values []textPair `json:"values"`
	} `json:"kvlistValue"`
}

func fromText(body []byte) ([]span, error) {
	var request textRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	var spans []span
	for _, of := range request.ResourceSpans {
		resource := attributesIn(of.Resource.Attributes)
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				one, err := s.span()
				if err != nil {
					return nil, err
				}
				one.resource = resource
				spans = append(spans, one)
			}
		}
	}
	return spans, nil
}

func (s textSpan) span() (span, error) {
	one := span{name: s.Name, attributes: attributesIn(s.Attributes), message: s.Status.Message}
	for _, id := range []struct {
		into  *string
		field string
		text  string
	}{{&one.trace, "traceId", s.TraceID}, {&one.id, "spanId", s.SpanID}, {&one.parent, "parentSpanId", s.ParentSpanID}} {
		if _, err := hex.DecodeString(id.text); err != nil {
			return one, graph.Invalid(id.field, "%q is not hexadecimal", id.text)
		}
		*id.into = strings.ToLower(id.text)
	}
	for _, number := range []struct {
		into  *uint64
		field string
		text  json.Number
	}{{&one.start, "startTimeUnixNano", s.StartTimeUnixNano}, {&one.end, "endTimeUnixNano", s.EndTimeUnixNano}} {
		if number.text == "" {
			continue
		}
		var err error
		if *number.into, err = strconv.ParseUint(number.text.String(), 10, 64); err != nil {
			return one, graph.Invalid(number.field, "%q is no number of nanoseconds", number.text.String())
		}
	}
	flags, _ := strconv.ParseUint(s.Flags.String(), 10, 32) // an invalid number counts as 0
	one.flags = uint32(flags)
	one.succeeded = s.Status.Code == 1.0 || s.Status.Code == "STATUS_CODE_OK"
	one.failed = s.Status.Code == 2.0 || s.Status.Code == "STATUS_CODE_ERROR"
	for _, e := range s.Events {
		one.events = append(one.events, event{e.Name, attributesIn(e.Attributes)})
	}
	return one, nil
}

func attributesIn(list []textPair) attributes {
	values := attributes{}
	for _, pair := range list {
		values[pair.Key] = pair.Value.value()
	}
	return values
}

func (v textValue) value() any {
	switch {
	case v.StringValue != nil:
		return *v.StringValue
	case v.BoolValue != nil:
		return *v.BoolValue
	case v.IntValue != "":
		n, _ := strconv.ParseInt(v.IntValue.String(), 10, 64) // a value out of range becomes the nearest bound
		return n
	case v.BytesValue != nil:
		return *v.BytesValue
	case v.ArrayValue != nil:
		return each.Of(v.ArrayValue.Values, textValue.value)
	case v.KvlistValue != nil:
		return map[string]any(attributesIn(v.KvlistValue.Values))
	}
	return v.DoubleValue // a number, a text or nil
}
