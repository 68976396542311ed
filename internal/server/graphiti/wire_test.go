package graphiti_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
)

const (
	keyOfAll  = "key-of-all-the-groups"
	keyOfTeam = "key-of-a-namespace"
)

// doors serves Graphiti's routes.
func doors(t *testing.T, o graphiti.Options) (caller, *annals.Client) {
	t.Helper()
	client := clienttest.Open(t, annals.Config{})
	keys, err := server.ParseKeys("alice=" + keyOfAlice + ",bob=" + keyOfBob + ",team:*=" + keyOfTeam + "," + keyOfAll)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys})
	graphiti.Mount(s, o)
	return caller{t, s.Handler()}, client
}

// Answers have exactly the fields of the models in Graphiti's own server (graph_service/dto and
// graphiti_core).
type (
	factResult struct {
		UUID      uuid.UUID    `json:"uuid"`
		Name      string       `json:"name"`
		Fact      string       `json:"fact"`
		ValidAt   *time.Time   `json:"valid_at"`
		InvalidAt *time.Time   `json:"invalid_at"`
		CreatedAt time.Time    `json:"created_at"`
		ExpiredAt *time.Time   `json:"expired_at"`
		Source    uuid.UUID    `json:"source_node_uuid"`
		Target    uuid.UUID    `json:"target_node_uuid"`
		Episodes  *[]uuid.UUID `json:"episodes"`
	}
	searchResults struct {
		Facts []factResult `json:"facts"`
	}
	episodicNode struct {
		UUID              uuid.UUID    `json:"uuid"`
		Name              string       `json:"name"`
		GroupID           string       `json:"group_id"`
		Labels            *[]string    `json:"labels"`
		CreatedAt         time.Time    `json:"created_at"`
		Source            string       `json:"source"`
		SourceDescription string       `json:"source_description"`
		Content           string       `json:"content"`
		ValidAt           time.Time    `json:"valid_at"`
		EntityEdges       *[]uuid.UUID `json:"entity_edges"`
	}
	entityNode struct {
		UUID          uuid.UUID      `json:"uuid"`
		Name          string         `json:"name"`
		GroupID       string         `json:"group_id"`
		Labels        *[]string      `json:"labels"`
		CreatedAt     time.Time      `json:"created_at"`
		NameEmbedding []float64      `json:"name_embedding"`
		Summary       string         `json:"summary"`
		Attributes    map[string]any `json:"attributes"`
	}
)

// strictly decodes an answer, and fails on unknown or missing fields.
func strictly[T any](c caller, status int, key, method, path, body string) T {
	c.t.Helper()
	var text json.RawMessage
	c.send(status, key, method, path, body, &text)
	var read T
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		c.t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
	again, err := json.Marshal(read)
	if err != nil {
		c.t.Fatal(err)
	}
	if want, got := fields(c.t, again), fields(c.t, text); !slices.Equal(want, got) {
		c.t.Errorf("%s %s has the fields %q, want %q", method, path, got, want)
	}
	return read
}

// fields returns the names in an object, or in the first object of a list.
func fields(t *testing.T, text []byte) []string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	var names []string
	var walk func(prefix string, value any)
	walk = func(prefix string, value any) {
		switch value := value.(type) {
		case []any:
			if len(value) > 0 {
				walk(prefix, value[0])
			}
		case map[string]any:
			for name, inner := range value {
				names = append(names, prefix+name)
				walk(prefix+name+".", inner)
			}
		}
	}
	walk("", value)
	slices.Sort(names)
	return names
}

// Facts have the ids of their entities and of the episodes that state them, and episodes those of
// their facts, so that clients can follow them.
func TestAnswersHaveTheFieldsOfGraphiti(t *testing.T) {
	t.Parallel()
	c, client := doors(t, graphiti.Options{})
	c.send(202, keyOfAlice, "POST", "/messages", `{"group_id":"alice","messages":[
		{"content":"I live in Paris.","role_type":"user","role":"Alice","timestamp":"2023-01-10T00:00:00Z"},
		{"content":"Hello!","role_type":"assistant","role":"Bot","timestamp":"2023-01-11T00:00:00Z"}]}`, nil)
	if err := client.Process(t.Context(), "alice", nil); err != nil {
		t.Fatal(err)
	}
	found := strictly[searchResults](c, 200, keyOfAlice, "POST", "/search", `{"group_ids":["alice"],"query":"Where does Alice live?"}`)
	if len(found.Facts) != 1 || found.Facts[0].Source == found.Facts[0].Target || found.Facts[0].Source == uuid.Nil {
		t.Fatalf("found is %+v", found)
	}
	said := strictly[[]episodicNode](c, 200, keyOfAlice, "GET", "/episodes/alice?last_n=5", "")
	if len(said) != 2 || !slices.Equal(*said[0].EntityEdges, []uuid.UUID{found.Facts[0].UUID}) || len(*said[1].EntityEdges) != 0 {
		t.Errorf("the episodes are %+v", said)
	}
	one := strictly[factResult](c, 200, keyOfAlice, "GET", "/entity-edge/"+found.Facts[0].UUID.String(), "")
	if one.Target != found.Facts[0].Target || !slices.Equal(*one.Episodes, []uuid.UUID{said[0].UUID}) {
		t.Errorf("the edge is %+v", one)
	}
	node := strictly[entityNode](c, 201, keyOfAlice, "POST", "/entity-node", `{"group_id":"alice","uuid":"x","name":"Apollo","summary":"A project."}`)
	if node.Name != "Apollo" || node.Attributes == nil {
		t.Errorf("the node is %+v", node)
	}
	memory := strictly[searchResults](c, 200, keyOfAlice, "POST", "/get-memory", fmt.Sprintf(
		`{"group_id":"alice","max_facts":"1","center_node_uuid":%q,"messages":[{"content":"Paris?","role_type":"user","role":null}]}`, one.Source))
	if len(memory.Facts) != 1 {
		t.Errorf("the memory is %+v", memory)
	}
}

// What pydantic accepts is accepted: quoted numbers, times as Python prints them or in seconds, and
// a slash after each path.
func TestTolerantRequests(t *testing.T) {
	t.Parallel()
	c, client := doors(t, graphiti.Options{})
	for i, at := range []string{`"2024-01-01 10:00:00+00:00"`, `"2024-01-01 10:00:00"`, `1704103200`, `1704103200000`, `"1704103200"`, `1704103200.0`, `"2024-01-01T11:00:00+01:00"`} {
		c.send(202, keyOfAlice, "POST", "/messages/", fmt.Sprintf(
			`{"group_id":"alice","messages":[{"content":"I live in house %d.","role_type":"user","role":null,"uuid":null,"timestamp":%s}]}`, i, at), nil)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"})
	if err != nil || len(episodes) != 7 {
		t.Fatalf("stored are %d (%v)", len(episodes), err)
	}
	for _, e := range episodes {
		if !e.OccurredAt.Equal(time.Date(2024, 1, 1, 10, 0, 0, 0, time.UTC)) {
			t.Errorf("%q was said at %s", e.Content, e.OccurredAt)
		}
	}
	for _, number := range []string{`3`, `3.0`, `"3"`, `"3.0"`, `null`} {
		c.send(200, keyOfAlice, "POST", "/search/", `{"group_ids":["alice"],"query":"x","max_facts":`+number+`}`, nil)
	}
	c.send(200, keyOfAlice, "POST", "/get-memory/", `{"group_id":"alice","center_node_uuid":null,"messages":[{"content":"x","role_type":"user"}]}`, nil)
	c.send(200, keyOfAlice, "GET", "/episodes/alice/?last_n=2.0", "", nil)
	c.send(200, keyOfAlice, "DELETE", "/episode/"+episodes[0].ID.String()+"/", "", nil)
	for _, bad := range []string{`"many"`, `3.5`, `1e300`, `[3]`, `-1`} {
		c.send(422, keyOfAlice, "POST", "/search", `{"group_ids":["alice"],"query":"x","max_facts":`+bad+`}`, nil)
	}
	c.send(422, keyOfAlice, "POST", "/messages", `{"group_id":"alice","messages":[{"content":"x","role_type":"user","timestamp":1e20}]}`, nil)
}

// Clearing empties the groups of the key. With a key for all groups it empties only groups that
// were filled through this interface. They can be filled again.
func TestClear(t *testing.T) {
	t.Parallel()
	c, client := doors(t, graphiti.Options{})
	fill := func() {
		for _, group := range []string{"alice", "bob", "team:a"} {
			c.send(202, keyOfAll, "POST", "/messages", `{"group_id":"`+group+`","messages":[{"content":"I live in Paris.","role_type":"user","role":"Ann"}]}`, nil)
		}
	}
	left := func(want ...string) {
		t.Helper()
		var got []string
		for _, group := range []string{"alice", "bob", "other", "team:a"} {
			episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: group})
			if err != nil {
				t.Fatal(err)
			}
			if len(episodes) > 0 {
				got = append(got, group)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("left are %q, want %q", got, want)
		}
	}
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "other", Content: "I live in Rome."}); err != nil {
		t.Fatal(err)
	}
	fill()
	c.send(404, keyOfAlice, "POST", "/clear", `{"group_ids":["alice","bob"]}`, nil)
	c.send(404, keyOfAll, "POST", "/clear", `{"group_ids":["alice","none"]}`, nil)
	left("alice", "bob", "other", "team:a")
	var done struct {
		Message string
		Success bool
	}
	c.send(200, keyOfAlice, "POST", "/clear", "", &done)
	if !done.Success || done.Message != "Graph cleared" {
		t.Errorf("the answer is %+v", done)
	}
	left("bob", "other", "team:a")
	c.send(200, keyOfTeam, "POST", "/clear/", "", nil)
	left("bob", "other")
	fill()
	c.send(200, keyOfAll, "POST", "/clear", `{}`, nil)
	left("other")
	c.send(200, keyOfAll, "POST", "/clear", `{"group_ids":["other"]}`, nil)
	left()
}

// Without a key only programs on this machine have access, and only if the operator allows it: no
// web pages, no other host names, no requests from proxies, and no wrong keys.
func TestKeysAreOptionalOnThisMachine(t *testing.T) {
	t.Parallel()
	without, _ := doors(t, graphiti.Options{})
	with, _ := doors(t, graphiti.Options{KeyOptional: true})
	for _, tt := range []struct {
		doors                 caller
		remote, host, headers string
		status                int
	}{
		{with, "127.0.0.1:4711", "localhost:8080", "", 200},
		{with, "127.0.0.1:4711", "127.0.0.1:8080", "", 200},
		{with, "[::1]:4711", "[::1]", "", 200},
		{with, "127.0.0.1:4711", "localhost.:8080", "", 200},
		{with, "127.0.0.1:4711", "localhost.example.com", "", 401},
		{with, "127.0.0.1:4711", "", "", 401}, // a proxy may omit it
		{without, "127.0.0.1:4711", "localhost:8080", "", 401},
		{with, "192.0.2.7:4711", "localhost:8080", "", 401},
		{with, "127.0.0.1:4711", "rebound.example.com:8080", "", 401},
		{with, "127.0.0.1:4711", "localhost:8080", "Origin: https://example.com", 401},
		{with, "127.0.0.1:4711", "localhost:8080", "Sec-Fetch-Site: cross-site", 401},
		{with, "127.0.0.1:4711", "localhost:8080", "X-Forwarded-For: 192.0.2.7", 401},
		{with, "127.0.0.1:4711", "localhost:8080", "Authorization: Bearer wrong-key-of-nobody", 401},
		{with, "192.0.2.7:4711", "annals.example.com", "Authorization: Bearer " + keyOfAll, 200},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/search", strings.NewReader(`{"group_ids":["alice"],"query":"x"}`))
		r.RemoteAddr, r.Host = tt.remote, tt.host
		if name, value, ok := strings.Cut(tt.headers, ": "); ok {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		tt.doors.doors.ServeHTTP(w, r)
		if said, _ := io.ReadAll(w.Body); w.Code != tt.status {
			t.Errorf("from %s to %s with %q: %d, want %d: %s", tt.remote, tt.host, tt.headers, w.Code, tt.status, said)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/messages", strings.NewReader(
		`{"group_id":"bob","messages":[{"content":"I live in Paris.","role_type":"user","role":"Bob"}]}`))
	r.RemoteAddr, r.Host = "127.0.0.1:4711", "localhost"
	w := httptest.NewRecorder()
	with.doors.ServeHTTP(w, r)
	if w.Code != 202 {
		t.Errorf("a message without a key: %d %s", w.Code, w.Body)
	}
}
