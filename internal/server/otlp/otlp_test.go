package otlp_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// A trace that arrives in parts, with calls first and out of order, becomes one run.
func TestATraceIsARun(t *testing.T) {
	t.Parallel()
	s := serve(t)
	call := tool("1", "b", "a", 20, "deploy", `{"service": "billing"}`, "error.type", "Timeout")
	if partial := s.send("g",
		failed(call, "timed out"),
		tool("1", "c", "d", 3, "bash", "git pull", "gen_ai.tool.call.result", "up to date"),
		span("1", "d", "a", 2, "chat gpt", "gen_ai.operation.name", "chat", "gen_ai.usage.input_tokens", 70, "gen_ai.usage.output_tokens", 5),
		span("1", "e", "a", 2, "SELECT", "db.system", "postgresql")); partial.rejected != 0 {
		t.Errorf("refused: %v", partial)
	}
	if n := s.waiting("g"); n != 4 || len(s.runs("g")) != 0 {
		t.Errorf("%d spans wait, and the runs are %v", n, s.runs("g"))
	}
	outer := succeeded(agent("1", "a", "Deploy billing", "gen_ai.conversation.id", "talk", "annals.environment.branch", "main", "vcs.ref.head.revision", "abc"))
	for range 2 { // sends everything twice
		if partial := s.send("g", span("1", "f", "a", 30, "chat gpt", "gen_ai.operation.name", "chat", "gen_ai.usage.output_tokens", 2), outer); partial.rejected != 0 {
			t.Errorf("refused: %v", partial)
		}
	}
	runs := s.runs("g")
	if len(runs) != 1 || s.waiting("g") != 0 {
		t.Fatalf("there are %d runs, and %d spans wait", len(runs), s.waiting("g"))
	}
	var got graph.Run
	if err := json.Unmarshal([]byte(runs[0].Content), &got); err != nil {
		t.Fatal(err)
	}
	want := graph.Run{
		Task: "Deploy billing", Agent: "Ops", Outcome: "success", DurationMS: 60_000, InputTokens: 70, OutTokens: 7,
		Steps: []graph.RunStep{
			{Tool: "bash", Arguments: json.RawMessage(`"git pull"`), Result: "up to date", DurationMS: 1000},
			{Tool: "deploy", Arguments: json.RawMessage(`{"service":"billing"}`), Error: "timed out", DurationMS: 1000},
		},
		Environment: map[string]string{"service.name": "deployer", "service.version": "3", "branch": "main", "vcs.ref.head.revision": "abc"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the run (-want +got):\n%s", diff)
	}
	if e := runs[0]; e.ThreadID != "talk" || e.Actor != "Ops" || !e.OccurredAt.Equal(began) || e.Authority != graph.AuthorityAssistant ||
		e.ExternalID != "otlp:00000000000000000000000000000001:000000000000000a" {
		t.Errorf("its episode is %+v", e)
	}
}

// The surrounding spans decide which spans of a trace are runs.
func TestWhichSpansAreRuns(t *testing.T) {
	t.Parallel()
	s := serve(t)
	remote := func(one *trace.Span) *trace.Span {
		one.Flags = 0x300
		return one
	}
	within := func(parent string, one *trace.Span) *trace.Span {
		one.ParentSpanId = number(parent, 8)
		return one
	}
	for group, test := range map[string]struct {
		spans [][]*trace.Span
		tasks string // and the number of steps of each
		wait  int
	}{
		"outermost": {[][]*trace.Span{
			{tool("1", "c", "b", 2, "grep", "x"), within("9", agent("1", "b", "Look for x"))},
			{tool("1", "9", "a", 1, "delegate", "y"), agent("1", "a", "Find x")},
		}, "Find x 2", 0},
		"beneath a request": {[][]*trace.Span{{within("1", agent("1", "a", "Find x")), tool("1", "2", "a", 1, "grep", "x")}, {span("1", "1", "", 0, "GET /")}}, "Find x 1", 0},
		"not there yet":     {[][]*trace.Span{{within("1", agent("1", "a", "Find x"))}}, "", 1},
		"of another process": {[][]*trace.Span{
			{tool("1", "c", "f", 1, "plan", "p"), tool("1", "b", "a", 2, "grep", "x"), remote(within("d", agent("1", "a", "Look for x")))},
			{tool("1", "d", "f", 1, "ask", "q"), agent("1", "f", "Find x")},
		}, "Look for x 1, Find x 2", 0},
		"some between are not sent": {[][]*trace.Span{{tool("1", "b", "77", 1, "grep", "x"), agent("1", "a", "Find x")}}, "Find x 1", 0},
		"first of generative AI":    {[][]*trace.Span{{tool("1", "b", "a", 1, "grep", "x"), span("1", "a", "", 0, "crew", "gen_ai.system", "openai", "gen_ai.prompt", "Find x")}}, "Find x 1", 0},
		"a call of a model":         {[][]*trace.Span{{span("1", "a", "", 0, "chat", "gen_ai.operation.name", "chat", "gen_ai.prompt", "Find x")}}, "", 0},
		"named by hand":             {[][]*trace.Span{{tool("1", "b", "a", 1, "grep", "x"), span("1", "a", "", 0, "job", "annals.task", "Find x")}}, "Find x 1", 0},
		"nothing of an agent":       {[][]*trace.Span{{span("1", "b", "a", 0, "SELECT")}, {span("1", "a", "", 0, "GET /")}}, "", 0},
		"two in a trace": {[][]*trace.Span{{
			within("1", agent("1", "a", "Find x")), tool("1", "2", "a", 1, "grep", "x"), within("1", agent("1", "b", "Find y")), span("1", "1", "", 0, "GET /"),
		}}, "Find x 1, Find y 0", 0},
		"its own ancestor": {[][]*trace.Span{{span("1", "a", "b", 0, "x"), span("1", "b", "a", 0, "y")}}, "", 2},
	} {
		group = strings.ReplaceAll(group, " ", "-")
		for _, spans := range test.spans {
			if partial := s.send(group, spans...); partial.rejected != 0 {
				t.Errorf("%s: refused: %v", group, partial)
			}
		}
		var tasks []string
		for _, episode := range s.runs(group) {
			var run graph.Run
			if err := json.Unmarshal([]byte(episode.Content), &run); err != nil {
				t.Fatal(err)
			}
			tasks = append(tasks, fmt.Sprint(run.Task, " ", len(run.Steps)))
		}
		if got := strings.Join(tasks, ", "); got != test.tasks || s.waiting(group) != test.wait {
			t.Errorf("%s: the runs are %q, want %q; %d wait", group, got, test.tasks, s.waiting(group))
		}
	}
}

// Traces state the task and the outcome of a run in several ways.
func TestWhatARunTells(t *testing.T) {
	t.Parallel()
	s := serve(t)
	events := func(pairs ...any) *trace.Span {
		one := agent("1", "a", "")
		one.Events = []*trace.Span_Event{{Name: "gen_ai.user.message", Attributes: attributes(pairs...)}}
		return one
	}
	long := strings.Repeat("ü", 2000)
	for name, test := range map[string]struct {
		span *trace.Span
		want graph.Run
	}{
		"failure":        {failed(agent("1", "a", "Find x"), "no x"), graph.Run{Task: "Find x", Outcome: "failure", Error: "no x"}},
		"unknown":        {agent("1", "a", "Find x"), graph.Run{Task: "Find x"}},
		"said otherwise": {succeeded(agent("1", "a", "Find x", "annals.outcome", "failure", "annals.task", "Seek x")), graph.Run{Task: "Seek x", Outcome: "failure"}},
		"scored":         {agent("1", "a", "Find x", "annals.score", 1), graph.Run{Task: "Find x", Score: new(1.0)}},
		"an event":       {events("content", "Find x"), graph.Run{Task: "Find x"}},
		"flat":           {agent("1", "a", "", "gen_ai.prompt.0.role", "user", "gen_ai.prompt.0.content", "Find x"), graph.Run{Task: "Find x"}},
		"chat":           {agent("1", "a", "", "gen_ai.prompt", `[{"role": "user", "content": "Find y"}, {"role": "user", "content": "Find x"}, {"role": "assistant", "content": "No."}]`), graph.Run{Task: "Find x"}},
		"long":           {agent("1", "a", "", "annals.task", long), graph.Run{Task: long[:2000]}},
		"its own tokens": {agent("1", "a", "Find x", "gen_ai.usage.input_tokens", 3), graph.Run{Task: "Find x", InputTokens: 3}},
	} {
		group := strings.ReplaceAll(name, " ", "-")
		if partial := s.send(group, test.span); partial.rejected != 0 {
			t.Errorf("%s: refused: %v", name, partial)
		}
		runs := s.runs(group)
		if len(runs) != 1 {
			t.Errorf("%s: there are %d runs", name, len(runs))
			continue
		}
		var got graph.Run
		if err := json.Unmarshal([]byte(runs[0].Content), &got); err != nil {
			t.Fatal(err)
		}
		test.want.Agent, test.want.DurationMS = "Ops", 60_000
		test.want.Environment = map[string]string{"service.name": "deployer", "service.version": "3"}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Refused spans are counted and named, and the valid ones of a request are kept.
func TestWhatIsRefusedIsNamed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const many = 502
	spans := []*trace.Span{
		agent("2", "1", "Find x"), agent("3", "1", ""), agent("4", "1", "Find x", "annals.outcome", "fine"), span("0", "1", "", 0, "nameless"),
		agent("6", "1", "Find x"), tool("6", "2", "1", 1, "count", `{"a": 1e999999}`),
	}
	for i := range many {
		spans = append(spans, tool("2", fmt.Sprintf("%x", i+2), "1", i%60, "bash", "ls"))
	}
	partial := s.send("g", spans...)
	said := partial.message
	if partial.rejected != 2+4 || !strings.Contains(said, "annals.task") || !strings.Contains(said, "500 steps") || !strings.Contains(said, `"fine"`) || !strings.Contains(said, `"nameless"`) {
		t.Errorf("refused: %v", partial)
	}
	if runs := s.runs("g"); len(runs) != 1 {
		t.Errorf("there are %d runs", len(runs))
	}
	var waiting []*trace.Span
	for i := range 10_050 {
		waiting = append(waiting, span("5", fmt.Sprintf("%x", i+1), "ffff", 0, "x"))
	}
	if partial := s.send("g", waiting...); partial.rejected != 50 || s.waiting("g") != 10_000 {
		t.Errorf("refused: %v; %d wait", partial, s.waiting("g"))
	}
}

// What has waited for an hour becomes the runs it contains, and the rest is removed.
func TestNothingWaitsForLong(t *testing.T) {
	t.Parallel()
	s := serve(t)
	alone := agent("1", "a", "Find x")
	alone.ParentSpanId = number("7", 8)
	s.send("g", alone, tool("1", "b", "a", 1, "bash", "ls"))
	s.send("g", tool("2", "b", "a", 1, "bash", "ls"))
	s.send("g", tool("3", "b", "a", 1, "bash", "ls"))
	if _, err := clienttest.Dial(t, s.store).Exec(t.Context(), `UPDATE annals_internal.run_spans SET received_at = now() - interval '61 minutes' WHERE trace_id !~ '3$'`); err != nil {
		t.Fatal(err)
	}
	s.send("g", tool("4", "b", "a", 1, "bash", "ls"))
	if runs := s.runs("g"); len(runs) != 1 || !strings.Contains(runs[0].Content, "Find x") || s.waiting("g") != 2 {
		t.Errorf("the runs are %v, and %d spans wait", runs, s.waiting("g"))
	}
}

// The example of OpenTelemetry's specification, and a run, as JSON.
func TestJSON(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const example = `{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "my.service"}}]},
		"scopeSpans": [{"scope": {"name": "my.library", "version": "1.0.0", "attributes": [{"key": "my.scope.attribute", "value": {"stringValue": "some scope attribute"}}]},
		"spans": [{"traceId": "5B8EFFF798038103D269B633813FC60C", "spanId": "EEE19B7EC3C1B174", "parentSpanId": "EEE19B7EC3C1B173", "name": "I'm a server span",
		"startTimeUnixNano": "1544712660000000000", "endTimeUnixNano": "1544712661000000000", "kind": 2,
		"attributes": [{"key": "my.span.attr", "value": {"stringValue": "some value"}}]}]}]}]}`
	run := strings.NewReplacer(`"parentSpanId": "EEE19B7EC3C1B173"`, `"status": {"code": 1}`, `"1544712660000000000"`, `1544712660000000000`,
		`"my.span.attr"`, `"gen_ai.operation.name"`, `"some value"`, `"invoke_agent"`, `"EEE19B7EC3C1B174"`, `"eee19b7ec3c1b173"`, `"attributes": [{"key": "my.span.attr"`,
		`"attributes": [{"key": "gen_ai.input.messages", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": [
			{"key": "role", "value": {"stringValue": "user"}}, {"key": "content", "value": {"stringValue": "Serve me"}}]}}]}}},
			{"key": "gen_ai.usage.input_tokens", "value": {"intValue": "12"}}, {"key": "annals.score", "value": {"doubleValue": 0.5}}, {"key": "gen_ai.operation.name"`).Replace(example)
	for _, sent := range []string{example, run} {
		if status, header, said := s.post("g", text, []byte(sent)); status != http.StatusOK || string(said) != "{}" || header.Get("Content-Type") != text {
			t.Errorf("it is answered %d %v %s", status, header, said)
		}
	}
	runs := s.runs("g")
	const want = `{"task":"Serve me","outcome":"success","score":0.5,"duration_ms":1000,"input_tokens":12,"environment":{"service.name":"my.service"}}`
	if len(runs) != 1 || runs[0].Content != want || runs[0].OccurredAt.Unix() != 1544712660 {
		t.Errorf("the runs are %+v", runs)
	}
	status, _, said := s.post("g", text, []byte(strings.ReplaceAll(run, "gen_ai.input.messages", "x")))
	var answer struct {
		PartialSuccess struct{ RejectedSpans, ErrorMessage string }
	}
	if err := json.Unmarshal(said, &answer); err != nil || status != http.StatusOK || answer.PartialSuccess.RejectedSpans != "1" || !strings.Contains(answer.PartialSuccess.ErrorMessage, "annals.task") {
		t.Errorf("without a task it is answered %d %s (%v)", status, said, err)
	}
}

func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Any input gets an answer as OTLP defines it, in its encoding, and causes no internal error.
func TestAnswersToWhatIsNoTrace(t *testing.T) {
	t.Parallel()
	s := serve(t)
	deep := []byte(`{"resourceSpans":[{"resource":{"attributes":[{"key":"x","value":` + strings.Repeat(`{"arrayValue":{"values":[`, 200) + strings.Repeat(`]}}`, 200) + `}]}}]}`)
	nested := []byte{}
	for range 200 {
		nested = append(append([]byte{0x0a}, varint(len(nested))...), nested...) // lists within lists
		nested = append(append([]byte{0x2a}, varint(len(nested))...), nested...)
	}
	for _, wrapped := range []byte{0x12, 0x0a, 0x0a, 0x0a} { // the value of a resource's attribute
		nested = append(append([]byte{wrapped}, varint(len(nested))...), nested...)
	}
	hollow := bytes.Repeat([]byte{0x12, 0x00}, 200_000) // scopes
	hollow = append(append([]byte{0x0a}, varint(len(hollow))...), hollow...)
	for name, test := range map[string]struct {
		kind, encoding string
		body           []byte
		status         int
	}{
		"nothing":               {wire, "", nil, http.StatusOK},
		"nothing as JSON":       {text, "", []byte("{}"), http.StatusOK},
		"packed":                {wire, "gzip", packed(t, body(t, agent("1", "a", "Find x"))), http.StatusOK},
		"brackets":              {wire, "", body(t, agent("1", "b", strings.Repeat("[", 300))), http.StatusOK},
		"a NUL":                 {wire, "", body(t, agent("1", "c", "", "annals.task", "a\x00b"), tool("1", "d", "c", 1, "b\x00", `{"a": "\u0000"}`)), http.StatusOK},
		"no JSON":               {text, "", []byte("traces"), http.StatusBadRequest},
		"another JSON":          {text, "", []byte(`{"resourceSpans": 1}`), http.StatusBadRequest},
		"no hexadecimal":        {text, "", []byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "x"}]}]}]}`), http.StatusBadRequest},
		"no protobuf":           {wire, "", []byte("\x0a\xffgarbage"), http.StatusBadRequest},
		"no UTF-8":              {wire, "", []byte{0x0a, 4, 0x1a, 2, 0xff, 0xfe}, http.StatusBadRequest},
		"not packed":            {wire, "gzip", body(t), http.StatusBadRequest},
		"another packing":       {wire, "zstd", body(t), http.StatusUnsupportedMediaType},
		"another kind":          {"text/plain", "", []byte("x"), http.StatusUnsupportedMediaType},
		"deep":                  {text, "", deep, http.StatusBadRequest},
		"deep protobuf":         {wire, "", nested, http.StatusBadRequest},
		"many values":           {wire, "", hollow, http.StatusBadRequest},
		"huge":                  {wire, "", make([]byte, 5<<20), http.StatusRequestEntityTooLarge},
		"huge when it is whole": {wire, "gzip", packed(t, make([]byte, 5<<20)), http.StatusRequestEntityTooLarge},
	} {
		headers := []string{}
		if test.encoding != "" {
			headers = []string{"Content-Encoding", test.encoding}
		}
		status, header, said := s.post("g", test.kind, test.body, headers...)
		if status != test.status {
			t.Errorf("%s: %d %v %.200q, want %d", name, status, header, said, test.status)
		}
		if status == http.StatusOK && test.kind == wire && partialOf(t, said).rejected != 0 {
			t.Errorf("%s is answered %q", name, said)
		}
		if status >= 400 && status != http.StatusUnsupportedMediaType && test.kind == wire && (header.Get("Content-Type") != wire || len(said) < 4 || said[0] != 8) {
			t.Errorf("%s: the error is no google.rpc.Status: %v %q", name, header, said)
		}
	}
	if runs := s.runs("g"); len(runs) != 3 {
		t.Errorf("there are %d runs", len(runs))
	}
}

func varint(n int) (out []byte) {
	for ; n > 127; n >>= 7 {
		out = append(out, byte(n&127|128))
	}
	return append(out, byte(n))
}

// A key that may write to a group can send traces to that group only. Their content has at most the
// authority of an assistant.
func TestWhoMaySendTraces(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.send("theirs", tool("1", "b", "a", 1, "bash", "ls"))
	sent := body(t, agent("1", "a", "Find x"))
	for name, test := range map[string]struct {
		as     *running
		group  string
		status int
	}{
		"its own":         {s.as(service.KeySpec{Groups: []string{"mine"}}), "mine", http.StatusOK},
		"another's":       {s.as(service.KeySpec{Groups: []string{"mine"}}), "theirs", http.StatusNotFound},
		"one of many":     {s.as(service.KeySpec{Groups: []string{"mine", "ours"}}), "ours", http.StatusOK},
		"may read":        {s.as(service.KeySpec{Groups: []string{"mine"}, Rights: service.RightsRead}), "mine", http.StatusForbidden},
		"may write":       {s.as(service.KeySpec{Groups: []string{"written"}, Rights: service.RightsWrite}), "written", http.StatusOK},
		"as an assistant": {s.as(service.KeySpec{Groups: []string{"helped"}, Authority: graph.AuthorityAssistant}), "helped", http.StatusOK},
		"no key":          {&running{t: t, url: s.url, key: "none"}, "mine", http.StatusUnauthorized},
		"no group":        {s, "%20", http.StatusBadRequest},
	} {
		if status, _, said := test.as.post(test.group, wire, sent); status != test.status {
			t.Errorf("%s: %d %q, want %d", name, status, said, test.status)
		}
		if test.status == http.StatusOK {
			if runs := s.runs(test.group); len(runs) != 1 || runs[0].Authority != graph.AuthorityAssistant || strings.Contains(runs[0].Content, "bash") {
				t.Errorf("%s: the runs are %+v", name, runs)
			}
		}
	}
	if runs := s.runs("theirs"); len(runs) != 0 || s.waiting("theirs") != 1 {
		t.Errorf("the other's group has %v, and %d wait", runs, s.waiting("theirs"))
	}
}

// A hundred simultaneous senders leave a hundred runs, each with its steps.
func TestManySendAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var tasks errgroup.Group
	for i := range 100 {
		trail := fmt.Sprintf("%x", i+1)
		tasks.Go(func() error {
			s.send("g", tool(trail, "b", "a", 1, "bash", "ls"), tool(trail, "c", "a", 2, "bash", "pwd"))
			if partial := s.send("g", agent(trail, "a", "Find x")); partial.rejected != 0 {
				t.Errorf("refused: %v", partial)
			}
			return nil
		})
	}
	if err := tasks.Wait(); err != nil {
		t.Fatal(err)
	}
	runs := s.runs("g")
	for _, run := range runs {
		if strings.Count(run.Content, `"tool"`) != 2 {
			t.Errorf("a run is %s", run.Content)
		}
	}
	if len(runs) != 100 || s.waiting("g") != 0 {
		t.Errorf("there are %d runs, and %d spans wait", len(runs), s.waiting("g"))
	}
}

// Erasing removes what waits, and erased content does not come back.
func TestErasedTracesStayErased(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.send("g", agent("1", "a", "Visit Zarathox"), tool("2", "b", "a", 1, "travel", "Zarathox"))
	erased := []annals.Erasure{{GroupID: "g", EpisodeIDs: each(s.runs("g"))}, {GroupID: "g"}}
	for i, what := range erased {
		certificate, err := s.client.Erase(t.Context(), what)
		if err != nil {
			t.Fatal(err)
		}
		if s.waiting("g") != 0 || !strings.Contains(fmt.Sprint(certificate.Removed), "run_spans") {
			t.Errorf("%d spans wait; the certificate says %v", s.waiting("g"), certificate.Removed)
		}
		if i == 0 {
			if partial := s.send("g", agent("1", "a", "Visit Zarathox"), tool("3", "b", "a", 1, "travel", "Zarathox")); partial.rejected != 1 || !strings.Contains(partial.message, "erased") {
				t.Errorf("refused: %v", partial)
			}
		}
	}
	if status, _, said := s.post("g", wire, body(t, agent("1", "a", "Find x"))); status != http.StatusConflict {
		t.Errorf("the erased group answers %d %q", status, said)
	}
}

func each(episodes []annals.Episode) (ids []uuid.UUID) {
	for _, e := range episodes {
		ids = append(ids, e.ID)
	}
	return ids
}
