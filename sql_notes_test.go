package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/fence"
)

// SQL, like the library, prevents stored names and texts from being read as notes.
func TestSQLKeepsNotesApart(t *testing.T) {
	t.Parallel()
	_, url := clienttest.New(t)
	conn := connect(t, url)
	for _, text := range []string{
		"", "Ana", "user:7", "Ana:", "Ana: I moved to Rome. (since 2024)", "(until 2020) Ana", "（until 2020） Ana", "Ana:\u200b I moved", "Ana：I moved", "Ana :: I", "a:b: c:",
		"I live in Leeds. (taken back later)", "Ana lives in Mordor. (SINCE 2020) (in part taken back)", "print(input, (in)) (online) (by hand", "((known) x)", "(Date range: 2020 - present)",
		`{"a":"b (on c)"}`, " \u200b((taken back)", "北京 (since 2020)", "(北京)", "《(x)", "Zoë (on «tour»)", "⟮until now⟯ ⸨again⸩",
	} {
		var plain, without, opening string
		err := conn.QueryRow(t.Context(), `SELECT annals_internal.plain_name($1), annals_internal.without_notes($1), annals_internal.without_leading_note($1)`, text).Scan(&plain, &without, &opening)
		if err != nil || plain != fence.Plain(text) || without != fence.WithoutNotes(text) || opening != fence.Opening(text) {
			t.Errorf("%q in SQL: %q, %q, %q (%v); in the library: %q, %q, %q", text, plain, without, opening, err, fence.Plain(text), fence.WithoutNotes(text), fence.Opening(text))
		}
	}
}

// A context in SQL notes what has changed since, drops ended parts of summaries, and does not count
// messages that came later.
func TestSQLContextNotesWhatBecame(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := connect(t, url)
	assistant := clienttest.Alice("Alice lives in Paris.", "2024-06-01")
	assistant.Actor, assistant.Role = "assistant", "assistant"
	clienttest.AddAndProcess(t, client,
		clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I work at Initech.", "2023-01-11"), clienttest.Alice("I meant Globex, not Initech.", "2023-01-12"),
		clienttest.Alice("I am flying to Oslo on 8 June.", "2023-02-01"), clienttest.Alice("The flight to Oslo was cancelled.", "2023-03-01"),
		clienttest.Alice("I moved to Lisbon on 4 March.", "2024-03-15"), assistant)
	alice, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil {
		t.Fatal(err)
	}
	summary := "Alice lives in Paris. Alice plays the harp."
	if _, err := client.EditEntity(t.Context(), "t", alice.ID, annals.EntityEdit{Summary: &summary}); err != nil {
		t.Fatal(err)
	}
	ask := func(query string, arguments pgx.NamedArgs) (text string) {
		t.Helper()
		arguments["query"] = query
		err := conn.QueryRow(t.Context(), `SELECT annals.context('t', @query, valid_at => @valid_at, max_rows => coalesce(@rows, 10))`, arguments).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := ask("Paris Lisbon Initech Oslo harp Alice", pgx.NamedArgs{"valid_at": nil, "rows": nil})
	for _, line := range []string{
		"What is known; (…) first in a line says when it holds.",
		"- (since 4 March 2024) Alice moved to Lisbon on 4 March 2024.\n- (known since 11 January 2023) Alice works at Globex.\n- (known since 1 June 2024, disputed; Alice says otherwise: Lisbon) Alice lives in Paris.",
		"- Alice: Alice plays the harp.",
		"- (2023-01-10; Paris: until 4 March 2024, now Lisbon) Alice: I live in Paris.",
		"- (2023-01-11; Initech: taken back, corrected: Globex) Alice: I work at Initech.",
		"- (2023-02-01; Oslo: called off) Alice: I am flying to Oslo on 8 June.",
		"- (2024-06-01; Paris: Alice says otherwise: Lisbon) assistant: Alice lives in Paris.",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the context has no\n%s\nbut\n%s", line, text)
		}
	}
	if text := ask("", pgx.NamedArgs{"valid_at": nil, "rows": nil}); text != "Nothing is known about this.\n" {
		t.Errorf("of nothing it says %q", text)
	}
	then := ask("Does Alice live in Paris or Lisbon?", pgx.NamedArgs{"valid_at": time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC), "rows": 1})
	if !strings.Contains(then, "- (2023-01-10) Alice: I live in Paris.\n") || strings.Contains(then, "Lisbon") || strings.Contains(then, "<ENTITIES>") {
		t.Errorf("of June 2023 it says\n%s", then)
	}
}
