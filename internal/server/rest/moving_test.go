package rest_test

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/migrations"
)

const exportedLines = "application/x-ndjson"

// An import names the episodes and facts that it leaves out, as the command does.
func TestImportNamesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	s := serve(t, server.Options{Client: client}, rest.Options{})
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"),
		clienttest.Alice("The safe is behind the mirror in the hall.", "2024-01-11"))
	file := string(s.must(http.StatusOK, nil, "GET", "/v1/groups/t/export", "").body)
	var facts struct{ Facts []struct{ ID uuid.UUID } }
	s.must(http.StatusOK, &facts, "GET", "/v1/groups/t/facts", "")
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/t/facts/"+facts.Facts[0].ID.String(), "")
	var episodes struct {
		Episodes []struct {
			ID      uuid.UUID
			Content string
		}
	}
	s.must(http.StatusOK, &episodes, "GET", "/v1/groups/t/episodes", "")
	var safe uuid.UUID
	for _, e := range episodes.Episodes {
		if strings.Contains(e.Content, "safe") {
			safe = e.ID
		}
	}
	s.must(http.StatusOK, nil, "DELETE", "/v1/groups/t/episodes/"+safe.String()+"?erase=true", "")
	var moved struct {
		Group             string
		Erased, Withdrawn []uuid.UUID
	}
	s.must(http.StatusCreated, &moved, "POST", "/v1/groups/copy/import", file, "Content-Type", exportedLines)
	if len(moved.Erased) != 1 || moved.Erased[0] != safe || len(moved.Withdrawn) != 1 || moved.Withdrawn[0] != facts.Facts[0].ID {
		t.Errorf("left out are %+v; want episode %s and fact %s", moved, safe, facts.Facts[0].ID)
	}
}

// appWithoutTenants returns a database whose user reads and writes everything, but cannot act as a
// tenant.
func appWithoutTenants(t *testing.T) string {
	t.Helper()
	address := pgtest.New(t)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	const user = "annals_test_importer"
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+user+" LOGIN BYPASSRLS PASSWORD 'x'; GRANT USAGE ON SCHEMA annals, annals_internal TO "+user+
		"; GRANT ALL ON ALL TABLES IN SCHEMA annals, annals_internal TO "+user+"; GRANT ALL ON ALL SEQUENCES IN SCHEMA annals_internal TO "+user+
		"; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA annals, annals_internal TO "+user); err != nil {
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

// A file can name any group as its source. Withdrawals in that group are applied only if the key
// may use it, also if the database cannot enforce that.
func TestImportTellsNothingOfGroupsThatTheKeyDoesNotOpen(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: appWithoutTenants(t)})
	keys, err := server.ParseKeys("mine=a-key-of-mine-only")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, server.Options{Client: client, Keys: keys}, rest.Options{})
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	var facts struct{ Facts []struct{ ID uuid.UUID } }
	s.must(http.StatusOK, &facts, "GET", "/v1/groups/t/facts", "")
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/t/facts/"+facts.Facts[0].ID.String(), "")

	var file bytes.Buffer
	out, err := archive.NewWriter(&file, archive.Header{Schema: migrations.Newest(), Group: "t"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	if err := out.Row("groups", archive.Columns{
		"kind": "graph", "created_at": now, "ontology": archive.Columns{}, "name": "", "description": "", "time_zone": "", "updated_at": now,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := out.End(); err != nil {
		t.Fatal(err)
	}
	rejected := func(key, group string) int {
		var list struct{ Rejections []struct{ Fact string } }
		s.as(key).must(http.StatusCreated, nil, "POST", "/v1/groups/"+group+"/import", file.String(), "Content-Type", exportedLines)
		s.as(key).must(http.StatusOK, &list, "GET", "/v1/groups/"+group+"/rejections", "")
		return len(list.Rejections)
	}
	if n := rejected("a-key-of-mine-only", "mine"); n != 0 {
		t.Errorf("the import shows %d rejections of a group that the key does not open", n)
	}
	if n := rejected(staticKey, "another"); n != 1 {
		t.Errorf("with a key of all groups it has %d rejections, want one", n)
	}
}
