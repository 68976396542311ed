package migrations_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// objects.txt lists the objects of the migrations. After a change of theirs,
// run go test ./migrations -run TestObjects -update.
func TestObjects(t *testing.T) {
	t.Parallel()
	rows, err := connect(t, pgtest.New(t)).Query(t.Context(), migrations.SelectObjects)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	made := strings.Join(objects, "\n") + "\n"
	if *update {
		if err := os.WriteFile("objects.txt", []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile("objects.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(listed), made); diff != "" {
		t.Errorf("objects.txt is not what the migrations make; run this test with -update (-objects.txt +made):\n%s", diff)
	}
}

// Each missing part of the schema is named; objects of the application are
// ignored.
func TestInspect(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	conn := connect(t, url)
	exec := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	inspect := func() migrations.Structure {
		t.Helper()
		found, err := migrations.Inspect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	exec("CREATE TABLE annals.orders (id int); CREATE TABLE orders (id int)")
	if diff := cmp.Diff(migrations.Structure{}, inspect(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("of a new database (-want +got):\n%s", diff)
	}
	exec("DROP TRIGGER history_update ON annals.facts; DROP INDEX annals.facts_pair; DROP FUNCTION annals_internal.decayed CASCADE")
	want := []string{
		"function annals.salient_entities", "function annals_internal.decayed", "index annals.facts_pair", "trigger annals.facts.history_update",
		"view annals.entity_knowledge",
	}
	if got := inspect(); !slices.Equal(got.Missing, want) || got.Whole() {
		t.Errorf("missing are %q, want %q", got.Missing, want)
	}
	if done, err := migrations.Mend(t.Context(), url); err != nil || len(done) > 0 {
		t.Errorf("what cannot be mended: %v, %v", done, err)
	}
}

// Mend creates the same queue as the migrations.
func TestMendMakesTheQueue(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	before := schema(t, url)
	if _, err := connect(t, url).Exec(t.Context(), "DROP TABLE annals_internal.river_job, annals_internal.river_leader, annals_internal.river_migration, annals_internal.river_notification, annals_internal.river_queue"); err != nil {
		t.Fatal(err)
	}
	if found, err := migrations.Inspect(t.Context(), url); err != nil || !found.NoQueue || len(found.Missing) > 0 {
		t.Errorf("without the queue: %+v, %v", found, err)
	}
	for _, want := range []int{1, 0} {
		if done, err := migrations.Mend(t.Context(), url); err != nil || len(done) != want {
			t.Errorf("Mend: %q, %v; want %d lines", done, err, want)
		}
	}
	if diff := cmp.Diff(before, schema(t, url)); diff != "" {
		t.Errorf("the schema is another than before (-before +after):\n%s", diff)
	}
	if pending, err := migrations.Pending(t.Context(), url); err != nil || len(pending) > 0 {
		t.Errorf("pending: %v, %v", pending, err)
	}
}
