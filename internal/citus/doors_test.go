package citus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/worker"
)

// both runs a function on a single-server memory and on one on the cluster, and
// compares the results.
func both(t *testing.T, do func(t *testing.T, address string) []string) {
	t.Helper()
	many := distributed(t)
	if diff := cmp.Diff(do(t, pgtest.New(t)), do(t, many)); diff != "" {
		t.Errorf("(-one server +cluster):\n%.6000s", diff)
	}
}

// own matches what differs between two memories with the same input.
var own = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|20\d\d-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)|20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC|"(took|duration|seconds|position|hash|previous|key|next_cursor)[a-z_]*":("[^"]*"|[0-9.e-]+)|ann_[A-Za-z0-9_]+|[0-9a-f]{64}`)

// waited is how long a test waits for a worker.
const waited = 30 * time.Second

// untilRead waits until a worker has read all episodes.
func untilRead(t *testing.T, client *annals.Client) time.Duration {
	t.Helper()
	begun := time.Now()
	for {
		q, err := service.New(client).Queue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if q.Episodes == 0 {
			return time.Since(begun)
		}
		if time.Since(begun) > waited {
			t.Fatalf("%d episodes wait for %v", q.Episodes, q.Oldest)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// work runs a worker until the test ends.
func work(t *testing.T, client *annals.Client) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, client, worker.Options{}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Added episodes are read in the background, and a REST client gets the same
// answers.
func TestREST(t *testing.T) {
	both(t, func(t *testing.T, address string) []string {
		client := open(t, address)
		work(t, client)
		keys, err := server.ParseKeys("a-key-for-tests-of-a-cluster")
		if err != nil {
			t.Fatal(err)
		}
		doors := server.New(server.Options{Client: client, Keys: keys})
		rest.Mount(doors, rest.Options{})
		listening := httptest.NewServer(doors.Handler())
		t.Cleanup(listening.Close)
		var told []string
		ask := func(method, path, body string) {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), method, listening.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer a-key-for-tests-of-a-cluster")
			if body != "" {
				request.Header.Set("Content-Type", "application/json")
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, fmt.Sprintf("%s %s: %d %s", method, own.ReplaceAllString(path, "…"), response.StatusCode, own.ReplaceAllString(string(text), "…")))
		}
		ask("POST", "/v1/users", `{"user_id":"eva","email":"eva@example.com"}`)
		ask("POST", "/v1/groups/g/threads", `{"id":"talk"}`)
		for i, e := range story("g", 1, 12) {
			ask("POST", "/v1/groups/g/episodes", fmt.Sprintf(`{"content":%q,"actor":%q,"role":"user","thread_id":"talk","external_id":"line-%d","occurred_at":%q}`, e.Content, e.Actor, i, e.OccurredAt.Format(time.RFC3339)))
		}
		t.Logf("read after %v", untilRead(t, client))
		for _, path := range []string{
			"groups/g/episodes?limit=5", "groups/g/facts?limit=50", "groups/g/entities?limit=50", "groups/g/timeline?limit=20", "groups/g",
			"groups/g/search?query=Where+does+Alice+live", "groups/g/context?q=Where+does+Alice+live", "groups/g/threads/talk/messages", "groups/g/audit?limit=20",
			"groups/g/communities", "users/eva", "groups/nobody/facts", "groups/g/facts?limit=-1",
		} {
			ask("GET", "/v1/"+path, "")
		}
		ask("POST", "/v1/groups/g/communities/build", "")
		ask("POST", "/v1/groups/g/search", `{"query":"who works at Globex","filter":{"labels":["Person"]},"limit":5}`)
		episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "g", Limit: 3})
		if err != nil || len(episodes) < 3 {
			t.Fatalf("%d episodes: %v", len(episodes), err)
		}
		ask("GET", "/v1/groups/g/episodes/"+episodes[0].ID.String(), "")
		ask("DELETE", "/v1/groups/g/episodes/"+episodes[1].ID.String(), "")
		ask("GET", "/v1/groups/g/facts?limit=50", "")
		ask("DELETE", "/v1/groups/g", "")
		ask("GET", "/v1/groups/g/facts?limit=50", "")
		return told
	})
}

// An agent manages its memory, with a scripted model.
func TestAgents(t *testing.T) {
	call := func(name string, arguments map[string]any) modeltest.Reply {
		return modeltest.Reply{Text: "I call " + name + ".", Calls: []modeltest.Call{{Name: name, Arguments: arguments}}}
	}
	script := []modeltest.Reply{
		call("core_memory_append", map[string]any{"name": "human", "content": "Is called Eva.", "request_heartbeat": true}),
		call("archival_memory_insert", map[string]any{"content": "Eva likes the sea at Lisbon.", "request_heartbeat": true}),
		call("archival_memory_search", map[string]any{"query": "sea", "request_heartbeat": true}),
		call("conversation_search", map[string]any{"query": "Eva", "request_heartbeat": true}),
		call("core_memory_replace", map[string]any{"name": "human", "old_content": "Eva", "new_content": "Eva Lind", "request_heartbeat": true}),
		call("send_message", map[string]any{"message": "Hello Eva!"}),
	}
	both(t, func(t *testing.T, address string) []string {
		steps := 0
		llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", Retries: -1, BaseURL: modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
			if r.Tools == nil {
				return modeltest.Reply{JSON: map[string]string{"summary": "We talked."}}
			}
			steps++
			return script[(steps-1)%len(script)]
		}).URL})
		if err != nil {
			t.Fatal(err)
		}
		client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: address, LLM: llm})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		agents := agent.New(client, agent.Options{})
		made, err := agents.Create(t.Context(), agent.Spec{GroupID: "g", Name: "sam", Blocks: agent.DefaultBlocks()})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for i := range 3 {
			turn, err := made.Tell(t.Context(), agent.Event{Content: "I am Eva.", ExternalID: fmt.Sprint("m", i)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, fmt.Sprint(turn.Messages))
			for _, s := range turn.Steps {
				told = append(told, own.ReplaceAllString(fmt.Sprintf("%s %s %v %s", s.Thought, s.Function, s.Failed, s.Result), "…"))
			}
		}
		conn := connect(t, address)
		for _, count := range []string{
			`SELECT format('%s %s', label, value) FROM annals.blocks WHERE group_id = 'g' ORDER BY 1`,
			`SELECT format('%s %s', label, count(*)) FROM annals_internal.blocks_history WHERE group_id = 'g' GROUP BY label ORDER BY 1`,
			`SELECT format('%s messages', count(*)) FROM annals.agent_messages WHERE group_id = 'g'`,
			`SELECT format('%s steps', count(*)) FROM annals.agent_steps WHERE group_id = 'g'`,
		} {
			rows, err := conn.Query(t.Context(), count)
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				var line string
				if err := rows.Scan(&line); err != nil {
					t.Fatal(err)
				}
				told = append(told, line)
			}
			if rows.Err() != nil {
				t.Fatal(rows.Err())
			}
		}
		return told
	})
}

// After a change to an embedder with vectors of another size, searches
// continue.
func TestReembed(t *testing.T) {
	both(t, func(t *testing.T, address string) []string {
		client := open(t, address)
		for n := range 3 {
			tell(t, client, fmt.Sprint("g", n), n, 10)
		}
		to, err := model.NewHashEmbedder(256)
		if err != nil {
			t.Fatal(err)
		}
		done, err := client.Reembed(t.Context(), to, nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := annals.Open(t.Context(), annals.Config{DatabaseURL: address, Embedder: to})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(after.Close)
		found, err := after.Search(t.Context(), annals.Query{GroupID: "g1", Text: "Where does Alice live?", Scopes: scopes[:3], Methods: methods[1:2]})
		if err != nil {
			t.Fatal(err)
		}
		told := []string{fmt.Sprintf("%d made, %d removed", done.Made, done.Dropped)}
		for _, f := range found.Facts {
			told = append(told, f.Fact.Fact)
		}
		return append(told, contentsOf(t, address)...)
	})
}
