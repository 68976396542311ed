package mem0_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/mem0"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
)

// kept is the part of a memory that a test compares.
type kept struct{ Group, Text, At, ID, Thread, Metadata string }

func memories(t *testing.T, r *mem0.Reader) []kept {
	t.Helper()
	defer r.Close()
	var all []kept
	for {
		e, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(); err != nil || e.Source != graph.SourceText {
			t.Errorf("%+v cannot be stored: %v", e, err)
		}
		all = append(all, kept{e.GroupID, e.Content, e.OccurredAt.Format(time.RFC3339Nano), e.ExternalID, e.ThreadID, string(e.Metadata)})
	}
}

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// Memories go to the group of their owner, at the time at which their text was written. Those that
// cannot be stored are counted.
func TestMemoriesOfAnExport(t *testing.T) {
	t.Parallel()
	r := mem0.NewReader(open(t, "testdata/export.json"), mem0.Options{})
	want := []kept{
		{"alice", "Lives in Lisbon", "2024-03-15T09:00:00Z", "mem0:33333333-0000-4000-8000-000000000001", "", `{"categories":["personal_details"],"created_at":"2023-01-10T02:00:00.123456-07:00","source":"chat","user_id":"alice"}`},
		{"alice", "Likes tea", "2023-02-01T00:00:00Z", "mem0:33333333-0000-4000-8000-000000000002", "trip", `{"agent_id":"planner","run_id":"trip","user_id":"alice"}`},
		{"planner", "Plans trips", "2023-02-02T00:00:00Z", "mem0:33333333-0000-4000-8000-000000000003", "", `{"agent_id":"planner"}`},
	}
	if diff := cmp.Diff(want, memories(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	unmapped := archive.Unmapped{
		{Kind: "memory that has expired", Count: 1, Example: "33333333-0000-4000-8000-000000000004"},
		{Kind: "memory without a time", Count: 1, Example: "33333333-0000-4000-8000-000000000005"},
		{Kind: "memory without a text", Count: 1, Example: "33333333-0000-4000-8000-000000000006"},
		{Kind: "memory whose group cannot be stored", Count: 1, Example: `33333333-0000-4000-8000-000000000007: group: "auth0|bob" may hold only letters, digits and _ - . : @ +`},
		{Kind: "memory of nobody; --as names the group for it", Count: 1, Example: "33333333-0000-4000-8000-000000000008"},
		{Kind: "memory without an id", Count: 1},
		{Kind: "element that is no memory", Count: 1, Example: "json: cannot unmarshal number into Go value of type mem0.memory"},
		{Kind: "relation of the graph", Count: 1, Example: `{"source": "alice", "relationship": "lives_in", "target": "lisbon"}`},
	}
	if diff := cmp.Diff(unmapped, r.Unmapped); diff != "" || r.Memories != 3 {
		t.Errorf("%d memories, not mapped (-want +got):\n%s", r.Memories, diff)
	}
}

// The group can be named, or a namespace for the groups, and a single user selected.
func TestWhereMemoriesGo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options mem0.Options
		want    string
	}{
		{mem0.Options{GroupID: "all"}, "all all all all all"},
		{mem0.Options{GroupID: "acme:*"}, "acme:alice acme:alice acme:planner"},
		{mem0.Options{Only: "planner"}, "planner"},
		{mem0.Options{GroupID: "all", Only: "auth0|bob"}, "all"},
	} {
		var groups []string
		for _, m := range memories(t, mem0.NewReader(open(t, "testdata/export.json"), tt.options)) {
			groups = append(groups, m.Group)
		}
		if got := strings.Join(groups, " "); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.options, got, tt.want)
		}
	}
}

// Every form in which Mem0's clients return memories is read.
func TestForms(t *testing.T) {
	t.Parallel()
	const one = `{"id": "1", "memory": "Likes tea", "user_id": "alice", "created_at": "2023-02-01T00:00:00Z", "metadata": {"memories": 3}}`
	for _, text := range []string{
		"[" + one + "]", one, `{"results": [` + one + `]}`, `{"memories": [` + one + `], "user": {"id": 1}}`, one + "\n" + strings.Replace(one, `"1"`, `"2"`, 1),
		`{"count": 2, "next": "…", "results": [` + one + `]}{"count": 2, "results": []}`, `{"results": [` + one + `], "relations": null}`,
		strings.Replace(strings.Replace(one, `"1"`, `17`, 1), `"alice"`, `42`, 1), // numbers as ids
	} {
		got := memories(t, mem0.NewReader(strings.NewReader(text), mem0.Options{}))
		if len(got) == 0 || got[0].Text != "Likes tea" || len(got) != strings.Count(text, "Likes tea") {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for text, want := range map[string]string{"": "empty", "7": "not what Mem0 exports", `{"results": 7}`: "no list", "[{]": "no JSON", "[": "cut short"} {
		_, _, err := mem0.NewReader(strings.NewReader(text), mem0.Options{}).Next()
		if err == nil || !strings.Contains(err.Error(), want) || graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The tables that Mem0 makes for pgvector give the same memories, with the user's metadata that is
// mixed with Mem0's own.
func TestMemoriesOfATable(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `
		CREATE SCHEMA kept;
		CREATE TABLE kept.mem0 (id UUID PRIMARY KEY, vector vector(3), payload JSONB);
		INSERT INTO kept.mem0 VALUES
		('33333333-0000-4000-8000-000000000002', '[1,2,3]', '{"data": "Likes tea", "hash": "bb", "text_lemmatized": "like tea", "created_at": "2023-02-01T00:00:00+00:00", "updated_at": "2023-02-01T00:00:00+00:00", "user_id": "alice", "mood": "calm"}'),
		('33333333-0000-4000-8000-000000000001', NULL, '{"data": "Lives in Lisbon", "hash": "aa", "created_at": "2023-01-10T00:00:00.5+00:00", "updated_at": "2023-01-10T00:00:00.5+00:00", "user_id": "alice", "run_id": "trip", "attributed_to": "user"}'),
		('33333333-0000-4000-8000-000000000003', NULL, '7')`); err != nil {
		t.Fatal(err)
	}
	r, err := mem0.Open(t.Context(), url, "kept.mem0", mem0.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []kept{
		{"alice", "Lives in Lisbon", "2023-01-10T00:00:00.5Z", "mem0:33333333-0000-4000-8000-000000000001", "trip", `{"run_id":"trip","user_id":"alice"}`},
		{"alice", "Likes tea", "2023-02-01T00:00:00Z", "mem0:33333333-0000-4000-8000-000000000002", "", `{"mood":"calm","user_id":"alice"}`},
	}
	if diff := cmp.Diff(want, memories(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(archive.Unmapped{{Kind: "row whose payload is no memory", Count: 1, Example: "33333333-0000-4000-8000-000000000003"}}, r.Unmapped); diff != "" {
		t.Errorf("not mapped (-want +got):\n%s", diff)
	}
	for _, table := range []string{"mem0", "annals.episodes", `x"; DROP TABLE kept.mem0; --`} {
		if _, err := mem0.Open(t.Context(), url, table, mem0.Options{}); graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "--table") {
			t.Errorf("the table %s: %v", table, err)
		}
	}
	if _, err := mem0.Open(t.Context(), "postgres://:99999", "", mem0.Options{}); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("no address: %v", err)
	}
}
