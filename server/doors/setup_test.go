package doors_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/server"
	"github.com/annalsdb/annals/server/graphiti"
	"github.com/annalsdb/annals/server/mcp"
	"github.com/annalsdb/annals/server/rest"
	"github.com/annalsdb/annals/server/zep"
)

const (
	key   = "a-static-key-of-all"
	group = "fuzz"
	gone  = "gone" // what would empty a group is asked of this one
)

// service is one with all interfaces, that listens and works.
type service struct {
	url      string
	client   *annals.Client
	failures *failures
	known    known
}

func serve(t *testing.T) *service {
	t.Helper()
	client := clienttest.Open(t, annals.Config{})
	keys, err := server.ParseKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{client: client, failures: &failures{}}
	doors := server.New(server.Options{Client: client, Keys: keys, Workers: 1, Log: slog.New(s.failures)})
	rest.Mount(doors, rest.Options{})
	mcp.Mount(doors, mcp.Options{})
	zep.Mount(doors, zep.Options{})
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

// fill gives the requests something to hit, and notes what is there.
func (s *service) fill(t *testing.T) {
	t.Helper()
	for _, to := range []string{group, gone} {
		for i, text := range []string{"I live in Paris.", "I work at Acme Corp with Bob.", "My doctor is Dr. Weber.", "I moved to Lisbon last week."} {
			_, err := s.client.Add(t.Context(), annals.Episode{
				GroupID: to, Content: text, Actor: "Alice", Role: "user", Source: "message", ThreadID: "chat-" + to, ExternalID: to + string(rune('a'+i)),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.client.Process(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/users", body: `{"user_id": "alice", "first_name": "Alice"}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads", body: `{"thread_id": "chat-alice", "user_id": "alice"}`})
	var agent struct{ ID string }
	s.must(t, &agent, attempt{method: "POST", path: "/v1/groups/" + group + "/agents", body: `{"name": "Helper"}`})
	facts, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group})
	if err != nil || len(facts) == 0 {
		t.Fatalf("the facts are %v (%v)", facts, err)
	}
	fact := facts[0]
	s.known = known{
		"group": group, "group_id": group, "group_ids": group, "graph": group, "graph_id": group, "user": "alice", "user_id": "alice", "thread": "chat-" + group,
		"thread_id": "chat-alice", "saga_name": "chat-" + group, "agent": agent.ID, "fact": "Alice lives in Paris.", "edge": fact.ID.String(), "entity": fact.SourceID.String(), "node": fact.SourceID.String(),
		"episode": fact.Episodes[0].String(), "message": fact.Episodes[0].String(), "uuid": fact.Episodes[0].String(), "episode_uuid": fact.Episodes[0].String(),
		"center_node_uuid": fact.SourceID.String(), "role_type": "user", "role": "user", "type": "text", "source": "text", "timestamp": "2024-03-15T09:30:00Z",
		"created_at": "2024-03-15T09:30:00Z", "query": "Where does Alice live?", "scope": "edges", "name": "Alice", "limit": 3, "last_n": 3, "lastn": 3,
	}
}

// must sends a request that has to be answered, and reads the answer.
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

// failures takes from the log what is a defect: a panic, an error that nobody
// foresaw.
type failures struct {
	mu   sync.Mutex
	said []string
}

// Enabled takes errors alone.
func (*failures) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle notes one, except the line that every request has.
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

// WithAttrs is the same.
func (f *failures) WithAttrs([]slog.Attr) slog.Handler { return f }

// WithGroup is the same.
func (f *failures) WithGroup(string) slog.Handler { return f }

// take is what failed since it was asked last.
func (f *failures) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	said := strings.Join(f.said, "; ")
	f.said = nil
	return said
}
