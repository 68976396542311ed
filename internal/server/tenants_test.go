package server_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
)

// showTenant answers with the group that the memory of a request is bound to.
func showTenant(s *server.Server) http.Handler {
	return s.Protect("rest", graph.AuthorityPerson, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, s.ClientOf(r.Context()).Tenant())
	}))
}

func tenantOf(door http.Handler, key, path string) string {
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("X-API-Key", key)
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	return w.Body.String()
}

func TestKeysOfSomeGroupsAreKeptToThemByTheDatabase(t *testing.T) {
	t.Parallel()
	keys, err := server.ParseKeys("alice=key-of-alice-only,alice|bob=key-of-alice-and-bob,key-of-all-groups")
	if err != nil {
		t.Fatal(err)
	}
	door := showTenant(server.New(server.Options{Client: open(t), Keys: keys}))
	for _, tt := range []struct{ key, path, want string }{
		{"key-of-alice-only", "/v1/groups/alice/facts", "alice"},
		{"key-of-alice-only", "/v1/groups/bob/facts", "alice"}, // whatever the request names
		{"key-of-alice-only", "/v1/groups", "alice"},
		{"key-of-alice-only", "/v1/groups/no%20name/facts", "alice"},
		{"key-of-alice-and-bob", "/v1/groups/bob", "bob"},
		{"key-of-alice-and-bob", "/v1/groups/carol", ""}, // refused by the interface
		{"key-of-alice-and-bob", "/v1/groups", ""},
		{"key-of-all-groups", "/v1/groups/alice/facts", ""},
	} {
		for range 2 { // the second time it is cached
			if got := tenantOf(door, tt.key, tt.path); got != tt.want {
				t.Errorf("%s for %s is bound to %q, want %q", tt.key, tt.path, got, tt.want)
			}
		}
	}
}

// If the database user may not act as a tenant, the service alone restricts keys to their groups,
// and says so once.
func TestWithoutTenantsTheServiceItselfKeepsKeysToTheirGroups(t *testing.T) {
	t.Parallel()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: ownerNotTenant(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	keys, err := server.ParseKeys("alice=key-of-alice-only")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	door := showTenant(server.New(server.Options{Client: client, Keys: keys, Log: slog.New(slog.NewTextHandler(&log, nil))}))
	for range 2 {
		if got := tenantOf(door, "key-of-alice-only", "/v1/groups/alice"); got != "" {
			t.Errorf("it is bound to %q, or refused", got)
		}
	}
	if said := strings.Count(log.String(), "by the service alone"); said != 1 {
		t.Errorf("it is said %d times: %s", said, log.String())
	}
}

// ownerNotTenant returns a database whose user may read all rows, but not act as a tenant.
func ownerNotTenant(t *testing.T) string {
	t.Helper()
	address := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	const user = "annals_test_reader_of_all"
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+user+" LOGIN BYPASSRLS PASSWORD 'x'; GRANT USAGE ON SCHEMA annals, annals_internal TO "+user+
		"; GRANT SELECT ON ALL TABLES IN SCHEMA annals, annals_internal TO "+user); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(context.Background(), "DROP OWNED BY "+user+"; DROP ROLE "+user); err != nil {
			t.Error(err)
		}
		_ = conn.Close(context.Background())
	})
	login, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	login.User = url.UserPassword(user, "x")
	return login.String()
}
