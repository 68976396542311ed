package modeltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Server speaks the OpenAI protocol over real HTTP. A function of the test
// supplies chat completions; embeddings depend on the text alone. Open a model
// with the specification "openai:scripted" and the base URL in URL.
type Server struct {
	URL string // includes /v1

	t       testing.TB
	answer  func(Request) Reply
	closing chan struct{}

	mu        sync.Mutex
	calls     []Request
	embedding func(Request) Reply
}

// Request is a request that the server received.
type Request struct {
	Prompt string          // the question's name; empty for embeddings
	System string          // instructions
	User   string          // the question
	Repair string          // the complaint about the previous answer; empty: none
	Schema json.RawMessage // schema of the answer; nil if not enforced
	Texts  []string        // to embed; nil for chats
	Tools  []string        // names of the functions offered; nil: none
	Turns  []Turn          // with Tools: the whole conversation, without instructions
	Model  string
	N      int             // its number among requests with this prompt, or among embedding requests, from 1
	Body   json.RawMessage // as received
}

// Turn is a message of a conversation.
type Turn struct {
	Role     string // user, assistant or tool
	Text     string
	Function string // the function that the assistant called; empty: none
	CallID   string // id of that call, or of the call that this is the result of
}

// Reply says how a server answers. The first of Hang, Reset, Status, Raw and Empty
// that is set decides; else the answer is Text, or JSON.
type Reply struct {
	JSON         any    // the answer, to be marshalled
	Text         string // the answer verbatim; takes precedence over JSON
	Calls        []Call // function calls, beside Text
	Status       int    // an HTTP error status, with Text as its message
	RetryAfter   string // header of that error
	Raw          string // the whole body, with status 200
	Reset        bool   // break the connection in the middle of the body
	Hang         bool   // wait until the client gives up
	Empty        bool   // no choices
	FinishReason string // defaults to stop; "length": cut off
	InputTokens  int    // defaults to a quarter of the bytes of the question
	OutputTokens int    // defaults to a quarter of the bytes of the answer
}

// Call is a function called by the scripted model.
type Call struct {
	Name      string
	Arguments any // marshalled; a string is sent unchanged
}

// NewServer starts a server that stops at the end of the test. It calls answer for
// every chat completion, concurrently if requests are. With a nil answer every
// chat completion fails the test.
func NewServer(t testing.TB, answer func(Request) Reply) *Server {
	t.Helper()
	s := newServer(t, answer)
	h := httptest.NewServer(s)
	s.URL = h.URL + "/v1"
	t.Cleanup(func() {
		close(s.closing)
		h.Close()
	})
	return s
}

var inProcesses atomic.Int64

// NewInProcess returns a server without a network. Its URL leads nowhere; only the
// client of [Client] reaches it. Use it under testing/synctest, whose clock stands
// still while a goroutine waits for the network.
func NewInProcess(t testing.TB, answer func(Request) Reply) *Server {
	t.Helper()
	s := newServer(t, answer)
	s.URL = fmt.Sprintf("http://in-process-%d.test/v1", inProcesses.Add(1))
	return s
}

func newServer(t testing.TB, answer func(Request) Reply) *Server {
	return &Server{t: t, answer: answer, closing: make(chan struct{})}
}

// OnEmbedding registers f for every embedding request. A zero Reply returns the
// vectors.
func (s *Server) OnEmbedding(f func(Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embedding = f
}

// Calls returns all requests so far, in order of arrival.
func (s *Server) Calls() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Chats counts the chat completions asked for.
func (s *Server) Chats() int { return s.count(func(r Request) bool { return r.Texts == nil }) }

// Embeddings counts the embedding requests.
func (s *Server) Embeddings() int { return s.count(func(r Request) bool { return r.Texts != nil }) }

// Prompts returns the names of the questions asked, in order.
func (s *Server) Prompts() []string {
	var names []string
	for _, r := range s.Calls() {
		if r.Texts == nil {
			names = append(names, r.Prompt)
		}
	}
	return names
}

func (s *Server) count(counts func(Request) bool) int {
	n := 0
	for _, r := range s.Calls() {
		if counts(r) {
			n++
		}
	}
	return n
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.chat(w, r, body)
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		s.embed(w, r, body)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	request, err := readChat(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	request = s.remember(request)
	if s.answer == nil {
		s.t.Errorf("the model was asked %s, and no question was expected", request.Prompt)
		http.Error(w, "no question was expected", http.StatusNotImplemented)
		return
	}
	reply := s.answer(request)
	text := reply.Text
	if text == "" && reply.JSON != nil {
		marshalled, err := json.Marshal(reply.JSON)
		if err != nil {
			s.t.Errorf("the scripted answer to %s: %v", request.Prompt, err)
		}
		text = string(marshalled)
	}
	completion := completionOf(request, reply, text)
	if reply.Empty {
		completion["choices"] = []any{}
	}
	s.send(w, r, reply, completion)
}

func completionOf(request Request, reply Reply, text string) map[string]any {
	in := cmp.Or(reply.InputTokens, (len(request.System)+len(request.User)+len(request.Repair))/4)
	out := cmp.Or(reply.OutputTokens, len(text)/4)
	return map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": request.Model,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": cmp.Or(reply.FinishReason, "stop"),
			"message": map[string]any{"role": "assistant", "content": text, "tool_calls": callsOf(request, reply)},
		}},
		"usage": map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
	}
}

// callsOf converts function calls to the protocol's form.
func callsOf(request Request, reply Reply) []any {
	var calls []any
	for i, call := range reply.Calls {
		arguments, ok := call.Arguments.(string)
		if !ok {
			marshalled, err := json.Marshal(call.Arguments)
			if err != nil {
				panic("modeltest: " + err.Error()) // the test supplied it
			}
			arguments = string(marshalled)
		}
		calls = append(calls, map[string]any{
			"id": fmt.Sprintf("call_%d_%d", request.N, i+1), "type": "function",
			"function": map[string]string{"name": call.Name, "arguments": arguments},
		})
	}
	return calls
}

// send answers with a body, or fails as the reply says.
func (s *Server) send(w http.ResponseWriter, r *http.Request, reply Reply, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Errorf("marshal a response: %v", err)
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case reply.Hang:
		select {
		case <-r.Context().Done():
		case <-s.closing:
		}
		panic(http.ErrAbortHandler)
	case reply.Reset:
		_, _ = w.Write(data[:len(data)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // closes the connection
	case reply.Status != 0:
		if reply.RetryAfter != "" {
			w.Header().Set("Retry-After", reply.RetryAfter)
		}
		w.WriteHeader(reply.Status)
		data, _ = json.Marshal(map[string]any{"error": map[string]string{"message": reply.Text}})
	case reply.Raw != "":
		data = []byte(reply.Raw)
	}
	_, _ = w.Write(data)
}

// remember stores a request and numbers it.
func (s *Server) remember(r Request) Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.N = 1
	for _, earlier := range s.calls {
		if earlier.Prompt == r.Prompt && (earlier.Texts == nil) == (r.Texts == nil) {
			r.N++
		}
	}
	s.calls = append(s.calls, r)
	return r
}

// namedInPrompt finds the name of a question in its prompt, for models without an
// enforced schema.
var namedInPrompt = regexp.MustCompile(`The answer to ([\w-]+) is one JSON object`)

func readChat(body []byte) (Request, error) {
	var sent struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			CallID  string          `json:"tool_call_id"`
			Calls   []struct {
				ID       string `json:"id"`
				Function struct {
					Name string `json:"name"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Format struct {
			Schema struct {
				Name   string          `json:"name"`
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		return Request{}, fmt.Errorf("read a chat completion: %w", err)
	}
	r := Request{
		Prompt: sent.Format.Schema.Name, Schema: sent.Format.Schema.Schema, Model: sent.Model, Body: bytes.Clone(body),
	}
	for _, t := range sent.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	questions := 0
	for _, m := range sent.Messages {
		text := textOf(m.Content)
		if m.Role != "system" && r.Tools != nil {
			turn := Turn{Role: m.Role, Text: text, CallID: m.CallID}
			if len(m.Calls) > 0 {
				turn.Function, turn.CallID = m.Calls[0].Function.Name, m.Calls[0].ID
			}
			r.Turns = append(r.Turns, turn)
		}
		switch {
		case m.Role == "system":
			r.System = text
		case m.Role == "user" && questions == 0:
			r.User = text
			questions++
		case m.Role == "user":
			r.Repair = text
		}
	}
	if found := namedInPrompt.FindStringSubmatch(r.System + r.User); r.Prompt == "" && found != nil {
		r.Prompt = found[1]
	}
	return r, nil
}

// textOf returns the text of a message, which may consist of parts.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	for _, part := range parts {
		text += part.Text
	}
	return text
}
