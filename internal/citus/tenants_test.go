package citus

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
)

// A tenant sees only its group, in a program bound to it and as the role in
// psql.
func TestTenants(t *testing.T) {
	both(t, func(t *testing.T, address string) []string {
		client := open(t, address)
		for n := range 3 {
			tell(t, client, fmt.Sprint("g", n), n, 10)
		}
		bound, err := client.ForTenant(t.Context(), "g1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bound.AddAll(t.Context(), story("g1", 5, 15)[10:]); err != nil {
			t.Fatal(err)
		}
		if err := bound.Process(t.Context(), "g1", nil); err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, q := range []annals.Query{{}, {Scopes: scopes}, {Filter: filters["of people"]}, {KnownAt: asked}} {
			q.GroupID, q.Text, q.AskedAt = "g1", "Where does Alice live?", asked
			found, err := bound.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found.Facts {
				told = append(told, f.Fact.Fact)
			}
			for _, e := range found.Episodes {
				told = append(told, e.Content)
			}
		}
		facts, err := bound.Facts(t.Context(), annals.FactFilter{GroupID: "g1", Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, fmt.Sprintf("%d facts", len(facts)))
		_, err = bound.Search(t.Context(), annals.Query{GroupID: "g2", Text: "Alice"})
		told = append(told, fmt.Sprint(annals.CodeOf(err)))

		conn := connect(t, address)
		for _, groupID := range []string{"g1", "g2", ""} {
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mustExec(t, conn, `SET LOCAL ROLE annals_tenant`)
			if groupID != "" {
				mustExec(t, conn, `SET LOCAL annals.group_id = '`+groupID+`'`)
			}
			for _, sql := range []string{
				`SELECT count(*) FROM annals.facts WHERE group_id = 'g1'`, `SELECT count(*) FROM annals.episodes`, `SELECT count(*) FROM annals.facts_at('g1')`,
				`SELECT count(*) FROM annals.search('g1', 'Where does Alice live?')`, `SELECT count(*) FROM annals.timeline WHERE group_id = 'g1'`,
			} {
				told = append(told, fmt.Sprintf("as the tenant %q: %s: %s", groupID, sql, counted(t, tx, sql)))
			}
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return told
	})
}

// counted returns the count of a statement, or its error.
func counted(t *testing.T, tx pgx.Tx, sql string) string {
	t.Helper()
	savepoint, err := tx.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = savepoint.Rollback(t.Context()) }()
	n := 0
	if err := savepoint.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		return err.Error()
	}
	return fmt.Sprint(n)
}
