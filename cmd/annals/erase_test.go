package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
)

// episodeID returns the id of the only episode of the group t with this content.
func (m *memory) episodeID(content string) string {
	m.t.Helper()
	var got struct {
		Episodes []struct{ ID, Content string }
	}
	m.read(&got, "episodes", "-g", "t")
	for _, e := range got.Episodes {
		if e.Content == content {
			return e.ID
		}
	}
	m.t.Fatalf("no episode %q in %+v", content, got.Episodes)
	return ""
}

func TestADeletedEpisodeIsTakenBack(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I moved to Lisbon last week.")
	var undone struct{ Undone annals.Undone }
	m.read(&undone, "undo", m.episodeID("I moved to Lisbon last week."), "-g", "t")
	if want := (annals.Undone{Episodes: 1, FactsRemoved: 1, FactsReopened: 1, EntitiesRemoved: 1, EntitiesChanged: 2}); !reflect.DeepEqual(undone.Undone, want) {
		t.Errorf("undone %+v, want %+v", undone.Undone, want)
	}
	if got := m.sentences("Alice"); !slices.Equal(got, []string{"Alice lives in Paris."}) {
		t.Errorf("facts left: %q", got)
	}
	for _, args := range [][]string{{"undo", "x", "-g", "t"}, {"undo", "0199d1c0-0000-7000-8000-000000000000", "-g", "t"}} {
		if o := m.run("", args...); o.code != exitFailed || !strings.Contains(o.stderr, "'annals episodes' lists them") {
			t.Errorf("%q: exit %d: %s", args, o.code, o.stderr)
		}
	}
}

func TestWhatIsErasedIsGone(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Bob", "--occurred-at", "2023-01-11", "I live in Oslo.")
	for args, want := range map[string]string{
		"erase --yes":               "group: is missing",
		"erase -g t":                "add --yes",
		"erase -g t --user t --yes": "cannot be named beside a group",
		"erase --user t --yes":      "there is none of this name",
	} {
		if o := m.run("", strings.Fields(args)...); o.code != exitFailed || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: exit %d: %s", args, o.code, o.stderr)
		}
	}
	for _, narrowed := range []string{"--entity=", "--episode=", "--user=", "--certificate="} { // as from an unset variable
		if o := m.run("", "erase", "-g", "t", "--yes", narrowed); o.code == 0 || !strings.Contains(o.stderr, "is empty; name something, or leave it out") {
			t.Errorf("%s: exit %d: %s", narrowed, o.code, o.stderr)
		}
	}
	var got struct{ Certificate annals.Certificate }
	m.read(&got, "erase", "-g", "t", "--entity", "Bob", "--yes")
	if c := got.Certificate; c.Scope != "entity" || c.Episodes != 1 || len(c.Tombstones) != 2 { // of its words and of its name
		t.Errorf("the certificate says %+v", c)
	}
	again := []string{"add", "-g", "t", "--actor", "Bob", "--occurred-at", "2023-01-11", "I live in Oslo."}
	if o := m.run("", again...); o.code != exitFailed || strings.Contains(o.stderr, "--force") {
		t.Errorf("added again: exit %d: %s", o.code, o.stderr)
	}
	if o := m.run("", append(again, "--force", "other")...); o.code != exitFailed {
		t.Errorf("added again by another id: exit %d: %s", o.code, o.stderr)
	}
	m.must(append(again, "--force", "1")...)
	if printed := m.must("erase", "-g", "t", "--yes"); !strings.Contains(printed, "tombstone") || strings.Contains(printed, "Bob") {
		t.Errorf("the certificate says\n%s", printed)
	}
	if o := m.run(`{"content": "Hello."}`, "add", "-g", "t"); o.code != exitFailed || !strings.Contains(o.stderr, "this group was erased") {
		t.Errorf("the group comes back: exit %d: %s", o.code, o.stderr)
	}
	for _, args := range [][]string{{"add", "-g", "t", "--force", "1", "Hello."}, {"triple", "-g", "t", "Alice", "KNOWS", "Bob", "--force"}, {"groups", "create", "-g", "t"}} {
		m.run("", args...).failsWith(t, "'annals groups create --group ID --force'")
	}
	m.must("groups", "create", "-g", "t", "--kind", "user", "--force")
	m.must("triple", "-g", "t", "Alice", "KNOWS", "Bob")
	var count string
	row := connect(t, m.environ["ANNALS_DATABASE_URL"]).conn.QueryRow(t.Context(), `SELECT string_agg(concat_ws(' ', door, authority, action, kind, subject_id), '|')
		FROM annals.edits WHERE group_id = 't' AND kind IS NULL`)
	if err := row.Scan(&count); err != nil || count != "cli person readmit" {
		t.Errorf("on record is %q %v", count, err)
	}
}

// TestForceTakesInOneLine: forcing one line of a file does not admit others, and an unknown line is
// reported.
func TestForceTakesInOneLine(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	lines := `{"content": "I live in Paris.", "actor": "Alice", "external_id": "a"}
{"content": "I like tea.", "actor": "Alice", "external_id": "b"}
`
	m.run(lines, "add", "-g", "t")
	m.must("erase", "-g", "t", "--yes")
	m.run(lines, "add", "-g", "t", "--force", "2").failsWith(t, "group: this group was erased")
	m.run("", "facts", "-g", "t").failsWith(t, "there is no group")
	m.must("groups", "create", "-g", "t", "--force")
	m.run(lines, "add", "-g", "t", "--force", "nothere").failsWith(t, `force: "nothere" is neither the external id nor the line`)
	m.must("erase", "-g", "t", "--episode", m.episodeID("I live in Paris."), "--yes")
	m.run("", "add", "-g", "t", "--external-id", "a", "--force", "c", "I live in Paris.").failsWith(t, `force: "c" is neither`)
	m.run("", "add", "-g", "t", "--external-id", "a", "I work in Lyon.").failsWith(t, "the external id of this episode is that of an erased one")
	if o := m.run(lines, "add", "-g", "t", "--force", "a"); o.code != exitOK || !strings.Contains(o.stdout, "1 added, 1 already there") {
		t.Errorf("taken in again: %+v", o)
	}
}

func TestRetentionTakesBackTheOldest(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I like tea.")
	m.must("retention", "set", "-g", "t", "--max-age", "40000d", "--max-episodes", "1")
	var undone struct{ Undone annals.Undone }
	m.read(&undone, "retention", "apply", "-g", "t")
	if undone.Undone.Episodes != 1 || undone.Undone.Replayed != 1 {
		t.Errorf("applied: %+v", undone.Undone)
	}
	if got := m.sentences("Alice"); !slices.Equal(got, []string{"Alice likes tea."}) {
		t.Errorf("facts left: %q", got)
	}
	var got struct{ Retention retentionJSON }
	m.read(&got, "retention", "-g", "t")
	if r := got.Retention; r.AppliedAt == nil || *r.MaxEpisodes != 1 || *r.MaxAgeSeconds != 40000*24*3600 {
		t.Errorf("the policy is %+v", r)
	}
	m.must("retention", "set", "-g", "t", "--max-age", "300d")
	m.read(&undone, "retention", "apply", "-g", "t")
	if undone.Undone.Episodes != 1 || undone.Undone.Replayed != 0 {
		t.Errorf("applied by age: %+v", undone.Undone)
	}
	if o := m.run("", "retention", "set", "--max-age", "soon"); o.code != exitFailed || !strings.Contains(o.stderr, "90d or 36h") {
		t.Errorf("a bad age: exit %d: %s", o.code, o.stderr)
	}
}

// TestErasedLinesAreLeftOut: an erased line does not prevent others. It is counted and named, and
// returns only by its id; rewording it does not bring it back.
func TestErasedLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	lines := `{"content": "Alice told Bob that her doctor prescribed insulin.", "external_id": "a", "occurred_at": "2024-01-01"}
{"content": "I like tea.", "actor": "Carol", "external_id": "b", "occurred_at": "2024-01-01"}
`
	m.run(lines, "add", "-g", "t")
	var listed struct {
		Episodes []struct{ ID, Content string }
	}
	m.read(&listed, "episodes", "-g", "t")
	for _, e := range listed.Episodes {
		if strings.Contains(e.Content, "insulin") {
			m.must("erase", "-g", "t", "--episode", e.ID, "--yes")
		}
	}
	again := lines + `{"content": "I like coffee.", "actor": "Carol", "external_id": "c", "occurred_at": "2024-01-01"}
{"content": "Yesterday: Carol said hello.\nAl\u0456ce told B\u200bob that her d\u043ector prescribed ins\u00adulin\nBye.", "external_id": "d", "occurred_at": "2024-01-02"}
`
	o := m.run(again, "add", "-g", "t")
	if o.code != exitOK || !strings.Contains(o.stdout, "1 added, 1 already there") || !strings.Contains(o.stderr, "2 left out") ||
		!strings.Contains(o.stderr, "line 1 a") || !strings.Contains(o.stderr, "line 4 d") || !strings.Contains(o.stderr, "line 2 of its content") ||
		strings.Contains(o.stderr, "insulin") {
		t.Errorf("exit %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
	if o := m.run(again, "add", "-g", "t", "--force", "a"); o.code != exitOK || !strings.Contains(o.stdout, "2 added") {
		t.Errorf("forced: exit %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
}
