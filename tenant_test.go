package annals_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

// loginOf makes a user of the server with nothing but what the statement
// grants it, and returns the URL to connect as it.
func loginOf(t *testing.T, address, grant string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	name := "annals_login_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	t.Cleanup(func() {
		_, err := conn.Exec(context.Background(), "DROP OWNED BY "+name+"; DROP ROLE "+name)
		if err != nil {
			t.Error(err)
		}
		_ = conn.Close(context.Background())
	})
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+name+" LOGIN PASSWORD 'annals_test'; "+strings.ReplaceAll(grant, "$user", name)); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, "annals_test")
	return u.String()
}

// A user who is a tenant and nothing else takes in, processes and searches its
// group, and without a group sees nothing.
func TestALoginForTenantsOnly(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	login := loginOf(t, address, "GRANT annals_tenant TO $user")
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: login, Tenant: "acme", Communities: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, content := range []string{"I live in Paris.", "I work at Acme.", "I moved to Lisbon last week."} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: "acme", Actor: "Alice", Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "acme", func(p annals.Processed) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "acme", Text: "Where does Alice live?"})
	if err != nil || len(found.Facts) == 0 || len(found.Episodes) == 0 {
		t.Errorf("found %d facts and %d episodes (%v), want some of both", len(found.Facts), len(found.Episodes), err)
	}
	unbound, err := annals.Open(t.Context(), annals.Config{DatabaseURL: login})
	if err != nil {
		t.Fatal(err)
	}
	defer unbound.Close()
	if facts, err := unbound.Facts(t.Context(), annals.FactFilter{GroupID: "acme"}); err != nil || len(facts) != 0 {
		t.Errorf("bound to no group it sees %d facts (%v), want none", len(facts), err)
	}
}

// Who may not act as a tenant is told so, and not let in as something else.
func TestWhoMayNotBeATenant(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	login := loginOf(t, address, "GRANT USAGE ON SCHEMA annals TO $user; GRANT SELECT ON ALL TABLES IN SCHEMA annals TO $user")
	_, err := annals.Open(t.Context(), annals.Config{DatabaseURL: login, Tenant: "acme"})
	if annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("Open as no tenant: %v, want a conflict", err)
	}
	pool, err := db.Open(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := db.CheckTenant(t.Context(), pool, "acme"); err == nil || !strings.Contains(err.Error(), "GRANT annals_tenant") {
		t.Errorf("%v, want it to say what to grant", err)
	}
}

// AddTx leaves the caller's transaction as it found it.
func TestAddTxGivesTheTransactionBack(t *testing.T) {
	t.Parallel()
	client, address := open(t)
	bound, err := client.ForTenant(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bound.AddTx(t.Context(), tx, alice("I live in Paris.", "2023-01-10")); err != nil {
		t.Fatal(err)
	}
	if _, err := bound.AddTx(t.Context(), tx, annals.Episode{GroupID: "other", Content: "x"}); annals.CodeOf(err) != annals.CodeForbidden {
		t.Errorf("an episode of another group: %v, want it forbidden", err)
	}
	var role, group string
	if err := tx.QueryRow(t.Context(), `SELECT current_setting('role'), current_setting('annals.group_id', true)`).Scan(&role, &group); err != nil || role != "none" || group != "" {
		t.Errorf("the transaction acts as %q for %q (%v), want as before", role, group, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := bound.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"}); err != nil || len(got) != 1 {
		t.Errorf("%d episodes (%v), want one", len(got), err)
	}
}
