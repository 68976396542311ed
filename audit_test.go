package annals_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// auditBreaks lists the breaks in the chains of a database.
func auditBreaks(t *testing.T, url string) []string {
	t.Helper()
	found, err := db.New(clienttest.Dial(t, url)).VerifyAudit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The audit log records who edited, undid and erased. It stays complete when its subjects are
// erased, has none of their content, and is removed with its group.
func TestTheAuditOutlivesWhatWasErased(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	ctx := annals.WithOrigin(t.Context(), annals.Origin{Door: "rest", Key: "nora"})
	if _, err := client.AddTriple(ctx, annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "OWNS", Target: graph.TripleEnd{Name: "Boat"}, Fact: "Alice owns a boat.",
	}); err != nil {
		t.Fatal(err)
	}
	var boat uuid.UUID
	if err := clienttest.Dial(t, url).QueryRow(t.Context(), `SELECT id FROM annals.entities WHERE name = 'Boat'`).Scan(&boat); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RenameEntity(ctx, "t", boat, "Houseboat"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "t", EntityID: boat}); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(DISTINCT action) FROM annals.audit WHERE door = 'rest' AND written_by = 'nora' AND action IN ('rename', 'undo', 'erase')`); n != 3 {
		t.Errorf("the audit names %d of renaming, undoing and erasing as hers", n)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit a WHERE a::text ILIKE '%boat%' OR a::text LIKE '%' || $1 || '%'`, boat.String()); n != 0 {
		t.Errorf("%d entries say what was erased", n)
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q", found)
	}
	if _, err := client.Erase(ctx, annals.Erasure{GroupID: "t"}); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit WHERE group_id <> ''`); n != 0 {
		t.Errorf("%d entries outlived their group", n)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit WHERE group_id = '' AND action = 'erase' AND written_by = 'nora'`); n < 1 {
		t.Error("the service does not know who erased the group")
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q", found)
	}
}

// The audit log can only be changed past its trigger, and that is detected.
func TestTheAuditIsOnlyAddedTo(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	conn := clienttest.Dial(t, url)
	for range 3 {
		if _, err := conn.Exec(t.Context(), `UPDATE annals.entities SET summary = summary || '.'`); err != nil {
			t.Fatal(err)
		}
	}
	for _, rewrite := range []string{`DELETE FROM annals.audit`, `UPDATE annals.audit SET written_by = ''`, `TRUNCATE annals.audit`} {
		if _, err := conn.Exec(t.Context(), rewrite); sqlState(err) != "23001" {
			t.Errorf("%s: %v, want it refused", rewrite, err)
		}
		const asTenant = `SET ROLE annals_tenant; SET annals.group_id = 't'; `
		if _, err := conn.Exec(t.Context(), asTenant+rewrite); sqlState(err) != "42501" {
			t.Errorf("a tenant: %s: %v, want it refused", rewrite, err)
		}
		if _, err := conn.Exec(t.Context(), `RESET ROLE`); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Exec(t.Context(), `SET session_replication_role = replica; UPDATE annals.audit SET door = 'cli' WHERE position = 2`); err != nil {
		t.Fatal(err)
	}
	if found := strings.Join(auditBreaks(t, url), ", "); found != "t 2" {
		t.Errorf("broken at %q, want at t 2", found)
	}
}

// Concurrent writers to one group make a single chain.
func TestTheAuditNeverForks(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	before := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit`)
	const writers, edits = 4, 25
	var writing sync.WaitGroup
	for range writers {
		conn := clienttest.Dial(t, url)
		writing.Go(func() {
			for range edits {
				if _, err := conn.Exec(t.Context(), `INSERT INTO annals.edits (group_id, door, written_by, authority, action)
					VALUES ('t', 'sql', 'tester', 'person', 'edit')`); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit`) - before; n != writers*edits {
		t.Errorf("%d entries of %d", n, writers*edits)
	}
	if found := auditBreaks(t, url); len(found) != 0 {
		t.Errorf("broken at %q", found)
	}
}

// The digest of a row does not depend on the time zone, so that anyone with the row can compute it.
func TestTheAuditKnowsNoZone(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"))
	conn := clienttest.Dial(t, url)
	for _, statement := range []string{
		`SET timezone = 'Asia/Kolkata'`, `UPDATE annals.entities SET summary = summary || '.'`, `SET timezone = 'UTC'`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.audit WHERE action = 'update'`); n == 0 {
		t.Fatal("the change by hand is not in the audit")
	}
	var unknown int
	if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM annals.audit a WHERE a.action = 'update' AND NOT EXISTS (
		SELECT FROM annals.edits e WHERE e.group_id = a.group_id AND sha256(convert_to(to_jsonb(e)::text, 'UTF8')) = a.digest)`).Scan(&unknown); err != nil {
		t.Fatal(err)
	}
	if unknown != 0 {
		t.Errorf("%d digests are of no row as it is in UTC", unknown)
	}
}
