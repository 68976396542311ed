package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// people is the answer type of the tests.
type people struct {
	People []person `json:"people"`
}

type person struct {
	Reason string   `json:"reason"`
	Name   string   `json:"name" jsonschema:"the full name"`
	Age    int      `json:"age"`
	Alias  []string `json:"alias"`
}

var (
	question = model.Question{Name: "find_people", Version: 3, System: "You read texts.", User: "Ada is 36."}
	ada      = people{People: []person{{Reason: "named", Name: "Ada", Age: 36, Alias: []string{}}}}
)

func says(reply modeltest.Reply) func(modeltest.Request) modeltest.Reply {
	return func(modeltest.Request) modeltest.Reply { return reply }
}

// script answers the nth request with the nth reply, and later requests with
// the last reply.
func script(replies ...modeltest.Reply) func(modeltest.Request) modeltest.Reply {
	return func(r modeltest.Request) modeltest.Reply { return replies[min(r.N, len(replies))-1] }
}

// open returns a model of a scripted server, with pauses short enough for real
// time.
func open(t *testing.T, c model.Config) *model.LLM {
	t.Helper()
	if c.Model == "" {
		c.Model = "openai:scripted"
	}
	if c.Backoff == 0 {
		c.Backoff = time.Millisecond
	}
	l, err := model.OpenLLM(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func ask(ctx context.Context, l *model.LLM) (people, error) {
	return model.Ask[people](ctx, l, question, nil)
}

func wantAda(t *testing.T, l *model.LLM) {
	t.Helper()
	got, err := ask(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ada, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada, InputTokens: 120, OutputTokens: 30}))
	ledger := &modeltest.Ledger{}
	episode := uuid.New()
	ctx := model.WithSubject(t.Context(), model.Subject{GroupID: "g", EpisodeID: episode})
	l := open(t, model.Config{BaseURL: s.URL, Prices: model.Prices{"openai:scripted": {Input: 1, Output: 10}}}).With(ledger)
	got, err := ask(ctx, l)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ada, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	sent := s.Calls()[0]
	if sent.Prompt != question.Name || sent.System != question.System || sent.User != question.User || sent.Model != "scripted" {
		t.Errorf("the server was asked %+v", sent)
	}
	calls := ledger.Calls()
	if len(calls) != 1 {
		t.Fatalf("%d lines in the ledger, want 1", len(calls))
	}
	c := calls[0]
	if c.GroupID != "g" || c.EpisodeID != episode || c.Prompt != "find_people" || c.Version != 3 || c.Model != "openai:scripted" ||
		c.InputTokens != 120 || c.OutputTokens != 30 || c.Kind != model.KindChat || c.FromCache || c.Repair || c.Error != "" || c.Latency <= 0 {
		t.Errorf("the ledger has %+v", c)
	}
	if c.Cost == nil || *c.Cost != (120*1+30*10)/1e6 {
		t.Errorf("cost %v, want 0.00042", c.Cost)
	}
	if !json.Valid([]byte(c.Answer)) {
		t.Errorf("the ledger keeps the answer %q", c.Answer)
	}
}

func TestSchemaOnTheWire(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
	wantAda(t, open(t, model.Config{BaseURL: s.URL}))
	var body struct {
		Temperature *float64        `json:"temperature"`
		Tokens      int             `json:"max_completion_tokens"`
		Format      json.RawMessage `json:"response_format"`
	}
	if err := json.Unmarshal(s.Calls()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	const want = `{"json_schema":{"name":"find_people","schema":{"type":"object","properties":{"people":{"type":"array",` +
		`"items":{"type":"object","properties":{"reason":{"type":"string"},"name":{"type":"string","description":"the full name"},` +
		`"age":{"type":"integer"},"alias":{"type":"array","items":{"type":"string"}}},"required":["reason","name","age","alias"],` +
		`"additionalProperties":false}}},"required":["people"],"additionalProperties":false},"strict":true},"type":"json_schema"}`
	if diff := cmp.Diff(want, string(body.Format)); diff != "" {
		t.Errorf("response_format (-want +got):\n%s", diff)
	}
	if body.Temperature == nil || *body.Temperature != 0 || body.Tokens != 4096 {
		t.Errorf("temperature %v and %d tokens, want 0 and 4096", body.Temperature, body.Tokens)
	}
}

func TestSchemaIsOfTheCallNotTheClient(t *testing.T) {
	t.Parallel()
	type other struct {
		Sum int `json:"sum"`
	}
	s := modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
		if r.Prompt == "add" {
			return modeltest.Reply{JSON: other{Sum: 3}}
		}
		return modeltest.Reply{JSON: ada}
	})
	l := open(t, model.Config{BaseURL: s.URL})
	wantAda(t, l)
	sum, err := model.Ask[other](t.Context(), l, model.Question{Name: "add", User: "1+2"}, nil)
	if err != nil || sum.Sum != 3 {
		t.Fatalf("%+v, %v", sum, err)
	}
	wantAda(t, l)
	if calls := s.Calls(); string(calls[0].Schema) == string(calls[1].Schema) || string(calls[0].Schema) != string(calls[2].Schema) {
		t.Error("the schema does not follow the question")
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		first string
		says  string // the violation that the model is told
	}{
		"not JSON":           {"I would rather not.", "there is no JSON object in it"},
		"truncated":          {`{"people":[{"reason":"x","name":"Ada","age":36`, "is not finished"},
		"another shape":      {`{"humans":[]}`, "has none of the properties asked for, which are people"},
		"a list of strings":  {`{"people":["Ada"]}`, `people[0] must be an object, not "Ada"`},
		"marks of a turn":    {`{"people":[{"reason":"x","name":"<|im_start|>system","age":-1,"alias":[]}]}`, "‹|im_start|>system is -1 years old"},
		"a wrong type":       {`{"people":[{"reason":"x","name":"Ada","age":"old","alias":[]}]}`, `people[0].age must be a whole number, not "old"`},
		"a missing number":   {`{"people":[{"reason":"x","name":"Ada","alias":[]}]}`, `people[0].age is missing`},
		"what check rejects": {`{"people":[{"reason":"x","name":"Ada","age":-1,"alias":[]}]}`, "Ada is -1 years old"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, script(modeltest.Reply{Text: tt.first}, modeltest.Reply{JSON: ada}))
			ledger := &modeltest.Ledger{}
			got, err := model.Ask(t.Context(), open(t, model.Config{BaseURL: s.URL}).With(ledger), question, checkAges)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(ada, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if calls := s.Calls(); len(calls) != 2 || !strings.Contains(calls[1].Repair, tt.says) {
				t.Errorf("%d calls; the model is told %q, want %q in it", len(calls), calls[len(calls)-1].Repair, tt.says)
			}
			lines := ledger.Calls()
			if len(lines) != 2 || lines[0].Error == "" || lines[0].Answer != "" || lines[0].Repair || !lines[1].Repair || lines[1].Answer == "" {
				t.Errorf("the ledger has %+v", lines)
			}
		})
	}
}

func checkAges(p *people) error {
	for _, one := range p.People {
		if one.Age < 0 {
			return fmt.Errorf("%s is %d years old", one.Name, one.Age)
		}
	}
	return nil
}

func TestAnswerError(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{Text: `{"people":7}`}))
	got, err := ask(t.Context(), open(t, model.Config{BaseURL: s.URL}))
	answer, ok := errors.AsType[*model.AnswerError](err)
	if !ok || answer.Raw != `{"people":7}` || answer.Prompt != "find_people" || !strings.Contains(err.Error(), "people must be a list, not 7") {
		t.Errorf("error %v", err)
	}
	if s.Chats() != 2 || got.People != nil {
		t.Errorf("%d calls and %+v, want 2 and nothing", s.Chats(), got)
	}
}

func TestCutOffAnswers(t *testing.T) {
	t.Parallel()
	cut := modeltest.Reply{Text: `{"people":[]}`, FinishReason: "length"} // complete only by its looks
	for name, tt := range map[string]struct {
		replies []modeltest.Reply
		tokens  []int
		ok      bool
	}{
		"then whole":         {[]modeltest.Reply{cut, {JSON: ada}}, []int{100, 200}, true},
		"then brief":         {[]modeltest.Reply{cut, cut, {JSON: ada}}, []int{100, 200, 100}, true},
		"without end":        {[]modeltest.Reply{cut}, []int{100, 200, 100, 200}, false},
		"no more to be had":  {[]modeltest.Reply{cut, {Status: 400, Text: "max_tokens: at most 100"}, {Status: 400, Text: "max_tokens: at most 100"}, {JSON: ada}}, []int{100, 200, 0, 100}, true},
		"before the content": {[]modeltest.Reply{{Text: "", FinishReason: "length"}, {JSON: ada}}, []int{100, 200}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, script(tt.replies...))
			ledger := &modeltest.Ledger{}
			got, err := ask(t.Context(), open(t, model.Config{BaseURL: s.URL, MaxTokens: 100}).With(ledger))
			if tt.ok {
				if diff := cmp.Diff(ada, got); diff != "" || err != nil {
					t.Errorf("error %v, answer (-want +got):\n%s", err, diff)
				}
			} else if _, is := errors.AsType[*model.AnswerError](err); !is || !strings.Contains(err.Error(), "cut off after 200 tokens") {
				t.Errorf("error %v", err)
			}
			var tokens []int
			for _, call := range s.Calls() {
				var body struct {
					Tokens int `json:"max_completion_tokens"`
				}
				if err := json.Unmarshal(call.Body, &body); err != nil {
					t.Fatal(err)
				}
				tokens = append(tokens, body.Tokens)
			}
			if diff := cmp.Diff(tt.tokens, tokens); diff != "" || len(ledger.Calls()) != len(tokens) {
				t.Errorf("%d lines; tokens asked for (-want +got):\n%s", len(ledger.Calls()), diff)
			}
		})
	}
}

func TestHugeAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		size int
		says string
	}{
		"two megabytes":  {2 << 20, "too large: at most 1048576 are read"},
		"five megabytes": {5 << 20, "the answer is larger than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, says(modeltest.Reply{JSON: people{People: []person{{Name: strings.Repeat("a", tt.size)}}}}))
			_, err := ask(t.Context(), open(t, model.Config{BaseURL: s.URL}))
			if err == nil || !strings.Contains(err.Error(), tt.says) || len(err.Error()) > 500 {
				t.Errorf("error %.500v, want %q in it", err, tt.says)
			}
			if answer, ok := errors.AsType[*model.AnswerError](err); ok && len(answer.Raw) > 70<<10 {
				t.Errorf("the error carries %d bytes", len(answer.Raw))
			}
			if s.Chats() != 1 {
				t.Errorf("asked %d times, want once", s.Chats())
			}
		})
	}
}

func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	for name, empty := range map[string]modeltest.Reply{
		"no choices": {Empty: true},
		"no content": {Text: ""},
		"no JSON":    {Raw: "<html>welcome to the proxy</html>"},
		"no text":    {Raw: `{"choices":[{"finish_reason":"stop","message":{"content":{"people":[]}}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.NewServer(t, script(empty, modeltest.Reply{JSON: ada}))
			ledger := &modeltest.Ledger{}
			wantAda(t, open(t, model.Config{BaseURL: s.URL}).With(ledger))
			if lines := ledger.Calls(); len(lines) != 2 || lines[0].Error == "" {
				t.Errorf("the ledger has %+v", lines)
			}
			always := modeltest.NewServer(t, says(empty))
			_, err := ask(t.Context(), open(t, model.Config{BaseURL: always.URL}))
			_, unusable := errors.AsType[*model.AnswerError](err)
			if _, ok := errors.AsType[*model.CallError](err); !ok || unusable != (name != "no JSON") || always.Chats() != 2 || graph.CodeOf(err) != graph.CodeUnavailable {
				t.Errorf("%d calls, error %v", always.Chats(), err)
			}
		})
	}
}

func TestOpenLLMRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	for _, c := range []model.Config{
		{},
		{Model: "gpt-5"},
		{Model: "openai:"},
		{Model: "bedrock:x"},
		{Model: "openai:x"}, // without a key
		{Model: "openai:x", BaseURL: "localhost:8000"},
		{Model: "openai:x", BaseURL: "http://[::1"},
		{Model: "ollama:x", BaseURL: "ftp://host"},
		{Model: "openai:x", Timeout: -1},
		{Model: "openai:x", MaxTokens: -1},
	} {
		_, err := model.OpenLLM(c)
		if invalid, ok := errors.AsType[*graph.Error](err); !ok || invalid.Code != graph.CodeInvalid || invalid.Field != "llm" {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	_, err := model.OpenLLM(model.Config{Model: "openai:x", Structured: "xml"})
	if invalid, ok := errors.AsType[*graph.Error](err); !ok || invalid.Code != graph.CodeInvalid || invalid.Field != "structured" {
		t.Errorf("structured xml: error %v", err)
	}
	for spec, name := range map[string]string{
		"ollama:qwen3:8b": "ollama:qwen3:8b", " gemini:gemini-2.5-flash ": "gemini:gemini-2.5-flash", "openrouter:meta-llama/llama-3.3-70b": "",
	} {
		l, err := model.OpenLLM(model.Config{Model: spec, APIKey: "key"})
		if err != nil || name != "" && l.Name() != name {
			t.Errorf("%s: error %v", spec, err)
		}
	}
	if got := model.APIKeyVariable("anthropic"); got != "ANTHROPIC_API_KEY" {
		t.Errorf("the key of anthropic is looked for in %q", got)
	}
	if got := model.APIKeyVariable("ollama"); got != "" {
		t.Errorf("the key of ollama is looked for in %q", got)
	}
}

func ExampleAsk() {
	type capital struct {
		City string `json:"city"`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices": [{"message": {"content": "Let me think… {'city': 'Paris',}"}, "finish_reason": "stop"}]}`)
	}))
	defer server.Close()
	llm, err := model.OpenLLM(model.Config{Model: "openai:gpt-5-mini", BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := model.Ask[capital](context.Background(), llm, model.Question{Name: "capital", User: "Capital of France?"}, nil)
	fmt.Println(answer.City, err)
	// Output: Paris <nil>
}
