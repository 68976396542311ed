package doors_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/model"
)

// outOf is an embedder that stops answering.
type outOf struct {
	model.Embedder
	out atomic.Bool
}

func (e *outOf) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if e.out.Load() {
		return nil, errors.New("500 Internal Server Error")
	}
	return e.Embedder.Embed(ctx, texts)
}

// Every interface reports that a search ran without the embedder: in the text for a prompt if it
// returns one, otherwise in a header, since foreign formats have no field for it.
func TestEveryDoorSaysWhatItSearchedWithout(t *testing.T) {
	t.Parallel()
	embedder := &outOf{Embedder: clienttest.Hash(t, 384)}
	s := serveWith(t, annals.Config{DatabaseURL: pgtest.New(t), Embedder: embedder})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads/chat-alice/messages", body: `{"messages": [{"role": "user", "name": "Alice", "content": "I live in Paris."}]}`})
	embedder.out.Store(true)
	graphID, threadID := s.lookedUp(t, "graph", "fuzz"), s.lookedUp(t, "thread", "chat-alice")
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/context-templates", body: `{"template_id": "short", "template": "Known: %{edges}"}`})
	const without = "Searched without vectors: "
	ask := `{"query": "Where does Alice live?"}`
	for _, tt := range []struct {
		attempt
		told, header bool // in the text, in the header
	}{
		{attempt{method: "POST", path: "/api/v2/graph/search", body: `{"graph_id": "fuzz", "query": "Where does Alice live?"}`}, false, true},
		{attempt{method: "POST", path: "/api/v2/graph/search", body: `{"graph_id": "fuzz", "query": "Where does Alice live?", "scope": "auto"}`}, true, true},
		{attempt{method: "GET", path: "/api/v2/threads/chat-alice/context"}, true, true},
		{attempt{method: "GET", path: "/api/v2/threads/chat-alice/context?template_id=short"}, false, true},
		{attempt{method: "POST", path: "/api/v4/graphs/" + graphID + "/search/edges", body: ask}, false, true},
		{attempt{method: "POST", path: "/api/v4/graphs/" + graphID + "/context", body: ask}, true, true},
		{attempt{method: "GET", path: "/api/v4/threads/" + threadID + "/context"}, true, true},
		{attempt{method: "POST", path: "/search", body: `{"group_ids": ["fuzz"], "query": "Where does Alice live?"}`}, false, true},
		{attempt{method: "POST", path: "/get-memory", body: `{"group_id": "fuzz", "messages": [{"content": "Where does Alice live?", "role_type": "user", "role": "Alice"}]}`}, false, true},
		{attempt{method: "POST", path: "/v1/groups/fuzz/context", body: ask}, true, false},
	} {
		got := s.send(t, tt.attempt)
		if got.status != 200 || strings.Contains(string(got.body), without) != tt.told || strings.HasPrefix(got.header.Get(server.WithoutHeader), without) != tt.header {
			t.Errorf("%s %s: %d, header %q: %s", tt.method, tt.path, got.status, got.header.Get(server.WithoutHeader), got.body)
		}
	}
	embedder.out.Store(false)
	if got := s.send(t, attempt{method: "POST", path: "/search", body: `{"group_ids": ["fuzz"], "query": "Where does Alice live?"}`}); got.header.Get(server.WithoutHeader) != "" {
		t.Errorf("with its models /search says %q", got.header)
	}
}
