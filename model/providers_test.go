package model_test

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// recorded is a request that reached a wire.
type recorded struct {
	Path   string
	Header http.Header
	Body   map[string]json.RawMessage
}

// wire is a server with scripted answers in any protocol.
type wire struct {
	URL string

	mu       sync.Mutex
	requests []recorded
}

// newWire answers the nth request with the nth script, and later requests with
// the last. A script that begins with a status, as in "400 {…}", is an error.
func newWire(t *testing.T, scripts ...string) *wire {
	t.Helper()
	w := &wire{}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		seen := recorded{Path: r.URL.Path, Header: r.Header}
		if err := json.Unmarshal(data, &seen.Body); err != nil {
			t.Errorf("the request %q: %v", data, err)
		}
		w.mu.Lock()
		w.requests = append(w.requests, seen)
		script := scripts[min(len(w.requests), len(scripts))-1]
		w.mu.Unlock()
		if body, failed := strings.CutPrefix(script, "400 "); failed {
			out.WriteHeader(http.StatusBadRequest)
			script = body
		}
		_, _ = io.WriteString(out, script)
	}))
	t.Cleanup(server.Close)
	w.URL = server.URL
	return w
}

func (w *wire) seen() []recorded {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

const (
	peopleSchema = `{"type":"object","properties":{"people":{"type":"array","items":{"type":"object","properties":` +
		`{"reason":{"type":"string"},"name":{"type":"string","description":"the full name"},"age":{"type":"integer"},` +
		`"alias":{"type":"array","items":{"type":"string"}}},"required":["reason","name","age","alias"],` +
		`"additionalProperties":false}}},"required":["people"],"additionalProperties":false}`

	anthropicTool = `{"id":"1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","content":[
		{"type":"text","text":"I will call it."},
		{"type":"tool_use","id":"t","name":"find_people","input":{"people":[{"reason":"named","name":"Ada","age":36,"alias":[]}]}}],
		"usage":{"input_tokens":100,"output_tokens":40,"cache_read_input_tokens":20,"cache_creation_input_tokens":3}}`

	anthropicText = `{"id":"1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[
		{"type":"thinking","thinking":"{\"people\":[]} or not","signature":"x"},
		{"type":"redacted_thinking","data":"abc"},
		{"type":"text","text":"{\"people\":[{\"reason\":\"named\",\"name\":"},
		{"type":"text","text":"\"Ada\",\"age\":36,\"alias\":[]}]}"}],
		"usage":{"input_tokens":100,"output_tokens":40}}`
)

func TestAnthropicEnforcesTheSchema(t *testing.T) {
	t.Parallel()
	w := newWire(t, anthropicText)
	ledger := &modeltest.Ledger{}
	wantAda(t, open(t, model.Config{Model: "anthropic:claude-sonnet-4-5", BaseURL: w.URL + "/v1", APIKey: "secret"}).With(ledger))
	r := w.seen()[0]
	if r.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != "secret" {
		t.Errorf("sent to %s with %v", r.Path, r.Header)
	}
	if diff := cmp.Diff(`{"format":{"schema":`+peopleSchema+`,"type":"json_schema"}}`, string(r.Body["output_config"])); diff != "" {
		t.Errorf("output_config (-want +got):\n%s", diff)
	}
	if r.Body["tools"] != nil || string(r.Body["max_tokens"]) != "4096" || string(r.Body["temperature"]) != "0" {
		t.Errorf("the request is %s", r.Body)
	}
	if c := ledger.Calls()[0]; len(ledger.Calls()) != 1 || c.InputTokens != 100 || c.OutputTokens != 40 {
		t.Errorf("usage is counted for each block: %+v", c)
	}
}

// A text in parts is one text. Counts of tokens that cannot be are cut to what can be counted.
func TestOpenAIAnswersInParts(t *testing.T) {
	t.Parallel()
	w := newWire(t, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":[
		{"type":"thinking","thinking":[{"type":"text","text":"{\"people\":[]} or not"}]},
		{"type":"text","text":"{\"people\":[{\"reason\":\"named\",\"name\":"},
		{"type":"text","text":"\"Ada\",\"age\":36,\"alias\":[]}]}"}]}}],
		"usage":{"prompt_tokens":-5,"completion_tokens":99999999999,"prompt_tokens_details":{"cached_tokens":7}}}`)
	ledger := &modeltest.Ledger{}
	wantAda(t, open(t, model.Config{Model: "mistral:magistral-small-latest", BaseURL: w.URL + "/v1", APIKey: "secret"}).With(ledger))
	if c := ledger.Calls()[0]; len(ledger.Calls()) != 1 || c.InputTokens != 0 || c.CachedTokens != 0 || c.OutputTokens != math.MaxInt32 {
		t.Errorf("the ledger has %+v", ledger.Calls())
	}
}

func TestAnthropicForcesATool(t *testing.T) {
	t.Parallel()
	w := newWire(t, `400 {"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: not supported"}}`, anthropicTool)
	ledger := &modeltest.Ledger{}
	l := open(t, model.Config{Model: "anthropic:claude-3-5-haiku-latest", BaseURL: w.URL}).With(ledger)
	wantAda(t, l)
	wantAda(t, open(t, model.Config{Model: "anthropic:claude-3-5-haiku-latest", BaseURL: w.URL, Structured: model.StructuredJSON}))
	for _, r := range w.seen()[1:] {
		if diff := cmp.Diff(`{"disable_parallel_tool_use":true,"name":"find_people","type":"tool"}`, string(r.Body["tool_choice"])); diff != "" {
			t.Errorf("tool_choice (-want +got):\n%s", diff)
		}
		want := `[{"description":"Takes the answer.","input_schema":` + peopleSchema + `,"name":"find_people"}]`
		if diff := cmp.Diff(want, string(r.Body["tools"])); diff != "" {
			t.Errorf("tools (-want +got):\n%s", diff)
		}
	}
	lines := ledger.Calls()
	if len(lines) != 2 || !strings.Contains(lines[0].Error, "not supported") {
		t.Fatalf("the ledger has %+v", lines)
	}
	if c := lines[1]; c.InputTokens != 123 || c.CachedTokens != 20 || c.OutputTokens != 40 {
		t.Errorf("usage is %+v", c)
	}
}

func TestAnthropicOddAnswers(t *testing.T) {
	t.Parallel()
	answer := func(reason, text string) string {
		content, _ := json.Marshal([]any{map[string]string{"type": "text", "text": text}})
		return `{"type":"message","stop_reason":"` + reason + `","content":` + string(content) + `,"usage":{"input_tokens":1,"output_tokens":1}}`
	}
	w := newWire(t, answer("max_tokens", `{"people":[]}`), anthropicText)
	wantAda(t, open(t, model.Config{Model: "anthropic:claude-opus-5-5", BaseURL: w.URL, MaxTokens: 50}))
	if sent := w.seen(); len(sent) != 2 || string(sent[1].Body["max_tokens"]) != "100" || sent[0].Body["temperature"] != nil {
		t.Errorf("%d requests: %s", len(sent), sent[len(sent)-1].Body)
	}
	refuses := newWire(t, answer("refusal", ""))
	_, err := ask(t.Context(), open(t, model.Config{Model: "anthropic:m", BaseURL: refuses.URL}))
	if _, ok := errors.AsType[*model.CallError](err); !ok || !strings.Contains(err.Error(), "the model refuses to answer") || len(refuses.seen()) != 1 {
		t.Errorf("%d requests, error %v", len(refuses.seen()), err)
	}
}

// ollamaStream is an answer in Ollama's stream of pieces.
func ollamaStream(reason string, pieces ...string) string {
	var lines strings.Builder
	for _, piece := range pieces {
		line, _ := json.Marshal(map[string]any{"model": "m", "message": map[string]string{"role": "assistant", "content": piece}, "done": false})
		lines.Write(append(line, '\n'))
	}
	lines.WriteString(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"` + reason + `","prompt_eval_count":90,"eval_count":25}` + "\n")
	return lines.String()
}

func TestOllamaChat(t *testing.T) {
	t.Parallel()
	w := newWire(t, ollamaStream("stop", "<think>Ada, {36}</think>", `{"people":[{"reason":"named",`, `"name":"Ada","age":"36","alias":null}]}`))
	ledger := &modeltest.Ledger{}
	wantAda(t, open(t, model.Config{Model: "ollama:qwen3:8b", BaseURL: w.URL + "/v1", APIKey: "cloud"}).With(ledger))
	r := w.seen()[0]
	if r.Path != "/api/chat" || r.Header.Get("Authorization") != "Bearer cloud" || string(r.Body["model"]) != `"qwen3:8b"` {
		t.Errorf("sent to %s with %v: %s", r.Path, r.Header, r.Body)
	}
	if diff := cmp.Diff(peopleSchema, string(r.Body["format"])); diff != "" {
		t.Errorf("format (-want +got):\n%s", diff)
	}
	var options struct {
		Context     int      `json:"num_ctx"`
		Predict     int      `json:"num_predict"`
		Temperature *float64 `json:"temperature"`
	}
	if err := json.Unmarshal(r.Body["options"], &options); err != nil || options.Context != 8192 || options.Predict != 4096 || *options.Temperature != 0 {
		t.Errorf("options %s (%v)", r.Body["options"], err)
	}
	if c := ledger.Calls()[0]; c.InputTokens != 90 || c.OutputTokens != 25 || c.Cost == nil || *c.Cost != 0 {
		t.Errorf("the ledger has %+v", c)
	}
}

func TestOllamaMakesRoomForLongPrompts(t *testing.T) {
	t.Parallel()
	w := newWire(t, ollamaStream("stop", `{"people":[]}`))
	long := model.Question{Name: "find_people", User: strings.Repeat("Ada is 36. ", 6000)}
	if _, err := model.Ask[people](t.Context(), open(t, model.Config{Model: "ollama:m", BaseURL: w.URL}), long, nil); err != nil {
		t.Fatal(err)
	}
	if options := string(w.seen()[0].Body["options"]); !strings.Contains(options, `"num_ctx":32768`) {
		t.Errorf("options %s, want a window for 22 000 tokens and the answer", options)
	}
}

func TestOllamaOddAnswers(t *testing.T) {
	t.Parallel()
	whole := ollamaStream("stop", `{"people":[{"reason":"named","name":"Ada","age":36}]}`)
	for name, first := range map[string]string{
		"cut off":            ollamaStream("length", `{"people":[]}`),
		"all thought":        ollamaStream("length", ""),
		"without content":    ollamaStream("stop", ""),
		"an old version":     `400 {"error":"json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}`,
		"an error midway":    `{"error":"llama runner crashed"}`,
		"no end of the line": `{"model":"m","message":{"role":"assistant","content":"{\"peo`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, first, whole)
			ledger := &modeltest.Ledger{}
			wantAda(t, open(t, model.Config{Model: "ollama:m", BaseURL: w.URL}).With(ledger))
			if lines := ledger.Calls(); len(lines) != 2 || lines[0].Error == "" || len(w.seen()) != 2 {
				t.Errorf("%d requests; the ledger has %+v", len(w.seen()), lines)
			}
		})
	}
}

func TestProvidersThatSpeakTheOpenAIProtocol(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gemini", "mistral", "groq", "openrouter", "vllm", "llamacpp", "lmstudio"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
			wantAda(t, open(t, model.Config{Model: name + ":m", BaseURL: s.URL}))
			body := string(s.Calls()[0].Body)
			if !strings.Contains(body, `"max_tokens":4096`) || strings.Contains(body, "max_completion_tokens") || !strings.Contains(body, "json_schema") {
				t.Errorf("sent %s", body)
			}
		})
	}
}
