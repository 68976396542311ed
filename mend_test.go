package annals_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
)

// An index of a group's vectors that a restore left out, or that is invalid, is built again, once.
// A Client that makes no such indexes removes it.
func TestMendBuildsVectorIndexes(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	open := func(indexed int) *annals.Client {
		t.Helper()
		client := clienttest.Open(t, annals.Config{DatabaseURL: url, IndexedVectors: indexed})
		return client
	}
	client := open(20)
	var episodes []annals.Episode
	for i := range 25 {
		episodes = append(episodes, clienttest.Alice(fmt.Sprintf("I live at number %d.", i), "2024-03-15"))
	}
	if _, err := client.AddAll(t.Context(), episodes); err != nil {
		t.Fatal(err)
	}
	clienttest.AddAndProcess(t, client)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	indexes := func() (names []string) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), `SELECT coalesce(array_agg(i.relname::text ORDER BY i.relname), '{}') FROM pg_index x
			JOIN pg_class i ON i.oid = x.indexrelid WHERE i.relname ~ '_hnsw_' AND x.indisvalid`).Scan(&names); err != nil {
			t.Fatal(err)
		}
		return names
	}
	before := indexes()
	if len(before) == 0 {
		t.Fatal("there are no indexes of vectors")
	}
	for _, left := range []string{"DROP INDEX annals_internal.%s", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'annals_internal.%s'::regclass"} {
		if _, err := conn.Exec(t.Context(), fmt.Sprintf(left, before[0])); err != nil {
			t.Fatal(err)
		}
		health, err := service.New(client).Health(t.Context())
		if err != nil || len(health.LostIndexes) != 1 || health.LostIndexes[0].GroupID != "t" {
			t.Errorf("after %s: lost are %+v, %v", left, health.LostIndexes, err)
		}
		done, err := service.New(client).Mend(t.Context())
		if err != nil || !strings.Contains(strings.Join(done, "; "), "built the index of the ") {
			t.Errorf("Mend: %q, %v", done, err)
		}
		if again, err := service.New(client).Mend(t.Context()); err != nil || len(again) > 0 {
			t.Errorf("Mend once more: %q, %v", again, err)
		}
		if after := indexes(); !slices.Equal(after, before) {
			t.Errorf("indexes %q, want %q", after, before)
		}
	}
	if _, err := conn.Exec(t.Context(), "DROP INDEX annals_internal."+before[0]); err != nil {
		t.Fatal(err)
	}
	none := open(-1)
	if _, err := service.New(none).Mend(t.Context()); err != nil {
		t.Error(err)
	}
	if health, err := service.New(none).Health(t.Context()); err != nil || len(health.LostIndexes) > 0 {
		t.Errorf("lost are %+v, %v", health.LostIndexes, err)
	}
}

// A tenant cannot mend.
func TestMendIsRefusedToTenants(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Tenant: "acme"})
	if done, err := service.New(client).Mend(t.Context()); annals.CodeOf(err) != annals.CodeForbidden || len(done) > 0 {
		t.Errorf("Mend: %q, %v", done, err)
	}
}
