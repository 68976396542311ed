package graphiti_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/slow"
)

// No answer to Graphiti's clients contains expired rows.
func TestExpiredIsNotShown(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	keys, err := server.ParseKeys("alice=" + keyOfAlice)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	graphiti.Mount(s, graphiti.Options{})
	c := caller{t, s.Handler()}
	for said, expires := range map[string]time.Time{"I work at Initech.": time.Now().Add(time.Hour), "I like tea.": {}} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: "alice", Actor: "Alice", Content: said, ExpiresAt: expires}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "alice", nil); err != nil {
		t.Fatal(err)
	}
	shown := func() (text, edge string) {
		var found facts
		c.send(200, keyOfAlice, "POST", "/search", `{"group_ids":["alice"],"query":"Where does Alice work? Initech"}`, &found)
		for _, f := range found.Facts {
			text += "search: " + f.Fact + "\n"
			if strings.Contains(f.Fact, "Initech") {
				edge = f.UUID
			}
		}
		c.send(200, keyOfAlice, "POST", "/get-memory",
			`{"group_id":"alice","max_facts":9,"center_node_uuid":null,"messages":[{"content":"Initech?","role_type":"user","role":"Alice"}]}`, &found)
		for _, f := range found.Facts {
			text += "memory: " + f.Fact + "\n"
		}
		var episodes []struct{ Content string }
		c.send(200, keyOfAlice, "GET", "/episodes/alice?last_n=5", "", &episodes)
		for _, e := range episodes {
			text += "episode: " + e.Content + "\n"
		}
		return text, edge
	}
	before, edge := shown()
	if strings.Count(before, "Initech") != 3 || edge == "" {
		t.Fatalf("before it expires, this shows: %s", before)
	}
	if _, err := clienttest.Dial(t, url).Exec(t.Context(), `UPDATE annals.marks SET expires_at = clock_timestamp()`); err != nil {
		t.Fatal(err)
	}
	if after, _ := shown(); strings.Contains(after, "Initech") || !strings.Contains(after, "tea") {
		t.Errorf("when it has expired, this shows: %s", after)
	}
	c.send(404, keyOfAlice, "GET", "/entity-edge/"+edge, "", nil)
}
