package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// A database that accepts no more connections, or is full, is no defect: clients are told to try
// again.
func TestADatabaseThatCannotWork(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := serve(t, server.Options{Client: client}, rest.Options{})
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris."}`)
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
		CREATE TRIGGER full_disk BEFORE INSERT ON annals.episodes FOR EACH ROW EXECUTE FUNCTION public.full()`); err != nil {
		t.Fatal(err)
	}
	unavailable := func(method, path, body string) {
		t.Helper()
		var p problem
		a := s.must(http.StatusServiceUnavailable, &p, method, path, body)
		if p.Code != "unavailable" || a.header.Get("Retry-After") == "" || strings.Contains(string(a.body), "No space") {
			t.Errorf("%s %s: %+v, to be tried again after %q", method, path, p, a.header.Get("Retry-After"))
		}
	}
	unavailable("POST", "/v1/groups/g/episodes", `{"content": "I moved to Lisbon."}`)
	s.must(http.StatusOK, nil, "GET", "/v1/groups/g/episodes", "")
	database := pgx.Identifier{conn.Config().Database}.Sanitize()
	config := conn.Config().Copy()
	config.Database = "postgres"
	outside, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close(t.Context())
	if _, err := outside.Exec(t.Context(), `ALTER DATABASE `+database+` ALLOW_CONNECTIONS false`); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = outside.Exec(t.Context(), `ALTER DATABASE `+database+` ALLOW_CONNECTIONS true`) }()
	if _, err := outside.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, conn.Config().Database); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		unavailable("GET", "/v1/groups/g/episodes", "")
		unavailable("POST", "/v1/groups/g/search", `{"query": "Paris"}`)
	}
}
