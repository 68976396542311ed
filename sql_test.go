package annals_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/internal/slow"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

var installed = sync.OnceValues(func() (postgres.Installation, error) { return postgres.Find(context.Background(), "", 0) })

// psql runs the real psql, as users do.
func psql(t *testing.T, url, script string) string {
	t.Helper()
	found, err := installed()
	if err != nil {
		t.Skipf("no psql here: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(found.BinDir, "psql"), url, "-XAtq", "-v", "ON_ERROR_STOP=1")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("psql: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// The statements in docs/erase.md about the ledger remove first old answers, and then the bill, of
// one group only.
func TestPruneLedgerDocs(t *testing.T) {
	t.Parallel()
	_, url := clienttest.New(t)
	text, err := os.ReadFile("docs/erase.md")
	if err != nil {
		t.Fatal(err)
	}
	prune := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(text)
	if prune == nil {
		t.Fatal("the page has no SQL")
	}
	got := psql(t, url, `
		INSERT INTO annals.model_calls (group_id, id, kind, prompt, version, model, key, input_tokens, cached_tokens, output_tokens,
			latency, cost, from_cache, repair, answer, called_at)
		SELECT g, gen_random_uuid(), 'chat', 'p', 1, 'm', '', 0, 0, 0, '0', 1, false, false, '{}', now() - age
		FROM unnest(ARRAY['chat', 'other']) AS g, unnest(ARRAY['1 day', '100 days', '2 years']::interval[]) AS age;`+string(prune[1])+`
		SELECT group_id, sum(calls), sum(cost) FROM annals.model_usage GROUP BY group_id ORDER BY group_id;
		SELECT group_id, count(answer) FROM annals.model_calls GROUP BY group_id ORDER BY group_id;`)
	if want := "chat|2|2\nother|3|3\nchat|1\nother|3"; got != want {
		t.Errorf("left is %q, want %q", got, want)
	}
}

func TestAddEpisodeBelongsToTheCallersTransaction(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	out := psql(t, url, `
		BEGIN; SELECT annals.add_episode('t', 'Never said.', now(), 'message', 'Alice'); ROLLBACK;
		SELECT count(*) FROM annals.episodes; SELECT count(*) FROM annals.groups;
		SELECT annals.add_episode('t', 'I live in Paris.', '2023-01-10', 'message', 'Alice', external_id => 'a') =
			annals.add_episode('t', 'Something else.', external_id => 'a');
		SELECT bool_and(id < later) FROM (
			SELECT id, lead(id) OVER (ORDER BY place) AS later
			FROM (SELECT i AS place, annals.add_episode('t', 'I like tea number ' || i || '.', '2023-02-01', 'message', 'Alice') AS id
				FROM generate_series(1, 200) AS i) added) o WHERE later IS NOT NULL;
		SELECT count(*), count(DISTINCT id), bool_and(substr(id::text, 15, 1) = '7' AND substr(id::text, 20, 1) IN ('8', '9', 'a', 'b'))
		FROM annals.episodes WHERE state = 'pending';`)
	lines := strings.Split(out, "\n")
	if want := []string{"0", "0", "t", "t", "201|201|t"}; !slices.Equal(lines[1:], want) {
		t.Fatalf("psql printed %q, want an id and then %q", lines, want)
	}
	if id, err := uuid.Parse(lines[0]); err != nil || id.Version() != 7 {
		t.Errorf("%q is no UUIDv7: %v", lines[0], err)
	}
	if at, now := time.Unix(uuid.MustParse(lines[0]).Time().UnixTime()), time.Now(); now.Sub(at).Abs() > time.Hour {
		t.Errorf("the id says it was made at %v, and now is %v", at, now)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: time.Date(2023, 2, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil || !slices.ContainsFunc(facts, func(f annals.Fact) bool { return f.Target == "Paris" }) {
		t.Errorf("facts %v, %v; want one about Paris", facts, err)
	}
	counts, err := client.EpisodeCounts(t.Context(), "t")
	if err != nil || counts[graph.StateDone] != 201 {
		t.Errorf("%v episodes, %v; want 201 done", counts, err)
	}
}

// SQL refuses what the library refuses, with the same messages.
func TestAddEpisodeRefusesWhatTheLibraryRefuses(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := connect(t, url)
	add := func(e annals.Episode) error {
		metadata := e.Metadata
		if metadata == nil {
			metadata = []byte("{}")
		}
		_, err := conn.Exec(t.Context(), `SELECT annals.add_episode($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::jsonb, $12)`,
			e.GroupID, e.Content, e.OccurredAt, e.Source, e.Actor, e.Role, e.ThreadID, e.ExternalID, e.Name, e.SourceDescription,
			string(metadata), e.Previous)
		return err
	}
	long, many := strings.Repeat("x", 513), 101
	for name, change := range map[string]func(*annals.Episode){
		"fine":             func(*annals.Episode) {},
		"letters":          func(e *annals.Episode) { e.GroupID = "Zoë.日本:1" },
		"no group":         func(e *annals.Episode) { e.GroupID = "" },
		"long group":       func(e *annals.Episode) { e.GroupID = strings.Repeat("g", 201) },
		"group with space": func(e *annals.Episode) { e.GroupID = "a b" },
		"no content":       func(e *annals.Episode) { e.Content = "" },
		"blank":            func(e *annals.Episode) { e.Content = " \n\t\u00a0 " },
		"too much":         func(e *annals.Episode) { e.Content = strings.Repeat("x", 1<<20+1) },
		"source":           func(e *annals.Episode) { e.Source = "mail" },
		"no JSON":          func(e *annals.Episode) { e.Source, e.Content = graph.SourceJSON, "{" },
		"JSON":             func(e *annals.Episode) { e.Source, e.Content = graph.SourceJSON, "[1]" },
		"actor":            func(e *annals.Episode) { e.Actor = long },
		"role":             func(e *annals.Episode) { e.Role = long },
		"name":             func(e *annals.Episode) { e.Name = long },
		"described":        func(e *annals.Episode) { e.SourceDescription = long },
		"thread":           func(e *annals.Episode) { e.ThreadID = long },
		"external id":      func(e *annals.Episode) { e.ExternalID = long },
		"metadata":         func(e *annals.Episode) { e.Metadata = []byte("[]") },
		"much metadata":    func(e *annals.Episode) { e.Metadata = []byte(`{"a": "` + strings.Repeat("x", 1<<16) + `"}`) },
		"previous":         func(e *annals.Episode) { e.Previous = &many },
	} {
		e := clienttest.Alice("I live in Paris.", "2023-01-10")
		e.Source = graph.SourceMessage
		change(&e)
		_, wanted := client.Add(t.Context(), e)
		got := add(e)
		var pg *pgconn.PgError
		switch {
		case wanted == nil && got == nil:
		case wanted == nil || !errors.As(got, &pg):
			t.Errorf("%s: the library says %v, SQL %v", name, wanted, got)
		case pg.Code != "22023" || message(pg.Message) != message(wanted.Error()):
			t.Errorf("%s: SQL says %s %q, the library %q", name, pg.Code, pg.Message, wanted)
		}
	}
	for _, sql := range []string{
		`SELECT annals.add_episode(NULL, 'x')`, `SELECT annals.add_episode('t', NULL)`,
		`SELECT annals.add_episode('t', 'x', 'infinity')`, `SELECT annals.add_episode('t', 'x', '0044-03-15 BC')`,
	} {
		var pg *pgconn.PgError
		if _, err := conn.Exec(t.Context(), sql); !errors.As(err, &pg) || pg.Code != "22023" || pg.ColumnName == "" {
			t.Errorf("%s: %v, want 22023 and the field", sql, err)
		}
	}
	if _, err := conn.Exec(t.Context(), `SELECT annals.add_episode('t', 'x', NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL)`); err != nil {
		t.Errorf("NULL is not taken for a value that was left out: %v", err)
	}
}

// message returns an error without the code that interfaces put before it.
func message(s string) string { return strings.Join(strings.Fields(s), " ") }

// Edits in psql have a history, which the library shows and searches use.
func TestHandEditsAreSeenEverywhere(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	before := time.Now().UTC()
	psql(t, url, `
		UPDATE annals.facts SET fact = 'Alice dwells in Montmartre.' WHERE group_id = 't' AND predicate = 'LIVES_IN';
		UPDATE annals.entities SET name = 'Alice Liddell', summary = 'She fell.' WHERE group_id = 't' AND name = 'Alice';`)
	find := func(text string, knownAt time.Time) []string {
		t.Helper()
		found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: text, KnownAt: knownAt})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, f := range found.Facts {
			lines = append(lines, f.Source+": "+f.Fact.Fact)
		}
		for _, e := range found.Entities {
			if e.Name != "Paris" {
				lines = append(lines, e.Name+" "+e.Summary)
			}
		}
		return lines
	}
	if got := find("Montmartre Liddell", time.Time{}); !slices.Contains(got, "Alice Liddell: Alice dwells in Montmartre.") ||
		!slices.Contains(got, "Alice Liddell She fell.") {
		t.Errorf("now %q, want the edited rows", got)
	}
	got := find("Montmartre Liddell Paris Alice", before)
	if len(got) != 2 || !strings.HasPrefix(got[0], "Alice: ") || strings.Contains(strings.Join(got, ""), "Montmartre") {
		t.Errorf("before the edit %q, want the rows as they were", got)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 {
		t.Fatal(facts, err)
	}
	versions, err := client.History(t.Context(), "t", facts[0].ID)
	if err != nil || len(versions) != 2 || versions[0].Source != "Alice" || versions[1].Fact.Fact != "Alice dwells in Montmartre." {
		t.Fatalf("versions %+v, %v", versions, err)
	}
	if len(facts[0].Episodes) != 0 {
		t.Errorf("the edited fact cites %v, which do not say it", facts[0].Episodes)
	}
	if len(versions[0].CausedBy) != 1 || len(versions[1].CausedBy) != 0 {
		t.Errorf("caused by %v and %v, want the episode and nobody", versions[0].CausedBy, versions[1].CausedBy)
	}
}

// What SQL corrects or removes is told by no summary any more, and so by no context.
func TestSummariesFollowHandEdits(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I work at Acme.", "2024-04-01"))
	for _, tt := range []struct{ edit, alice, paris string }{
		{``, "Alice works at Acme. Alice lives in Paris.", "Alice lives in Paris."},
		{`UPDATE annals.facts SET attributes = '{"with": "Bob"}' WHERE predicate = 'LIVES_IN'`, "Alice works at Acme. Alice lives in Paris.", "Alice lives in Paris."},
		{
			`UPDATE annals.facts SET fact = 'Alice lives in the east of Paris.' WHERE predicate = 'LIVES_IN'`,
			"Alice lives in the east of Paris. Alice works at Acme.", "Alice lives in the east of Paris.",
		},
		{`DELETE FROM annals.facts WHERE predicate = 'LIVES_IN'`, "Alice works at Acme.", ""},
		{`DELETE FROM annals.entities WHERE name = 'Acme'`, "", ""},
	} {
		psql(t, url, tt.edit)
		for name, want := range map[string]string{"Alice": tt.alice, "Paris": tt.paris} {
			if e, err := client.Entity(t.Context(), "t", name); err != nil || e.Summary != want {
				t.Errorf("after %q the summary of %s is %q (%v); want %q", tt.edit, name, e.Summary, err, want)
			}
		}
	}
	if text, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?"}); err != nil || strings.Contains(text, "lives in") {
		t.Errorf("the context is\n%s(%v)", text, err)
	}
	if edits := psql(t, url, `SELECT string_agg(action || ' ' || kind, ', ' ORDER BY edited_at, kind) FROM annals.edits WHERE group_id = 't'`); edits != "update fact, update fact, delete fact, delete entity, delete fact" {
		t.Errorf("the edits are %s; want only those by hand", edits)
	}
	psql(t, url, `DELETE FROM annals.groups WHERE group_id = 't'`)
}

// With plans, facts_at lists what 'annals facts --as-of' lists, and without plans only what held.
func TestPlansOfFactsAt(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	for day, said := range map[string]string{"2024-02-01": "I live in Bergen.", "2024-03-01": "I will move to Porto on 3 June 2024.", "2024-03-02": "I am flying to Rome on 5 May 2024."} {
		if _, err := client.Add(t.Context(), clienttest.Alice(said, day)); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	conn := clienttest.Dial(t, url)
	ids := func(planned bool, day string) (found []uuid.UUID) {
		if err := conn.QueryRow(t.Context(), `SELECT coalesce(array_agg(id ORDER BY lower(valid), id), '{}')
			FROM annals.facts_at('t', $1::date, planned => $2)`, day, planned).Scan(&found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	for day, so := range map[string]int{"2024-02-15": 1, "2024-04-01": 1, "2024-05-20": 1, "2024-07-01": 1} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: at})
		if err != nil {
			t.Fatal(err)
		}
		var listed []uuid.UUID
		for _, f := range facts {
			listed = append(listed, f.ID)
		}
		if found := ids(true, day); !slices.Equal(found, listed) {
			t.Errorf("as of %s facts_at has %d facts with plans, and the list %d", day, len(found), len(listed))
		}
		if found := ids(false, day); len(found) != so {
			t.Errorf("as of %s facts_at has %d facts that were so", day, len(found))
		}
	}
}
