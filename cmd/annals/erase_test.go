package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/service"
)

// episodeID finds the only episode of the group t with this content.
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
	var undone struct{ Undone service.UndoneJSON }
	m.read(&undone, "episodes", "delete", m.episodeID("I moved to Lisbon last week."), "-g", "t")
	if want := (service.UndoneJSON{Episodes: 1, FactsRemoved: 1, FactsReopened: 1, EntitiesRemoved: 1, EntitiesChanged: 2}); undone.Undone != want {
		t.Errorf("undone %+v, want %+v", undone.Undone, want)
	}
	if got := m.sentences("Alice"); !slices.Equal(got, []string{"Alice lives in Paris."}) {
		t.Errorf("facts left: %q", got)
	}
	for _, args := range [][]string{{"episodes", "delete", "x", "-g", "t"}, {"episodes", "delete", "0199d1c0-0000-7000-8000-000000000000", "-g", "t"}} {
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
	var got struct{ Certificate service.CertificateJSON }
	m.read(&got, "erase", "-g", "t", "--entity", "Bob", "--yes")
	if c := got.Certificate; c.Scope != "entity" || c.Episodes != 1 || len(c.Tombstones) != 1 {
		t.Errorf("the certificate says %+v", c)
	}
	again := []string{"add", "-g", "t", "--actor", "Bob", "--occurred-at", "2023-01-11", "I live in Oslo."}
	if o := m.run("", again...); o.code != exitFailed || !strings.Contains(o.stderr, "annals add --force") {
		t.Errorf("added again: exit %d: %s", o.code, o.stderr)
	}
	m.must(append(again, "--force")...)
	if printed := m.must("erase", "-g", "t", "--yes"); !strings.Contains(printed, "tombstone") || strings.Contains(printed, "Bob") {
		t.Errorf("the certificate says\n%s", printed)
	}
	if o := m.run(`{"content": "Hello."}`, "add", "-g", "t"); o.code != exitFailed || !strings.Contains(o.stderr, "this group was erased") {
		t.Errorf("the group comes back: exit %d: %s", o.code, o.stderr)
	}
	m.must("triple", "-g", "t", "Alice", "KNOWS", "Bob", "--force")
}

func TestRetentionTakesBackTheOldest(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", "2024-03-15", "I like tea.")
	m.must("retention", "set", "-g", "t", "--max-age", "40000d", "--max-episodes", "1")
	var undone struct{ Undone service.UndoneJSON }
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
