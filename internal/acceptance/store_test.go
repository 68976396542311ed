package acceptance_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// The modes: rules without a model, and the model of scripted_test.go.
var modes = []string{"offline", "scripted"}

// store is a memory with all its doors open.
type store struct {
	mode        string
	databaseURL string
	url         string // of the server
	client      *annals.Client
	pool        *pgxpool.Pool // of somebody with psql
	environ     []string      // of the command
	binary      string
}

// adminKey opens every group.
const adminKey = "acceptance-key-of-an-administrator"

// scopedKey opens the groups of one test only.
const scopedKey = "acceptance-key-of-scope-a"

func newStore(t *testing.T, mode string) *store {
	t.Helper()
	s := &store{mode: mode, databaseURL: pgtest.New(t), binary: program.Annals(t)}
	config := annals.Config{DatabaseURL: s.databaseURL}
	s.environ = append(os.Environ(), "ANNALS_DATABASE_URL="+s.databaseURL, "XDG_DATA_HOME="+t.TempDir())
	if mode == "scripted" {
		scripted := modeltest.NewServer(t, answer)
		s.environ = append(s.environ, "ANNALS_LLM=openai:scripted", "ANNALS_LLM_BASE_URL="+scripted.URL, "OPENAI_API_KEY=sk-scripted")
		llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: scripted.URL, APIKey: "sk-scripted"})
		if err != nil {
			t.Fatal(err)
		}
		config.LLM = llm
	}
	var err error
	if s.client, err = annals.Open(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	if s.pool, err = pgxpool.New(t.Context(), s.databaseURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.pool.Close)
	s.serve(t)
	return s
}

// serve opens the HTTP doors.
func (s *store) serve(t *testing.T) {
	t.Helper()
	keys, err := server.ParseKeys("scope-a=" + scopedKey + "," + adminKey)
	if err != nil {
		t.Fatal(err)
	}
	doors := server.New(server.Options{Client: s.client, Keys: keys, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))})
	rest.Mount(doors, rest.Options{})
	mcp.Mount(doors, mcp.Options{})
	zep.Mount(doors)
	graphiti.Mount(doors, graphiti.Options{})
	listening := httptest.NewServer(doors.Handler())
	t.Cleanup(listening.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	s.url = listening.URL
}

// run runs the command and returns what it printed, and whether it failed.
func (s *store) run(ctx context.Context, stdin string, args ...string) (stdout, stderr string, ok bool) {
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.Env, cmd.Stdin = s.environ, strings.NewReader(stdin)
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	err := cmd.Run()
	return out.String(), failure.String(), err == nil
}

// must runs the command, which must succeed.
func (s *store) must(t *testing.T, args ...string) string {
	t.Helper()
	out, failure, ok := s.run(t.Context(), "", args...)
	if !ok {
		t.Fatalf("annals %q: %s", args, failure)
	}
	return out
}

// exec runs SQL like a user of psql.
func (s *store) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := s.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// count returns the number that a query selects.
func (s *store) count(t *testing.T, sql string, args ...any) int {
	t.Helper()
	var n int
	if err := s.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// read reads the waiting episodes of a group.
func (s *store) read(t *testing.T, group string) {
	t.Helper()
	if err := s.client.Process(t.Context(), group, nil); err != nil {
		t.Fatalf("read %s: %v", group, err)
	}
}

// background runs every job of a worker for a group to its end.
func (s *store) background(t *testing.T, group string) {
	t.Helper()
	ctx := t.Context()
	s.read(t, group)
	if _, err := s.client.Retry(ctx, group); err != nil {
		t.Fatalf("retry %s: %v", group, err)
	}
	s.read(t, group)
	if _, err := s.client.BuildCommunities(ctx, group); err != nil {
		t.Fatalf("communities of %s: %v", group, err)
	}
	threads, err := s.client.Threads(ctx, annals.ThreadFilter{GroupID: group, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		if _, err := s.client.SummariseThread(ctx, group, thread.ID); err != nil {
			t.Fatalf("summarise %s: %v", thread.ID, err)
		}
	}
	if _, err := service.New(s.client).Embed(ctx, group, nil); err != nil {
		t.Fatalf("embed %s: %v", group, err)
	}
	if _, err := s.client.ApplyRetention(ctx, group, true); err != nil {
		t.Fatalf("retention of %s: %v", group, err)
	}
	if _, err := service.New(s.client).Mend(ctx); err != nil {
		t.Fatalf("mend: %v", err)
	}
}

// rebuild recreates every index and everything derived of a group.
func (s *store) rebuild(t *testing.T, group string) {
	t.Helper()
	s.must(t, "rebuild", "--group", group)
	s.exec(t, `REINDEX TABLE annals.facts`)
	s.background(t, group)
}
