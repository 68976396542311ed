package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
)

// everywhere returns the places in the database that contain a word. It skips
// tables of settings and of the queue, which contain no messages.
func (s *store) everywhere(t *testing.T, word string) (places []string) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), `SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('annals', 'annals_internal')`)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		if s.count(t, `SELECT count(*) FROM `+name+` r WHERE r::text ILIKE $1`, "%"+word+"%") > 0 {
			places = append(places, name)
		}
	}
	return places
}

// The thirteen steps: erased content stays away from everything that could bring
// it back, and the erasure is recorded. Steps 11 to 13 are in the test of
// copies.
func absentAfterRestart(t *testing.T, s *store, d door, group string) {
	word := "Zyl" + strings.ReplaceAll(strings.ToLower(s.mode+d.name()), "-", "") + "mar" // said nowhere else
	text := "I live in " + word + "."
	m := message{group: group, text: text, day: "2024-03-01", thread: "talk"}
	say(t, d, message{group: group, text: "I work at Quuxwerk.", day: "2024-02-01", thread: "talk"})
	id := say(t, d, m) // 1
	s.background(t, group)
	if !holds(d.recall(t, group, home), word) { // 2
		t.Fatal("the control finds nothing")
	}
	if places := s.everywhere(t, word); len(places) < 3 {
		t.Fatalf("the control finds it in %q only", places)
	}
	s.erase(t, d, group, id) // 3
	absent := func(step string) {
		t.Helper()
		if holds(d.recall(t, group, home), word) {
			t.Errorf("%s: it is recalled", step)
		}
		if places := s.everywhere(t, word); len(places) > 0 {
			t.Errorf("%s: it is in %q", step, places)
		}
		file := filepath.Join(t.TempDir(), "export.jsonl")
		s.must(t, "export", "--group", group, "--output", file)
		if text, err := os.ReadFile(file); err != nil || holds(string(text), word) {
			t.Errorf("%s: the export holds it (%v)", step, err)
		}
	}
	absent("4") // not retrievable
	m.speaker, m.role = "Nora", "user"
	if _, err := d.say(t, m); err == nil { // 5
		t.Error("5: the source is taken in again")
	}
	absent("6")
	s.background(t, group) // 7
	absent("8")
	s.exec(t, `REINDEX TABLE annals.facts`) // 9: derived artifacts, of every kind
	s.exec(t, `REINDEX TABLE annals_internal.postings`)
	again, err := annals.Open(t.Context(), annals.Config{DatabaseURL: s.databaseURL}) // and a restart
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if found, err := again.Context(t.Context(), annals.Query{GroupID: group, Text: home}); err != nil || holds(found, word) {
		t.Errorf("9: after a restart: %s, %v", found, err)
	}
	absent("9")
	if n := s.count(t, `SELECT count(*) FROM annals.erasures WHERE group_id = $1`, group); n != 1 { // 10
		t.Errorf("10: %d records of the erasure, want one", n)
	}
	if len(s.facts(t, group, "Quuxwerk")) != 1 {
		t.Error("the rest did not stay")
	}
}

// Copies made before are erased with the original, and an earlier export does
// not restore it.
func absentFromCopies(t *testing.T, s *store, d door, group string) {
	copied, imported, restored := group+"-clone", group+"-import", group+"-restored"
	text := "I live in Velnor."
	id := say(t, d, message{group: group, text: text, day: "2024-03-01", thread: "talk"})
	say(t, d, message{group: group, text: "I work at Quuxwerk.", day: "2024-03-02", thread: "talk"})
	file := filepath.Join(t.TempDir(), "export.jsonl")
	s.must(t, "export", "--group", group, "--output", file) // 11
	s.must(t, "import", file, "--as", imported)
	if err := s.client.Clone(t.Context(), group, copied); err != nil {
		t.Fatal(err)
	}
	for _, copy := range []string{copied, imported} {
		if !holds(d.recall(t, copy, home), "Velnor") {
			t.Fatalf("the control: %s does not recall it", copy)
		}
	}
	s.must(t, "erase", "--group", group, "--episode", id, "--copies", "--yes") // 12
	s.must(t, "import", file, "--as", restored)                                // the backup of before
	for _, scope := range []string{group, copied, imported, restored} {        // 13
		s.background(t, scope)
		if found := d.recall(t, scope, home); holds(found, "Velnor") {
			t.Errorf("%s recalls it: %s", scope, found)
		}
		if n := s.count(t, `SELECT count(*) FROM annals.episodes WHERE group_id = $1 AND content = $2`, scope, text); n > 0 {
			t.Errorf("%s holds the source", scope)
		}
		if len(s.facts(t, scope, "Quuxwerk")) != 1 {
			t.Errorf("%s lost what was not erased", scope)
		}
	}
}
