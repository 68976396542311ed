package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/model"
)

// The keys of the service under test.
const (
	adminKey = "key-of-all-groups"
	aliceKey = "key-of-alice-only"
	pairKey  = "key-of-alice-and-bob"
	readKey  = "key-of-alice-that-reads"
	writeKey = "key-of-alice-that-writes"
)

// service serves MCP over HTTP with a database of its own. It has no workers; see process.
type service struct {
	t      *testing.T
	url    string
	client *annals.Client
}

func serve(t *testing.T) *service {
	t.Helper()
	return serveWith(t, nil)
}

// serveWith starts a service with an embedder; nil: the default.
func serveWith(t *testing.T, embedder model.Embedder) *service {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t), Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	keys, err := server.ParseKeys("alice=" + aliceKey + ",alice|bob=" + pairKey + "," + adminKey + ",alice=" + readKey + ";read,alice=" + writeKey + ";write")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: client, Keys: keys, CORSOrigins: []string{"https://app.example"}, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))})
	mcp.Mount(s, mcp.Options{})
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	return &service{t: t, url: listening.URL + "/mcp", client: client}
}

// keyed adds a key and other headers to every request.
type keyed struct {
	base   http.RoundTripper
	header map[string]string
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range k.header {
		r.Header.Set(name, value)
	}
	return k.base.RoundTrip(r)
}

// connect opens a session of the SDK's own client. Names and values of headers follow the key.
func (s *service) connect(key string, headers ...string) (*session, error) {
	header := map[string]string{}
	if key != "" {
		header["Authorization"] = "Bearer " + key
	}
	for i := 0; i+1 < len(headers); i += 2 {
		header[headers[i]] = headers[i+1]
	}
	base := &http.Transport{}
	s.t.Cleanup(base.CloseIdleConnections)
	return connect(s.t, &sdk.StreamableClientTransport{
		Endpoint: s.url, HTTPClient: &http.Client{Transport: keyed{base, header}}, MaxRetries: -1,
	})
}

// session opens a session that decodes answers as objects.
func (s *service) session(key string, headers ...string) *session {
	s.t.Helper()
	return s.talk(key, append(headers, mcp.ToolsHeader, "structured")...)
}

// talk opens a session like that of a host, which asks for no special form.
func (s *service) talk(key string, headers ...string) *session {
	s.t.Helper()
	session, err := s.connect(key, headers...)
	if err != nil {
		s.t.Fatal(err)
	}
	return session
}

// session is a connected client.
type session struct {
	*sdk.ClientSession
	t *testing.T
}

func connect(t *testing.T, transport sdk.Transport) (*session, error) {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	connected, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = connected.Close() })
	return &session{connected, t}, nil
}

// call calls a tool and returns its result and its text.
func (s *session) call(name string, arguments map[string]any) (*sdk.CallToolResult, string) {
	s.t.Helper()
	result, err := s.CallTool(s.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		s.t.Fatalf("%s %v: %v", name, arguments, err)
	}
	var text strings.Builder
	for _, content := range result.Content {
		text.WriteString(content.(*sdk.TextContent).Text)
	}
	return result, text.String()
}

// must calls a tool that must succeed, and decodes its structured content.
func (s *session) must(into any, name string, arguments map[string]any) string {
	s.t.Helper()
	result, text := s.call(name, arguments)
	if result.IsError {
		s.t.Fatalf("%s %v: %s", name, arguments, text)
	}
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil {
		s.t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(structured, into); err != nil {
			s.t.Fatalf("%s: %v in %s", name, err, structured)
		}
	}
	return text
}

// refused calls a tool that must fail with these words.
func (s *session) refused(words, name string, arguments map[string]any) {
	s.t.Helper()
	if result, text := s.call(name, arguments); !result.IsError || !strings.Contains(text, words) {
		s.t.Errorf("%s %v: error %v, %q; want an error with %q", name, arguments, result.IsError, text, words)
	}
}

// settle waits until all episodes of a group are read.
func (s *session) settle(group string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for {
		var status struct {
			Status   string
			Episodes struct{ Pending, Processing, Done, Failed int }
		}
		s.must(&status, "get_status", map[string]any{"group_id": group})
		if e := status.Episodes; status.Status == "ok" && e.Pending+e.Processing == 0 && e.Done+e.Failed > 0 {
			return
		}
		select {
		case <-ctx.Done():
			s.t.Fatalf("%s is not read: %+v", group, status)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// process reads waiting episodes; the handler alone does not.
func (s *service) process(group string) {
	s.t.Helper()
	if err := s.client.Process(s.t.Context(), group, nil); err != nil {
		s.t.Fatal(err)
	}
}

type (
	fact struct {
		UUID, Fact, Name string
		Kind, When       string
		ValidFrom        bound      `json:"valid_from"`
		ValidUntil       bound      `json:"valid_until"`
		Source           string     `json:"source_node_name"`
		Target           string     `json:"target_node_name"`
		SourceUUID       string     `json:"source_node_uuid"`
		ValidAt          *time.Time `json:"valid_at"`
		InvalidAt        *time.Time `json:"invalid_at"`
		Group            string     `json:"group_id"`
		Episodes         []string
	}
	bound struct{ Basis, Precision string }
	facts struct {
		Message string
		Facts   []fact
	}
	node struct {
		UUID, Name, Summary string
		Labels              []string
	}
	nodes    struct{ Nodes []node }
	episodes struct {
		Episodes []struct{ UUID, Content, State, Name, Saga string }
	}
	added struct {
		UUID    string
		New     bool
		Ignored []string
	}
)
