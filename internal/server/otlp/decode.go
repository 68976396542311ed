package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server"
)

// span is a decoded span of either encoding.
type span struct {
	trace, id, parent string // hexadecimal
	flags             uint32
	name              string
	start, end        uint64 // nanoseconds since 1970
	attributes        attributes
	resource          attributes
	events            []event
	failed, succeeded bool
	message           string // why it failed
}

type event struct {
	name       string
	attributes attributes
}

// attributes maps names to values: texts, numbers, booleans, lists and maps.
type attributes map[string]any

// fromWire decodes protobuf. TracesData has the same wire format as the request of OTLP.
func fromWire(body []byte) ([]span, error) {
	var data trace.TracesData
	if err := proto.Unmarshal(body, &data); err != nil {
		return nil, err
	}
	var spans []span
	for _, of := range data.GetResourceSpans() {
		resource := attributesOf(of.GetResource().GetAttributes())
		for _, scope := range of.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				one := span{
					trace: hex.EncodeToString(s.GetTraceId()), id: hex.EncodeToString(s.GetSpanId()), parent: hex.EncodeToString(s.GetParentSpanId()),
					flags: s.GetFlags(), name: s.GetName(), start: s.GetStartTimeUnixNano(), end: s.GetEndTimeUnixNano(),
					attributes: attributesOf(s.GetAttributes()), resource: resource, message: s.GetStatus().GetMessage(),
					failed:    s.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR,
					succeeded: s.GetStatus().GetCode() == trace.Status_STATUS_CODE_OK,
				}
				for _, e := range s.GetEvents() {
					one.events = append(one.events, event{e.GetName(), attributesOf(e.GetAttributes())})
				}
				spans = append(spans, one)
			}
		}
	}
	return spans, nil
}

func attributesOf(list []*common.KeyValue) attributes {
	values := attributes{}
	for _, pair := range list {
		values[pair.GetKey()] = valueOf(pair.GetValue())
	}
	return values
}

func valueOf(v *common.AnyValue) any {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_BoolValue:
		return v.BoolValue
	case *common.AnyValue_IntValue:
		return v.IntValue
	case *common.AnyValue_DoubleValue:
		return v.DoubleValue
	case *common.AnyValue_BytesValue:
		return base64.StdEncoding.EncodeToString(v.BytesValue)
	case *common.AnyValue_ArrayValue:
		return each.Of(v.ArrayValue.GetValues(), valueOf)
	case *common.AnyValue_KvlistValue:
		return map[string]any(attributesOf(v.KvlistValue.GetValues()))
	}
	return nil
}

// message maps the fields of an OTLP message that hold other messages.
type message map[protowire.Number]message

// request is the OTLP request for traces: resources, scopes, spans, and their events and links.
var request = func() message {
	value := message{}
	pair := message{2: value}
	value[5], value[6] = message{1: value}, message{1: pair}
	spans := message{9: pair, 11: message{3: pair}, 13: message{4: pair}, 15: {}}
	return message{1: {1: message{1: pair, 3: {}}, 2: {1: message{3: pair}, 2: spans}}}
}()

// maxNested is how deep messages may be nested. An attribute is six levels deep.
const maxNested = 100

// shape limits the number of values in a body before it is decoded: decoded values may be many
// times larger.
func shape(r *http.Request, body []byte) (int, *server.Problem) {
	if encodingOf(r) != wire {
		return server.CheckShape(body)
	}
	values, ok := count(body, request, 0)
	switch {
	case !ok:
		return values, server.NewProblem(http.StatusBadRequest, "the body is no protobuf, or is nested too deep")
	case values > server.MaxValues:
		return values, server.NewProblem(http.StatusBadRequest, fmt.Sprintf("the body holds more than %d values: send it in parts", server.MaxValues))
	}
	return values, nil
}

// count counts the nested messages, and stops above the limit.
func count(body []byte, of message, depth int) (values int, ok bool) {
	for len(body) > 0 && values <= server.MaxValues {
		number, kind, n := protowire.ConsumeTag(body)
		if n < 0 || depth > maxNested {
			return values, false
		}
		body = body[n:]
		within, known := of[number]
		if !known || kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, body); n < 0 {
				return values, false
			}
			body = body[n:]
			continue
		}
		inner, n := protowire.ConsumeBytes(body)
		if n < 0 {
			return values, false
		}
		more, ok := count(inner, within, depth+1)
		if !ok {
			return values, false
		}
		values, body = values+1+more, body[n:]
	}
	return values, true
}
