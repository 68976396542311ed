package graphiti_test

import (
	"net/http"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/zep"
)

// Graphiti's and Zep's routes refuse writing and erasing with a key that may only read, and erasing
// with a key that may write.
func TestRights(t *testing.T) {
	t.Parallel()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	const reads, writes = "a-key-that-only-reads", "a-key-that-may-write"
	keys, err := server.ParseKeys("alice=" + reads + ";read,alice=" + writes + ";write")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	graphiti.Mount(s, graphiti.Options{})
	zep.Mount(s)
	c := caller{t, s.Handler()}
	const none = "00000000-0000-0000-0000-000000000000"
	c.send(http.StatusOK, reads, "POST", "/search", `{"query": "Paris", "group_ids": ["alice"]}`, nil)
	c.send(http.StatusOK, reads, "GET", "/episodes/alice?last_n=1", "", nil)
	c.send(http.StatusNotFound, reads, "GET", "/entity-edge/"+none, "", nil)
	for _, route := range [][3]string{
		{"POST", "/messages", `{"group_id": "alice", "messages": []}`},
		{"POST", "/entity-node", `{"group_id": "alice", "name": "Alice"}`},
		{"DELETE", "/entity-edge/" + none, ""},
		{"DELETE", "/episode/" + none, ""},
		{"POST", "/api/v2/graph", `{"user_id": "alice", "type": "text", "data": "x"}`},
		{"DELETE", "/api/v2/graph/edge/" + none, ""},
	} {
		c.send(http.StatusForbidden, reads, route[0], route[1], route[2], nil)
	}
	for _, route := range [][2]string{{"DELETE", "/group/alice"}, {"POST", "/clear"}, {"DELETE", "/api/v2/users/alice"}, {"DELETE", "/api/v2/graph/alice"}} {
		c.send(http.StatusForbidden, reads, route[0], route[1], "", nil)
		c.send(http.StatusForbidden, writes, route[0], route[1], "", nil)
	}
	c.send(http.StatusNotFound, writes, "DELETE", "/episode/"+none, "", nil)
}
