package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// behindBouncer opens a memory through PgBouncer in transaction mode, with three connections for
// all clients, and a checker that bypasses it.
func behindBouncer(t *testing.T, direct string) (*memory, checker) {
	t.Helper()
	return &memory{t: t, environ: map[string]string{"ANNALS_DATABASE_URL": pgtest.Bouncer(t, direct)}}, connect(t, direct)
}

// leavesNothing checks that the server's connections are returned in their initial state: without
// locks and settings.
func (m *memory) leavesNothing(c checker) {
	m.t.Helper()
	if n := c.count(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`); n != 0 {
		m.t.Errorf("%d locks are left behind", n)
	}
	const servers = 3
	for range servers { // each holds a connection for a transaction
		tx, err := connect(m.t, m.environ["ANNALS_DATABASE_URL"]).conn.Begin(m.t.Context())
		if err != nil {
			m.t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(m.t.Context()) }()
		var left []string // except what the pooler sets for each client, and the beginning of a transaction
		err = tx.QueryRow(m.t.Context(), `SELECT coalesce(array_agg(name || ' = ' || setting), '{}') FROM pg_settings WHERE source = 'session'
			AND name <> ALL ('{application_name,client_encoding,DateStyle,TimeZone,standard_conforming_strings,transaction_deferrable,transaction_isolation,transaction_read_only}')`,
			pgx.QueryExecModeExec).Scan(&left)
		if err != nil || len(left) > 0 {
			m.t.Errorf("settings are left behind: %q (%v)", left, err)
		}
	}
}

// Every command runs behind a pooler without settings: in order, on one memory.
func TestCommandsBehindAPooler(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m, c := behindBouncer(t, pgtest.Empty(t))
	file := filepath.Join(t.TempDir(), "t.jsonl")
	for _, tt := range []struct {
		command, stdin string
		want           string // expected in standard output
	}{
		{"migrate status", "", "00001"},
		{"migrate up", "", "applied"},
		{"migrate up", "", "The schema is current."},
		{"migrate status", "", "00001"},
		{"migrate down --yes", "", "removed"},
		{"migrate up", "", "applied"},
		{"doctor", "", "extensions"},
		{"keys create --admin", "", "annals_"},
		{"keys list", "", "all groups"},
		{"add -g t --thread-id chat --actor Alice --occurred-at 2023-01-10 {}", "I live in Paris.", ""},
		{"add -g t --thread-id chat --actor Alice --occurred-at 2024-03-15 {}", "I moved to Lisbon last week.", ""},
		{"add -g t --format jsonl --file -", conversation(40), ""},
		{"triple Alice KNOWS Bob -g t", "", ""},
		{"search {} -g t", "Where does Alice live?", "Lisbon"},
		{"search {} -g t --json", "Where does Alice live?", "Lisbon"},
		{"context {} -g t", "Where does Alice live?", "Lisbon"},
		{"facts -g t", "", "Lisbon"},
		{"facts -g t --as-of 2023-06-01", "", "Paris"},
		{"entities -g t", "", "Alice"},
		{"episodes -g t", "", "done"},
		{"timeline -g t", "", "Lisbon"},
		{"diff -g t --from 2023-06-01", "", "Lisbon"},
		{"threads -g t", "", "chat"},
		{"threads summarise chat -g t", "", ""},
		{"ontology -g t", "", ""},
		{"usage -g t", "", ""},
		{"communities build -g t", "", ""},
		{"communities -g t", "", "MEMBERS"},
		{"retention set -g t --max-episodes 1000", "", ""},
		{"retention apply -g t", "", ""},
		{"export -g t --output " + file, "", ""},
		{"import --as copy " + file, "", "copy"},
		{"facts -g copy", "", "Lisbon"},
		{"reembed --embedding-dim 256", "", ""},
		{"search {} -g copy", "Where does Alice live?", "Lisbon"},
		{"erase -g copy --yes", "", ""},
		{"retry -g t", "", ""},
		{"doctor", "", "hash-1-256"},
		{"search {} --tenant t", "Where does Alice live?", "Lisbon"},
		{"demo", "", ""},
	} {
		args := strings.Fields(tt.command)
		for i, arg := range args {
			if arg == "{}" {
				args[i] = tt.stdin
			}
		}
		began := time.Now()
		if o := m.run(tt.stdin, args...); o.code != exitOK || !strings.Contains(o.stdout, tt.want) {
			t.Errorf("annals %s: exit %d, %q, want %q\n%s", tt.command, o.code, o.stdout, tt.want, o.stderr)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("annals %s took %s: it waited for a connection that never came free", tt.command, took)
		}
	}
	m.leavesNothing(c)
}

// started is a service that runs in the test.
type started struct {
	t     *testing.T
	first string // line of standard output
	log   *strings.Builder
	stop  func()
}

func (m *memory) start(stdin io.Reader, stdout io.Writer, args ...string) *started {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	s := &started{t: m.t, log: &strings.Builder{}}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, args, stdin, stdout, s.log, m.environ) }()
	s.stop = func() {
		cancel()
		if code := <-ended; code != exitOK {
			m.t.Errorf("annals %q ended with %d: %s", args, code, s.log)
		}
	}
	return s
}

// startTold calls [memory.start] for a service that reports that it runs.
func (m *memory) startTold(args ...string) *started {
	m.t.Helper()
	output, stdout := io.Pipe()
	s := m.start(strings.NewReader(""), stdout, args...)
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		m.t.Fatalf("annals %q says nothing", args)
	}
	s.first = lines.Text()
	go func() { _, _ = io.Copy(io.Discard, output) }()
	return s
}

// Services run behind a pooler that has fewer connections than groups are read at once, without a
// deadlock.
func TestServicesBehindAPooler(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const groups, each = 8, 3
	for _, name := range []string{"worker", "serve"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, c := behindBouncer(t, pgtest.New(t))
			const secret = "a-secret-of-the-environment"
			m.environ["ANNALS_API_KEYS"] = secret
			add := func(from string) {
				for i := range groups {
					m.must("add", "-g", fmt.Sprintf("g%d", i), "--no-process", "--format", "jsonl", "-f", m.file("c.jsonl", strings.ReplaceAll(conversation(each), "Town", "Town"+from)))
				}
			}
			add("a")
			args := []string{"worker"}
			if name == "serve" {
				args = []string{"serve", "--listen", "127.0.0.1:0"}
			}
			s := m.startTold(args...)
			c.waitForDone(groups * each)
			add("b")
			c.waitForDone(2 * groups * each)
			if name == "serve" {
				url := strings.TrimSuffix(strings.Fields(s.first)[3], ";")
				m.asksServer(url, secret)
			}
			s.stop()
			c.checkNothingPartial()
			m.leavesNothing(c)
		})
	}
}

// asksServer adds and searches through the interfaces of a service.
func (m *memory) asksServer(url, secret string) {
	m.t.Helper()
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	client := &http.Client{Transport: keyed{base, secret}}
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodGet, "/readyz", ""},
		{http.MethodPost, "/v1/groups/g0/episodes", `{"content": "Alice lives in Rome.", "source": "text"}`},
		{http.MethodPost, "/v1/groups/g0/search", `{"query": "Rome"}`},
		{http.MethodPost, "/v1/groups/g0/context", `{"query": "Rome"}`},
		{http.MethodGet, "/v1/groups/g0/facts", ""},
		{http.MethodGet, "/metrics", ""},
	} {
		request, err := http.NewRequestWithContext(m.t.Context(), tt.method, url+tt.path, strings.NewReader(tt.body))
		if err != nil {
			m.t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			m.t.Fatal(err)
		}
		said, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode/100 != 2 {
			m.t.Errorf("%s %s: %d %s", tt.method, tt.path, response.StatusCode, said)
		}
	}
	m.asksTools(&sdk.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: client, MaxRetries: -1})
}

// keyed adds a key to every request.
type keyed struct {
	base   http.RoundTripper
	secret string
}

// RoundTrip sends the request.
func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.secret)
	return k.base.RoundTrip(r)
}

// asksTools adds and searches as an agent does, and waits until the addition was read.
func (m *memory) asksTools(transport sdk.Transport) {
	m.t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(m.t.Context(), transport, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	call := func(name string, arguments map[string]any) string {
		result, err := session.CallTool(m.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err != nil || result.IsError {
			m.t.Fatalf("%s: %+v (%v)", name, result, err)
		}
		return fmt.Sprint(result.Content[0].(*sdk.TextContent).Text)
	}
	call("add_memory", map[string]any{"name": "chat", "episode_body": "Carol: I live in Oslo.", "source": "message", "group_id": "tools"})
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(call("search_memory_facts", map[string]any{"query": "Where does Carol live?", "group_ids": "tools"}), "Oslo") {
		if time.Now().After(deadline) {
			m.t.Fatal("what was said is not found")
		}
		time.Sleep(100 * time.Millisecond)
	}
	call("memory_as_of", map[string]any{"as_of": "2023-06-01", "group_ids": "tools"})
	call("clear_graph", map[string]any{"group_ids": []string{"tools"}})
}

func TestAnAgentOfAHostBehindAPooler(t *testing.T) {
	t.Parallel()
	m, c := behindBouncer(t, pgtest.New(t))
	stdin, toServer := io.Pipe()
	fromServer, stdout := io.Pipe()
	s := m.start(stdin, stdout, "mcp")
	m.asksTools(&sdk.IOTransport{Reader: fromServer, Writer: toServer})
	s.stop()
	m.leavesNothing(c)
}

func TestAgentsBehindAPooler(t *testing.T) {
	t.Parallel()
	direct := pgtest.New(t)
	s := chattyAt(t, pgtest.Bouncer(t, direct))
	for range 3 {
		if o := s.run("I moved to Lisbon.\n", "agent", "chat", "sam"); o.code != exitOK || o.stdout != "I see.\n" {
			t.Errorf("chat: exit %d, %q\n%s", o.code, o.stdout, o.stderr)
		}
	}
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("One\nTwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("agent", "attach", "sam", book)
	s.must("agent", "run", "sam", "I moved to Lisbon.")
	s.must("agent", "export", "sam")
	s.must("agent", "delete", "sam", "--yes")
	s.leavesNothing(connect(t, direct))
}
