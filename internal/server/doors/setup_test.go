package doors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/server/zep"
)

const (
	key = "a-static-key-of-all"

	projectKey = "a-static-key-of-acme" // its graph fuzz is the group acme:fuzz
	project    = "acme:"

	group = "fuzz"
	gone  = "gone" // the group for requests that would empty a group
)

// service is a running service with all interfaces and workers.
type service struct {
	url      string
	client   *annals.Client
	failures *failures
	known    known
	at       map[string]known // known values, by the prefix of the path
}

// keyFor returns the key for a path: for Zep's clients the key of a project.
func keyFor(path string) string {
	if strings.HasPrefix(path, "/api/") {
		return projectKey
	}
	return key
}

func serve(t *testing.T) *service {
	t.Helper()
	return serveWith(t, annals.Config{})
}

func serveWith(t *testing.T, config annals.Config) *service {
	t.Helper()
	client := clienttest.Open(t, config)
	keys, err := server.ParseKeys(key + ",acme:*=" + projectKey)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{client: client, failures: &failures{}}
	doors := server.New(server.Options{Client: client, Keys: keys, Workers: 1, Log: slog.New(s.failures)})
	rest.Mount(doors, rest.Options{})
	mcp.Mount(doors, mcp.Options{})
	zep.Mount(doors)
	graphiti.Mount(doors, graphiti.Options{})
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- doors.Run(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	s.url = "http://" + listener.Addr().String()
	s.fill(t)
	return s
}

// fill gives the service content for the requests, and records it.
func (s *service) fill(t *testing.T) {
	t.Helper()
	for _, name := range []string{group, gone} {
		s.must(t, nil, attempt{method: "POST", path: "/api/v2/graph/create", body: `{"graph_id": "` + name + `"}`})
	}
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/users", body: `{"user_id": "alice", "first_name": "Alice"}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads", body: `{"thread_id": "chat-alice", "user_id": "alice"}`})
	for _, to := range []string{group, gone, project + group, project + gone} {
		s.tell(t, to)
	}
	s.must(t, nil, attempt{method: "POST", path: "/v1/users", body: `{"id": "alice"}`})
	var agent struct{ ID string }
	s.must(t, &agent, attempt{method: "POST", path: "/v1/groups/" + group + "/agents", body: `{"name": "Helper"}`})
	s.known = s.found(t, group)
	s.known["agent"], s.known["name"] = agent.ID, "Alice"
	in2 := s.found(t, project+group)
	in2["thread"] = "chat-alice"
	in4 := maps.Clone(in2)
	for _, kind := range []string{"graph", "user", "thread"} { // the fourth generation names them by UUID
		id := map[string]string{"graph": group, "user": "alice", "thread": "chat-alice"}[kind]
		in4[kind] = s.lookedUp(t, kind, id)
	}
	in4["agent"], in4["objective"] = in4["graph"], "Deploy billing to staging"
	in4["skill"], in4["trace"] = s.learned(t, project+group), s.begun(t, fmt.Sprint(in4["agent"]))
	s.at = map[string]known{"": s.known, "/api/v2": in2, "/api/v4": in4}
}

// learned returns a skill of a group that was learned from one run.
func (s *service) learned(t *testing.T, in string) string {
	t.Helper()
	s.ran(t, in, "Deploy billing to staging", "")
	skills, err := s.client.Skills(t.Context(), annals.SkillFilter{GroupID: in})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %v (%v)", skills, err)
	}
	return skills[0].ID.String()
}

// ran records a successful run, has it read, and returns its id.
func (s *service) ran(t *testing.T, in, task, source string) string {
	t.Helper()
	run := annals.Run{Task: task, Outcome: "success", Steps: []annals.RunStep{{Tool: "shell", Arguments: []byte(`"make ` + task + `"`)}}}
	e, err := run.Episode(in, time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	e.SourceDescription = source
	stored, err := s.client.Add(t.Context(), e)
	if err == nil {
		err = s.client.Process(t.Context(), in, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return stored.ID.String()
}

// begun begins a trace of an agent.
func (s *service) begun(t *testing.T, agent string) string {
	t.Helper()
	var trace struct{ UUID string }
	s.must(t, &trace, attempt{method: "POST", path: "/api/v4/agents/" + agent + "/traces", body: `{"objective": "Deploy billing to staging"}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v4/agents/" + agent + "/traces/" + trace.UUID + "/events", body: `{"event_type": "decision", "content": "Begin."}`})
	return trace.UUID
}

// lookedUp returns the UUID of a graph, a user or a thread.
func (s *service) lookedUp(t *testing.T, kind, id string) string {
	t.Helper()
	var found struct{ UUID string }
	s.must(t, &found, attempt{method: "POST", path: "/api/v4/" + kind + "s/lookup", body: fmt.Sprintf(`{"%s_id": %q}`, kind, id)})
	if found.UUID == "" {
		t.Fatalf("the %s %s is not found", kind, id)
	}
	return found.UUID
}

// tell adds a few messages to a group and has them read.
func (s *service) tell(t *testing.T, to string) {
	t.Helper()
	for i, text := range []string{"I live in Paris.", "I work at Acme Corp with Bob.", "My doctor is Dr. Weber.", "I moved to Lisbon last week."} {
		_, err := s.client.Add(t.Context(), annals.Episode{
			GroupID: to, Content: text, Actor: "Alice", Role: "user", Source: "message", ThreadID: "chat-" + strings.TrimPrefix(to, project),
			ExternalID: to + string(rune('a'+i)),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.client.Process(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
}

// found records the content of a group.
func (s *service) found(t *testing.T, in string) known {
	t.Helper()
	facts, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: in})
	if err != nil || len(facts) == 0 {
		t.Fatalf("the facts are %v (%v)", facts, err)
	}
	fact, source, episode := facts[0].ID.String(), facts[0].SourceID.String(), facts[0].Episodes[0].String()
	return known{
		"group": group, "group_id": group, "group_ids": group, "graph": group, "graph_id": group, "user": "alice", "user_id": "alice",
		"thread": "chat-" + group, "thread_id": "chat-alice", "saga_name": "chat-" + group, "fact": "Alice lives in Paris.", "edge": fact, "entity": source,
		"node": source, "episode": episode, "message": episode, "uuid": episode, "episode_uuid": episode, "node_uuid": source, "edge_uuid": fact,
		"center_node_uuid": source, "role_type": "user", "role": "user", "type": "text", "source": "text", "timestamp": "2024-03-15T09:30:00Z",
		"created_at": "2024-03-15T09:30:00Z", "query": "Where does Alice live?", "scope": "edges", "limit": 3, "last_n": 3, "lastn": 3,
	}
}

// must sends a request that must succeed, and decodes the answer.
func (s *service) must(t *testing.T, into any, a attempt) {
	t.Helper()
	answer := s.send(t, a)
	if answer.status >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %d %s", a.method, a.path, answer.status, answer.body)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.body, into); err != nil {
		t.Fatalf("%s %s: %v in %s", a.method, a.path, err, answer.body)
	}
}

// failures collects defects from the log: panics and unexpected errors.
type failures struct {
	mu   sync.Mutex
	said []string
}

// Enabled accepts errors only.
func (*failures) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle records an error, except in the access log.
func (f *failures) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "request" {
		return nil
	}
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, text)
	return nil
}

// WithAttrs returns f.
func (f *failures) WithAttrs([]slog.Attr) slog.Handler { return f }

// WithGroup returns f.
func (f *failures) WithGroup(string) slog.Handler { return f }

// take returns the failures since the last call.
func (f *failures) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	said := strings.Join(f.said, "; ")
	f.said = nil
	return said
}
