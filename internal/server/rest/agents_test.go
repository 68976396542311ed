package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

const events = "text/event-stream"

// greeter notes the name of the user, and greets.
func greeter(r modeltest.Request) modeltest.Reply {
	if last := r.Turns[len(r.Turns)-1]; last.Role == "tool" {
		return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": "Hello Eva!"}}}}
	}
	return modeltest.Reply{Text: "Her name.", Calls: []modeltest.Call{{Name: "core_memory_append", Arguments: map[string]any{
		"name": "human", "content": "Is called Eva.", "request_heartbeat": true,
	}}}}
}

// withModel starts a service whose agents have a scripted model.
func withModel(t *testing.T, answer func(modeltest.Request) modeltest.Reply, options server.Options) *running {
	t.Helper()
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: modeltest.NewServer(t, answer).URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t), LLM: llm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	options.Client = client
	return serve(t, options, rest.Options{})
}

func TestAgents(t *testing.T) {
	t.Parallel()
	s := withModel(t, greeter, server.Options{})
	const sam = "/v1/groups/g/agents/sam"
	var made agent.Agent
	s.must(http.StatusCreated, &made, "POST", "/v1/groups/g/agents", `{"name": "sam", "settings": {"window": 9000}, "blocks": [{"label": "human", "limit": 100}]}`)
	if made.Name != "sam" || made.Settings.Window != 9000 {
		t.Errorf("made %+v", made)
	}
	var turn agent.Turn
	s.must(http.StatusOK, &turn, "POST", sam+"/messages", `{"content": "I am Eva.", "external_id": "one"}`)
	if len(turn.Messages) != 1 || turn.Messages[0] != "Hello Eva!" || len(turn.Steps) != 2 || turn.Steps[0].Thought != "Her name." {
		t.Errorf("turn %+v", turn)
	}
	var messages struct{ Messages []agent.Message }
	s.must(http.StatusOK, &messages, "GET", sam+"/messages?first=2", "")
	if len(messages.Messages) != 4 || messages.Messages[0].Seq != 2 {
		t.Errorf("messages %+v", messages)
	}
	var blocks struct{ Blocks []agent.Block }
	s.must(http.StatusOK, &blocks, "GET", sam+"/blocks", "")
	if len(blocks.Blocks) != 1 || blocks.Blocks[0].Value != "Is called Eva." {
		t.Errorf("blocks %+v", blocks)
	}
	var block agent.Block
	s.must(http.StatusOK, &block, "PUT", sam+"/blocks/human", fmt.Sprintf(`{"value": "Eva Li.", "version": %d, "by": "me"}`, blocks.Blocks[0].Version))
	s.must(http.StatusPreconditionFailed, nil, "PUT", sam+"/blocks/human", fmt.Sprintf(`{"value": "Eve.", "version": %d}`, blocks.Blocks[0].Version))
	s.must(http.StatusOK, &block, "POST", sam+"/blocks/human/undo", "")
	if block.Value != "Is called Eva." {
		t.Errorf("undone: %+v", block)
	}
	s.must(http.StatusOK, &blocks, "GET", sam+"/blocks/human/history", "")
	if len(blocks.Blocks) != 4 {
		t.Errorf("history %+v", blocks)
	}
	var found struct{ Total int }
	s.must(http.StatusOK, &found, "GET", sam+"/recall?query=Eva&roles=user", "")
	if found.Total != 1 {
		t.Errorf("recall finds %d", found.Total)
	}
	s.must(http.StatusCreated, nil, "POST", sam+"/documents", `{"name": "a.txt", "text": "On the river Tagus."}`)
	s.must(http.StatusOK, &found, "GET", sam+"/archive?query=Tagus", "")
	if found.Total != 1 {
		t.Errorf("the archive has %d", found.Total)
	}
	s.documentsAndSettings(sam)
	s.must(http.StatusNotFound, nil, "GET", "/v1/groups/g/agents/sue", "")
	s.must(http.StatusUnprocessableEntity, nil, "POST", sam+"/messages", `{"kind": "shout"}`)
	s.must(http.StatusNoContent, nil, "DELETE", sam, "")
	s.must(http.StatusNotFound, nil, "GET", sam, "")
}

func (s *running) documentsAndSettings(sam string) {
	s.t.Helper()
	var documents struct{ Documents []agent.File }
	s.must(http.StatusOK, &documents, "GET", sam+"/documents", "")
	if len(documents.Documents) != 1 || documents.Documents[0].Name != "a.txt" {
		s.t.Errorf("documents %+v", documents)
	}
	s.must(http.StatusNoContent, nil, "DELETE", sam+"/documents/a.txt", "")
	s.must(http.StatusNotFound, nil, "DELETE", sam+"/documents/a.txt", "")
	s.must(http.StatusNoContent, nil, "POST", sam+"/archive", `{"content": "Eva drinks tea.", "tags": ["tea"]}`)
	exported := s.must(http.StatusOK, nil, "GET", sam+"/export", "")
	var made agent.Agent
	s.must(http.StatusCreated, &made, "POST", "/v1/groups/g/agents/import?name=twin", string(exported.body))
	again := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/agents/twin/export", "")
	if got := strings.Replace(string(again.body), `"twin"`, `"sam"`, 1); made.Passages != 1 || got != string(exported.body) {
		s.t.Errorf("imported %+v, which is exported as\n%s\nand was\n%s", made, got, exported.body)
	}
	s.must(http.StatusConflict, nil, "POST", "/v1/groups/g/agents/import", string(exported.body)) // the name is taken
	s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g/agents/import", `{"name": "x"}`)
	s.must(http.StatusOK, &made, "PUT", sam+"/settings", `{"instructions": "Be brief.", "settings": {"window": 5000}}`)
	if made.Instructions != "Be brief." || made.Settings.Window != 5000 {
		s.t.Errorf("configured %+v", made)
	}
	s.must(http.StatusUnprocessableEntity, nil, "PUT", sam+"/settings", `{"settings": {"window": 100}}`)
}

// event is an event of a stream.
type event struct{ kind, data string }

func eventsOf(t *testing.T, text []byte) []event {
	t.Helper()
	var all []event
	for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n\n"), "\n\n") {
		kind, data, ok := strings.Cut(block, "\ndata: ")
		if !ok || !strings.HasPrefix(kind, "event: ") {
			t.Fatalf("no event: %q", block)
		}
		all = append(all, event{strings.TrimPrefix(kind, "event: "), strings.TrimSpace(data)})
	}
	return all
}

func TestAgentsAreStreamed(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	broken := false
	s := withModel(t, func(r modeltest.Request) modeltest.Reply {
		if broken {
			return modeltest.Reply{Status: http.StatusInternalServerError}
		}
		if last := r.Turns[len(r.Turns)-1]; last.Role == "tool" {
			<-held // until the first step was received
		}
		return greeter(r)
	}, server.Options{})
	const sam = "/v1/groups/g/agents/sam"
	s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/agents", `{"name": "sam"}`)
	request, err := http.NewRequestWithContext(t.Context(), "POST", s.url+sam+"/stream", strings.NewReader(`{"content": "I am Eva."}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	reader := bufio.NewReader(response.Body)
	first, err := reader.ReadString('\n')
	if err != nil || first != "event: step\n" {
		t.Fatalf("first %q, %v", first, err)
	}
	close(held)
	others, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	heard := eventsOf(t, append([]byte(first), others...))
	if len(heard) != 3 || !strings.Contains(heard[0].data, "core_memory_append") || !strings.Contains(heard[1].data, "Hello Eva!") || heard[2].kind != "rest" {
		t.Errorf("heard %+v", heard)
	}
	if got := response.Header.Get("Content-Type"); got != events {
		t.Errorf("the stream is %q", got)
	}
	s.must(http.StatusNotFound, nil, "POST", "/v1/groups/g/agents/sue/stream", `{"content": "Hi."}`)
	s.must(http.StatusUnprocessableEntity, nil, "POST", sam+"/stream", `{"kind": "shout"}`)
	broken = true
	for body, code := range map[string]string{`{"content": ""}`: "invalid", `{"content": "Hi."}`: "unavailable"} {
		failed := eventsOf(t, s.must(http.StatusOK, nil, "POST", sam+"/stream", body).body)
		if len(failed) != 1 || failed[0].kind != "error" || !strings.Contains(failed[0].data, `"code":"`+code+`"`) {
			t.Errorf("%s: heard %+v", body, failed)
		}
	}
}

// The shorter paths lead to the same agents only.
func TestAgentsOfTheKey(t *testing.T) {
	t.Parallel()
	keys, err := server.ParseKeys("alice=a-static-key-of-alice,alice|bob=a-static-key-of-both,acme:*=a-static-key-of-acme")
	if err != nil {
		t.Fatal(err)
	}
	s := withModel(t, greeter, server.Options{Keys: keys})
	for _, group := range []string{"alice", "bob", "acme:x"} {
		s.must(http.StatusCreated, nil, "POST", "/v1/agents?group="+url.QueryEscape(group), fmt.Sprintf(`{"name": "of %s/1"}`, group))
	}
	const alice, both, acme = "a-static-key-of-alice", "a-static-key-of-both", "a-static-key-of-acme"
	for _, tt := range []struct {
		key, method, path string
		want              int
		says              string
	}{
		{alice, "GET", "/v1/agents", 200, "of alice/1"},
		{alice, "GET", "/v1/agents?limit=1", 200, "of alice/1"},
		{alice, "GET", "/v1/agents?group=alice", 200, "of alice/1"},
		{alice, "GET", "/v1/agents?group=bob", 404, `called \"bob\"`},
		{alice, "GET", "/v1/agents?group=none", 404, `called \"none\"`},
		{alice, "GET", "/v1/agents/of%20alice%2F1", 200, "of alice/1"},
		{alice, "GET", "/v1/agents/of%20alice%2F1/blocks", 200, "persona"},
		{alice, "GET", "/v1/agents/of%20bob%2F1", 404, ""},
		{alice, "POST", "/v1/agents/of%20bob%2F1/messages?group=bob", 404, `called \"bob\"`},
		{alice, "GET", "/v1/agents?nonsense=1", 422, "nonsense"},
		{alice, "GET", "/v1/agents?group=alice&group=bob", 422, "group"},
		{alice, "GET", "/v1/agents?group=", 422, "group"},
		{both, "GET", "/v1/agents", 422, "group"},
		{both, "GET", "/v1/agents?group=bob", 200, "of bob/1"},
		{both, "GET", "/v1/agents/of%20bob%2F1?group=bob", 200, "of bob/1"},
		{acme, "GET", "/v1/agents", 422, "group"},
		{acme, "GET", "/v1/agents?group=acme%3Ax", 200, "of acme:x/1"},
		{acme, "GET", "/v1/agents?group=..", 422, "group"}, // not a valid name
		{staticKey, "GET", "/v1/agents", 422, "group"},
		{staticKey, "GET", "/v1/agents?group=bob", 200, "of bob/1"},
		{staticKey, "GET", "/v1/agents?group=a%20b", 422, "group"},
		{"", "GET", "/v1/agents?group=bob", 401, ""},
		{"", "GET", "/v1/agents?group=a%20b", 401, ""},
		{alice, "GET", "/v1/agentsof", 404, ""},
		{alice, "PUT", "/v1/agents", 405, ""},
	} {
		a := s.as(tt.key).send(tt.method, tt.path, map[string]string{"POST": `{"content": "Hi."}`}[tt.method])
		if a.status != tt.want || !strings.Contains(string(a.body), tt.says) {
			t.Errorf("%s of %q: %d %s, want %d with %q", tt.path, tt.key, a.status, a.body, tt.want, tt.says)
		}
	}
	var turn agent.Turn
	s.as(alice).must(http.StatusOK, &turn, "POST", "/v1/agents/of%20alice%2F1/messages", `{"content": "I am Eva."}`, "Idempotency-Key", "once")
	again := s.as(alice).must(http.StatusOK, nil, "POST", "/v1/agents/of%20alice%2F1/messages", `{"content": "I am Eva."}`, "Idempotency-Key", "once")
	if len(turn.Messages) != 1 || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("turn %+v, and again %v", turn, again.header)
	}
}
