package server_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/slow"
)

// packing is a service with all interfaces, to which requests are sent.
type packing struct {
	t      *testing.T
	url    string
	server *server.Server
	client *annals.Client
}

func newPacking(t *testing.T) *packing {
	t.Helper()
	keys, err := server.ParseKeys("a-static-key-of-all")
	if err != nil {
		t.Fatal(err)
	}
	client := open(t)
	s := server.New(server.Options{Client: client, Keys: keys})
	rest.Mount(s, rest.Options{MaxBulk: 64 << 20})
	zep.Mount(s)
	mcp.Mount(s, mcp.Options{})
	graphiti.Mount(s, graphiti.Options{})
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	return &packing{t, listening.URL, s, client}
}

// send sends a body unchanged, and returns the raw answer.
func (p *packing) send(method, path string, body []byte, headers ...string) (*http.Response, []byte) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer a-static-key-of-all")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Accept-Encoding", "identity") // otherwise Go decompresses it
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response, said
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every interface accepts compressed bodies.
func TestPackedBodies(t *testing.T) {
	t.Parallel()
	p := newPacking(t)
	if _, err := p.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: "I live in Paris."}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, body, kind string
		status           int
	}{
		{"/v1/groups/g/episodes", `{"content": "I live in Lisbon."}`, "application/json", 202},
		{"/v1/groups/g/episodes", strings.Repeat(`{"content": "I live in Rome."}`+"\n", 300), "application/x-ndjson", 202},
		{"/api/v2/graph", `{"graph_id": "g", "type": "text", "data": "I live in Oslo."}`, "application/json", 200},
		{"/messages", `{"group_id": "g", "messages": [{"content": "I live in Bern.", "role_type": "user"}]}`, "application/json", 202},
		{"/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add_memory", "arguments": {"name": "x", "episode_body": "I live in Wien.", "group_id": "g"}}}`, "application/json", 200},
	} {
		if response, said := p.send("POST", tt.path, packed(t, tt.body), "Content-Encoding", "gzip", "Content-Type", tt.kind); response.StatusCode != tt.status {
			t.Errorf("%s: %d, want %d: %s", tt.path, response.StatusCode, tt.status, said)
		}
	}
	counts, err := p.client.EpisodeCounts(t.Context(), "g")
	stored := 0
	for _, n := range counts {
		stored += n
	}
	if want := 1 + 1 + 300 + 3; err != nil || stored != want {
		t.Errorf("stored are %d (%v), want %d", stored, err, want)
	}
}

// The limits apply to the decompressed body, and no more of it is decompressed than they allow.
// Other content than gzip and other encodings are refused.
func TestBombsAreNotUnpacked(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	p := newPacking(t)
	bomb := packed(t, strings.Repeat(" ", 200<<20))
	lines := packed(t, strings.Repeat(strings.Repeat(" ", 100)+"\n", 1<<20))
	whole := packed(t, `{"content": "I live in Paris."}`)
	for _, tt := range []struct {
		name, path, kind, encoding string
		body                       []byte
		status                     int
		words                      string
	}{
		{"rest", "/v1/groups/g/episodes", "application/json", "gzip", bomb, 413, "unpacks to more than 4194304 bytes"},
		{"a question", "/v1/groups/g/search", "application/json", "GZIP", bomb, 413, "unpacks to more than 262144 bytes"},
		{"zep", "/api/v2/graph", "application/json", "gzip", bomb, 413, "unpacks to more than 4194304 bytes"},
		{"graphiti", "/messages", "application/json", "gzip", bomb, 413, "unpacks to more than 4194304 bytes"},
		{"mcp", "/mcp", "application/json", "gzip", bomb, 413, "unpacks to more than 4194304 bytes"},
		{"one line", "/v1/groups/g/episodes", "application/x-ndjson", "gzip", bomb, 413, "a line is longer than"},
		{"lines", "/v1/groups/g/episodes", "application/x-ndjson", "gzip", lines, 413, "the body is longer than"},
		{"no gzip", "/v1/groups/g/episodes", "application/json", "gzip", []byte(`{"content": "x"}`), 400, "is it gzip"},
		{"cut off", "/v1/groups/g/episodes", "application/json", "gzip", whole[:len(whole)-9], 400, "is it gzip"},
		{"packed twice", "/v1/groups/g/episodes", "application/json", "gzip, gzip", whole, 415, "this takes gzip"},
		{"in another way", "/v1/groups/g/episodes", "application/json", "br", whole, 415, "this takes gzip"},
		{"said to be plain", "/v1/groups/g/episodes", "application/json", "identity", []byte(`{"content": "x"}`), 202, ""},
	} {
		began := time.Now()
		response, said := p.send("POST", tt.path, tt.body, "Content-Encoding", tt.encoding, "Content-Type", tt.kind)
		if response.StatusCode != tt.status || !strings.Contains(string(said), tt.words) {
			t.Errorf("%s: %d %s, want %d with %q", tt.name, response.StatusCode, said, tt.status, tt.words)
		}
		t.Logf("%s: %d bytes are answered within %s", tt.name, len(tt.body), time.Since(began))
	}
}

// Long answers are compressed for clients that accept it; short ones and events are not.
func TestPackedAnswers(t *testing.T) {
	t.Parallel()
	p := newPacking(t)
	for i := range 20 {
		if _, err := p.client.Add(t.Context(), annals.Episode{GroupID: "g", Content: fmt.Sprintf("I live in house %d.", i)}); err != nil {
			t.Fatal(err)
		}
	}
	p.server.Handle("GET /events", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 100 {
			fmt.Fprint(w, "data: I live in Paris.\n\n")
			_ = http.NewResponseController(w).Flush()
		}
	}))
	for _, tt := range []struct {
		path, takes string
		want        bool
	}{
		{"/v1/groups/g/episodes", "gzip", true},
		{"/v1/groups/g/episodes", "gzip, deflate, br, zstd", true},
		{"/v1/groups/g/episodes", "identity", false},
		{"/v1/groups/g/episodes", "gzip;q=0", false},
		{"/v1/groups/g", "gzip", false}, // too short
		{"/openapi.json", "gzip", true},
		{"/events", "gzip", false},
	} {
		response, said := p.send("GET", tt.path, nil, "Accept-Encoding", tt.takes)
		if got := response.Header.Get("Content-Encoding") == "gzip"; response.StatusCode != 200 || got != tt.want {
			t.Errorf("%s for who takes %q: %d, packed: %v, want %v", tt.path, tt.takes, response.StatusCode, got, tt.want)
		}
		if !tt.want {
			continue
		}
		reader, err := gzip.NewReader(bytes.NewReader(said))
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(reader)
		if _, plain := p.send("GET", tt.path, nil); err != nil || !bytes.Equal(unpacked, plain) || len(said) >= len(plain) {
			t.Errorf("%s is not the same, packed in %d bytes and unpacked in %d (%v)", tt.path, len(said), len(plain), err)
		}
		if !strings.Contains(strings.Join(response.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s does not say that it depends on Accept-Encoding", tt.path)
		}
	}
}

// Events arrive when they are sent, also if the client accepts compressed answers.
func TestEventsArriveAtOnce(t *testing.T) {
	t.Parallel()
	p := newPacking(t)
	heard := make(chan struct{})
	p.server.Handle("GET /awaited", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: one\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-heard:
			fmt.Fprint(w, "data: two\n\n")
		case <-time.After(10 * time.Second):
			fmt.Fprint(w, "data: nobody heard it\n\n")
		}
	}))
	for _, takes := range []string{"gzip", "identity"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/awaited", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", takes)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, len("data: one\n\n"))
		if _, err := io.ReadFull(response.Body, first); err != nil {
			t.Fatal(err)
		}
		heard <- struct{}{}
		rest, err := io.ReadAll(response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil || string(rest) != "data: two\n\n" {
			t.Errorf("for who takes %s came %q, then %q (%v)", takes, first, rest, err)
		}
	}
}
