package modeltest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// post sends a body and returns the status and the bytes received before any
// failure.
func post(t *testing.T, client *http.Client, url, body string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	return response.StatusCode, string(data), err
}

const chat = `{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hello"}]}],
	"response_format":{"type":"json_schema","json_schema":{"name":"greet","schema":{"type":"object"}}}}`

// bothWays runs a test over the network and in process.
func bothWays(t *testing.T, answer func(modeltest.Request) modeltest.Reply, test func(*testing.T, *modeltest.Server, *http.Client)) {
	t.Helper()
	t.Run("over the network", func(t *testing.T) {
		t.Parallel()
		test(t, modeltest.NewServer(t, answer), http.DefaultClient)
	})
	t.Run("in process", func(t *testing.T) {
		t.Parallel()
		s := modeltest.NewInProcess(t, answer)
		test(t, s, modeltest.Client(s))
	})
}

func TestServerChats(t *testing.T) {
	t.Parallel()
	answer := func(r modeltest.Request) modeltest.Reply { return modeltest.Reply{JSON: map[string]int{"n": r.N}} }
	bothWays(t, answer, func(t *testing.T, s *modeltest.Server, client *http.Client) {
		for n, want := range []string{`{\"n\":1}`, `{\"n\":2}`} {
			if status, body, err := post(t, client, s.URL+"/chat/completions", chat); status != 200 || !strings.Contains(body, want) || err != nil {
				t.Errorf("call %d: %d %s %v", n, status, body, err)
			}
		}
		got := s.Calls()[1]
		got.Body = nil
		want := modeltest.Request{Prompt: "greet", System: "be brief", User: "hello", Schema: json.RawMessage(`{"type":"object"}`), Model: "m", N: 2}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"greet", "greet"}, s.Prompts()); diff != "" || s.Chats() != 2 || s.Embeddings() != 0 {
			t.Errorf("%d chats, %d embeddings; prompts (-want +got):\n%s", s.Chats(), s.Embeddings(), diff)
		}
	})
}

func TestServerFaults(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply  modeltest.Reply
		status int
		body   string
		broken bool
	}{
		"an error":     {modeltest.Reply{Status: 429, RetryAfter: "3", Text: "slow down"}, 429, `{"error":{"message":"slow down"}}`, false},
		"a reset":      {modeltest.Reply{Text: "hello", Reset: true}, 200, `{"choices"`, true},
		"no choices":   {modeltest.Reply{Empty: true}, 200, `"choices":[]`, false},
		"a raw body":   {modeltest.Reply{Raw: "<html>"}, 200, "<html>", false},
		"out of space": {modeltest.Reply{Text: "{", FinishReason: "length"}, 200, `"finish_reason":"length"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(modeltest.Request) modeltest.Reply { return tt.reply }, func(t *testing.T, s *modeltest.Server, client *http.Client) {
				status, body, err := post(t, client, s.URL+"/chat/completions", chat)
				if status != tt.status || !strings.Contains(body, tt.body) || (err != nil) != tt.broken {
					t.Errorf("%d %s %v", status, body, err)
				}
			})
		})
	}
}

func TestServerHangs(t *testing.T) {
	t.Parallel()
	bothWays(t, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Hang: true} }, func(t *testing.T, s *modeltest.Server, client *http.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader(chat))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := client.Do(r) //nolint:bodyclose // there is none
			gone <- err
		}()
		for s.Chats() == 0 { // until the request is there
			select {
			case err := <-gone:
				t.Fatalf("it did not hang: %v", err)
			default:
			}
		}
		cancel()
		if err := <-gone; err == nil {
			t.Error("a hanging server answered")
		}
	})
}

func TestServerEmbeds(t *testing.T) {
	t.Parallel()
	e, err := model.NewHashEmbedder(16)
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"one", "two", "three"}
	want, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	bothWays(t, nil, func(t *testing.T, s *modeltest.Server, client *http.Client) {
		_, body, err := post(t, client, s.URL+"/embeddings", `{"model":"m","input":["one","two","three"],"dimensions":16}`)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Data []struct {
				Index     int       `json:"index"`
				Embedding []float32 `json:"embedding"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Data) != 3 || got.Data[0].Index == 0 {
			t.Fatalf("%d vectors, the first of text %d: they should come in another order", len(got.Data), got.Data[0].Index)
		}
		for _, one := range got.Data {
			if diff := cmp.Diff(want[one.Index], one.Embedding); diff != "" {
				t.Errorf("%s (-want +got):\n%s", texts[one.Index], diff)
			}
		}
		s.OnEmbedding(func(r modeltest.Request) modeltest.Reply { return modeltest.Reply{Status: 500 + r.N} })
		if status, _, err := post(t, client, s.URL+"/embeddings", `{"model":"m","input":"one"}`); status != 502 || err != nil || s.Embeddings() != 2 {
			t.Errorf("%d, %v after %d requests", status, err, s.Embeddings())
		}
	})
}
