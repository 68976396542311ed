package otlp_test

import (
	"bytes"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/otlp"
	"github.com/annalsdb/annals/internal/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	wire    = "application/x-protobuf"
	text    = "application/json"
	adminly = "a-static-key-for-tests"
)

// running is a server over a database of its own.
type running struct {
	t      *testing.T
	url    string
	store  string // the address of the database
	client *annals.Client
	key    string
}

func serve(t *testing.T) *running {
	t.Helper()
	client, store := clienttest.New(t)
	keys, err := server.ParseKeys(adminly)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys, Log: slog.New(slog.DiscardHandler)})
	otlp.Mount(s, otlp.Options{})
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return &running{t, listening.URL, store, client, adminly}
}

// as returns the same server with another key.
func (s *running) as(spec service.KeySpec) *running {
	s.t.Helper()
	secret, _, err := service.New(s.client).CreateAPIKey(s.t.Context(), spec)
	if err != nil {
		s.t.Fatal(err)
	}
	other := *s
	other.key = secret
	return &other
}

// post sends a body to the endpoint of a group. Headers follow the body.
func (s *running) post(group, kind string, body []byte, headers ...string) (int, http.Header, []byte) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v1/groups/"+group+"/otlp/v1/traces", bytes.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return 0, nil, nil
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Error(err)
		return 0, nil, nil
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
	}
	return response.StatusCode, response.Header, said
}

// send sends spans as protobuf, which must be accepted, and returns those that were refused.
func (s *running) send(group string, spans ...*trace.Span) partial {
	s.t.Helper()
	status, header, said := s.post(group, wire, body(s.t, spans...))
	if status != http.StatusOK || header.Get("Content-Type") != wire {
		s.t.Errorf("spans are answered %d %v %q", status, header, said)
	}
	return partialOf(s.t, said)
}

// partial is the part of an answer about refused spans. The Go package with its type would need all
// of gRPC.
type partial struct {
	rejected uint64
	message  string
}

func partialOf(t *testing.T, answer []byte) (p partial) {
	t.Helper()
	if len(answer) == 0 {
		return p
	}
	number, kind, n := protowire.ConsumeTag(answer)
	inner, m := protowire.ConsumeBytes(answer[max(n, 0):])
	if number != 1 || kind != protowire.BytesType || n+m != len(answer) {
		t.Errorf("the answer is %q", answer)
	}
	for len(inner) > 0 {
		number, _, n := protowire.ConsumeTag(inner)
		inner = inner[max(n, 0):]
		switch number {
		case 1:
			p.rejected, n = protowire.ConsumeVarint(inner)
		case 2:
			p.message, n = protowire.ConsumeString(inner)
		default:
			n = -1
		}
		if n < 0 {
			t.Fatalf("the answer is %q", answer)
		}
		inner = inner[n:]
	}
	return p
}

func body(t *testing.T, spans ...*trace.Span) []byte {
	t.Helper()
	request := &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{
		Resource:   &resource.Resource{Attributes: attributes("service.name", "deployer", "service.version", "3", "host.name", "h")},
		ScopeSpans: []*trace.ScopeSpans{{Spans: spans}},
	}}}
	sent, err := proto.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// attributes returns attributes from pairs of names and values, which are texts or integers.
func attributes(pairs ...any) (list []*common.KeyValue) {
	for i := 0; i+1 < len(pairs); i += 2 {
		value := &common.AnyValue{}
		switch v := pairs[i+1].(type) {
		case string:
			value.Value = &common.AnyValue_StringValue{StringValue: v}
		case int:
			value.Value = &common.AnyValue_IntValue{IntValue: int64(v)}
		case *common.AnyValue:
			value = v
		}
		list = append(list, &common.KeyValue{Key: pairs[i].(string), Value: value}) //nolint:forcetypeassert // a name
	}
	return list
}

// began is the beginning of the first run.
var began = time.Date(2025, 3, 15, 9, 30, 0, 0, time.UTC)

// span returns a span that begins so many seconds after the run and lasts one second.
func span(trail, id, parent string, second int, name string, pairs ...any) *trace.Span {
	start := uint64(began.Add(time.Duration(second) * time.Second).UnixNano()) //nolint:gosec // it is later than 1970
	return &trace.Span{
		TraceId: number(trail, 16), SpanId: number(id, 8), ParentSpanId: number(parent, 8), Name: name,
		StartTimeUnixNano: start, EndTimeUnixNano: start + uint64(time.Second), Attributes: attributes(pairs...),
	}
}

// number returns an id of so many bytes that ends in the hexadecimal digits; nil: none.
func number(digits string, bytes int) []byte {
	if digits == "" {
		return nil
	}
	for len(digits) < 2*bytes {
		digits = "0" + digits
	}
	id, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return id
}

// agent returns the span of a run of one minute.
func agent(trail, id, task string, pairs ...any) *trace.Span {
	pairs = append([]any{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "Ops"}, pairs...)
	if task != "" {
		pairs = append(pairs, "gen_ai.input.messages", `[{"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
			{"role": "user", "parts": [{"type": "text", "content": "`+task+`"}]}]`)
	}
	one := span(trail, id, "", 0, "invoke_agent Ops", pairs...)
	one.EndTimeUnixNano = one.GetStartTimeUnixNano() + uint64(time.Minute)
	return one
}

// tool returns the span of a call of a tool.
func tool(trail, id, parent string, second int, name, arguments string, pairs ...any) *trace.Span {
	return span(trail, id, parent, second, "execute_tool "+name,
		append([]any{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", name, "gen_ai.tool.call.arguments", arguments}, pairs...)...)
}

// failed returns the span with a failed status.
func failed(s *trace.Span, why string) *trace.Span {
	s.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: why}
	return s
}

// succeeded returns the span with a successful status.
func succeeded(s *trace.Span) *trace.Span {
	s.Status = &trace.Status{Code: trace.Status_STATUS_CODE_OK}
	return s
}

// runs returns the episodes of a group, oldest first.
func (s *running) runs(group string) []annals.Episode {
	s.t.Helper()
	episodes, err := s.client.Episodes(s.t.Context(), annals.EpisodeFilter{GroupID: group, Limit: 1000})
	if err != nil && annals.CodeOf(err) != annals.CodeNotFound {
		s.t.Fatal(err)
	}
	for i, j := 0, len(episodes)-1; i < j; i, j = i+1, j-1 {
		episodes[i], episodes[j] = episodes[j], episodes[i]
	}
	for _, e := range episodes {
		if e.Source != graph.SourceRun {
			s.t.Errorf("an episode is of %s", e.Source)
		}
	}
	return episodes
}

// waiting returns the number of waiting spans of a group.
func (s *running) waiting(group string) (count int) {
	s.t.Helper()
	err := clienttest.Dial(s.t, s.store).QueryRow(s.t.Context(), `SELECT count(*) FROM annals_internal.run_spans WHERE group_id = $1`, group).Scan(&count)
	if err != nil {
		s.t.Fatal(err)
	}
	return count
}
