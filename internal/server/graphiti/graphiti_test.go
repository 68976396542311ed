package graphiti_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
)

const (
	keyOfAlice = "key-of-alice-alone"
	keyOfBob   = "key-of-bob-alone"
)

// caller sends requests to a server.
type caller struct {
	t     *testing.T
	doors http.Handler
}

func (c caller) send(status int, key, method, path, body string, into any) {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	c.doors.ServeHTTP(w, r)
	text, _ := io.ReadAll(w.Body)
	if w.Code != status {
		c.t.Fatalf("%s %s: %d, want %d: %s", method, path, w.Code, status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

type facts struct {
	Facts []struct {
		UUID, Name, Fact string
		ValidAt          string  `json:"valid_at"`
		InvalidAt        *string `json:"invalid_at"`
	}
}

func TestGraphitiClients(t *testing.T) {
	t.Parallel()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	keys, err := server.ParseKeys("alice=" + keyOfAlice + ",bob=" + keyOfBob)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	graphiti.Mount(s, graphiti.Options{})
	c := caller{t, s.Handler()}

	var health struct{ Status string }
	c.send(200, "", "GET", "/healthcheck", "", &health)
	if health.Status != "healthy" {
		t.Errorf("the health is %q", health.Status)
	}
	said := `{"group_id":"alice","messages":[
		{"uuid":"m1","content":"I live in Paris.","role_type":"user","role":"Alice","timestamp":"2023-01-10T00:00:00Z"},
		{"uuid":"m2","content":"I moved to Lisbon last week.","role_type":"user","role":"Alice","timestamp":"2024-03-15T00:00:00Z","name":"chat"}]}`
	var done struct{ Success bool }
	c.send(202, keyOfAlice, "POST", "/messages", said, &done)
	if !done.Success {
		t.Error("the messages are not added")
	}
	c.send(202, keyOfAlice, "POST", "/messages", said, nil) // again
	if err := client.Process(t.Context(), "alice", nil); err != nil {
		t.Fatal(err)
	}
	if counts, err := client.EpisodeCounts(t.Context(), "alice"); err != nil || counts[graph.StateDone] != 2 {
		t.Errorf("there are %v (%v), want two done", counts, err)
	}
	var found facts
	c.send(200, keyOfAlice, "POST", "/search", `{"group_ids":null,"query":"Where does Alice live?"}`, &found)
	if len(found.Facts) == 0 {
		t.Error("a search of all groups that a key names finds nothing")
	}
	c.send(200, keyOfAlice, "POST", "/search", `{"group_ids":["alice"],"query":"Where does Alice live?","max_facts":5}`, &found)
	if len(found.Facts) != 2 || found.Facts[0].ValidAt == "" {
		t.Fatalf("found is %+v", found)
	}
	c.send(200, keyOfAlice, "POST", "/get-memory",
		`{"group_id":"alice","max_facts":1,"center_node_uuid":null,"messages":[{"content":"Lisbon?","role_type":"user","role":"Alice"}]}`, &found)
	if len(found.Facts) != 1 || !strings.Contains(found.Facts[0].Fact, "Lisbon") {
		t.Errorf("the memory is %+v", found)
	}
	if f := found.Facts[0]; f.Fact != "Alice moved to Lisbon in the week of 4 March 2024." || f.ValidAt != "2024-03-04T00:00:00Z" || f.InvalidAt != nil {
		t.Errorf("the fact is %+v", f)
	}
	edge := "/entity-edge/" + found.Facts[0].UUID
	var one struct{ Fact string }
	c.send(200, keyOfAlice, "GET", edge, "", &one)
	if one.Fact != found.Facts[0].Fact {
		t.Errorf("the edge says %q", one.Fact)
	}
	var episodes []struct{ UUID, Content, Source string }
	c.send(200, keyOfAlice, "GET", "/episodes/alice?last_n=1", "", &episodes)
	if len(episodes) != 1 || episodes[0].Content != "Alice(user): I moved to Lisbon last week." || episodes[0].Source != "message" {
		t.Errorf("the last episode is %+v", episodes)
	}
	c.send(200, keyOfAlice, "GET", "/episodes/alice?last_n=5", "", &episodes)
	if len(episodes) != 2 || episodes[1].Content != "Alice(user): I moved to Lisbon last week." {
		t.Errorf("the last episodes are not in the order in which they came about: %+v", episodes)
	}
	var node struct{ UUID, Name string }
	c.send(201, keyOfAlice, "POST", "/entity-node", `{"group_id":"alice","uuid":"x","name":"Apollo","summary":"A project."}`, &node)
	if node.Name != "Apollo" || node.UUID == "" {
		t.Errorf("the node is %+v", node)
	}
	for _, refused := range []struct {
		status                  int
		key, method, path, body string
	}{
		{404, keyOfBob, "GET", edge, ""},
		{404, keyOfBob, "DELETE", edge, ""},
		{404, keyOfBob, "GET", "/episodes/alice?last_n=1", ""},
		{404, keyOfBob, "POST", "/search", `{"group_ids":["alice"],"query":"x"}`},
		{404, keyOfBob, "DELETE", "/group/alice", ""},
		{404, keyOfBob, "DELETE", "/episode/" + episodes[1].UUID, ""},
		{401, "wrong", "GET", edge, ""},
		{422, keyOfAlice, "GET", "/episodes/alice?last_n=none", ""},
		{422, keyOfAlice, "POST", "/messages", `{"group_id":"alice","messages":[{"content":"x","role_type":"narrator"}]}`},
		{422, keyOfAlice, "GET", "/entity-edge/none", ""},
	} {
		c.send(refused.status, refused.key, refused.method, refused.path, refused.body, nil)
	}
	c.send(200, keyOfAlice, "DELETE", edge, "", nil)
	c.send(404, keyOfAlice, "GET", edge, "", nil)
	c.send(200, keyOfAlice, "DELETE", "/episode/"+episodes[1].UUID, "", nil)
	c.send(200, keyOfAlice, "DELETE", "/group/alice", "", nil)
	if _, err := client.Group(t.Context(), "alice"); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("the group is still there: %v", err)
	}
}

// Messages that were erased are left out, and the answer names them. If all were erased, that is an
// error.
func TestErasedMessagesAreLeftOut(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	keys, err := server.ParseKeys("alice=" + keyOfAlice)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	graphiti.Mount(s, graphiti.Options{})
	c := caller{t, s.Handler()}
	stored, err := client.Add(t.Context(), annals.Episode{GroupID: "alice", Content: "Her doctor prescribed insulin to Alice."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{stored.ID}}); err != nil {
		t.Fatal(err)
	}
	const erased = `{"uuid":"m2","content":"Her doctor prescribed insulin to Alice.","role_type":"user"}`
	var done struct {
		Message string
		Success bool
	}
	c.send(202, keyOfAlice, "POST", "/messages", `{"group_id":"alice","messages":[{"uuid":"m1","content":"I like tea.","role_type":"user"},`+erased+`]}`, &done)
	if want := "Messages added to processing queue; 1 left out, as they were erased: message 2 (uuid m2)"; !done.Success || done.Message != want {
		t.Errorf("the answer is %+v, want %q", done, want)
	}
	kept, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"})
	if err != nil || len(kept) != 1 || kept[0].ExternalID != "m1" {
		t.Errorf("kept are %+v (%v)", kept, err)
	}
	c.send(409, keyOfAlice, "POST", "/messages", `{"group_id":"alice","messages":[`+erased+`]}`, nil)
}
