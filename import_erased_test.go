package annals_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// exported makes a group with three episodes, and its export from before one of them was erased.
func exported(t *testing.T) (client *annals.Client, url string, before []byte) {
	t.Helper()
	client, url = clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"),
		clienttest.Alice("The safe is behind the mirror in the hall.", "2024-01-11"), clienttest.Alice("I live in Oslo.", "2024-01-12"))
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &file, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		if strings.Contains(e.Content, "safe") {
			_, err = client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{e.ID}})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return client, url, file.Bytes()
}

// If a server stops while an import erases content again, nothing of the group is left, in
// particular nothing erased.
func TestImportNeverShowsWhatWasErased(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url, before := exported(t)
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `
		CREATE FUNCTION public.crash() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
		CREATE TRIGGER crash BEFORE INSERT ON annals.erasures FOR EACH ROW EXECUTE FUNCTION public.crash()`); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Import(t.Context(), bytes.NewReader(before), annals.ImportOptions{GroupID: "copy"}); err == nil {
		t.Fatal("the import did not notice that its connection was ended")
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.episodes WHERE group_id = 'copy'`); n != 0 {
		t.Errorf("%d episodes are left of an import that was cut off while it erased", n)
	}
	if _, err := conn.Exec(t.Context(), `DROP TRIGGER crash ON annals.erasures`); err != nil {
		t.Fatal(err)
	}
	moved, err := client.Import(t.Context(), bytes.NewReader(before), annals.ImportOptions{GroupID: "copy"})
	if err != nil || len(moved.Erased) != 1 {
		t.Fatalf("the import found %v erased, %v", moved.Erased, err)
	}
	for table, want := range map[string]int{"episodes": 2, "facts": 2, "erasures": 1} {
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.`+table+` WHERE group_id = 'copy'`); n != want {
			t.Errorf("%d %s, want %d", n, table, want)
		}
		if n := moved.Rows[table]; table != "erasures" && n != int64(want) {
			t.Errorf("the import says %d %s, want %d", n, table, want)
		}
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.erasures WHERE to_vacuum <> '{}'`); n != 0 {
		t.Errorf("%d erasures still wait for their vacuum", n)
	}
}
