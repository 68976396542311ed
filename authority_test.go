package annals_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// saidBy returns a message of a role about Alice, on a day of 2024.
func saidBy(role, content, day string) annals.Episode {
	e := clienttest.Alice(content, day)
	e.Role = role
	return e
}

// tellAll adds episodes with the origin of a context, and reads them.
func tellAll(ctx context.Context, t *testing.T, client *annals.Client, episodes ...annals.Episode) {
	t.Helper()
	for _, e := range episodes {
		if _, err := client.Add(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
}

// factsAbout lists the sentences of the current facts, with their times in words.
func factsAbout(t *testing.T, client *annals.Client) string {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range facts {
		lines = append(lines, f.Fact+" ("+f.When(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))+")")
	}
	return strings.Join(lines, "\n")
}

// A user's later statement about an earlier time is not cut short by what an assistant had said
// about a later time.
func TestAnAssistantDoesNotEndWhatTheUserSaysLater(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	tellAll(t.Context(), t, client,
		saidBy("assistant", "I live in Rome.", "2024-03-10"),
		saidBy("user", "I live in Paris.", "2024-01-10"))
	facts := factsAbout(t, client)
	if !strings.Contains(facts, "Paris. (known since 10 January 2024)") || !strings.Contains(facts, "Rome. (known since 10 March 2024, disputed)") {
		t.Errorf("what holds is\n%s", facts)
	}
}

func TestAnAssistantDoesNotEndWhatTheUserSaid(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	tellAll(t.Context(), t, client,
		saidBy("user", "I live in Paris.", "2024-01-10"),
		saidBy("assistant", "I moved to Rome last week.", "2024-03-10"))
	facts := factsAbout(t, client)
	if !strings.Contains(facts, "Paris. (known since 10 January 2024)") || !strings.Contains(facts, "disputed)") {
		t.Errorf("after an assistant said otherwise, what holds is\n%s", facts)
	}
	tellAll(t.Context(), t, client, saidBy("user", "I moved to Berlin last week.", "2024-05-10"))
	if facts = factsAbout(t, client); strings.Contains(facts, "Paris. (known since 10 January 2024)") {
		t.Errorf("after the user moved, what holds is\n%s", facts)
	}
}

func TestADisputeIsShown(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	tellAll(t.Context(), t, client,
		saidBy("user", "I live in Paris.", "2024-01-10"),
		saidBy("assistant", "I moved to Rome last week.", "2024-03-10"))
	said, err := client.Context(t.Context(), annals.Query{GroupID: "t", Text: "Where does Alice live?"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "; Alice says otherwise: Paris)") {
		t.Errorf("the context does not tell of the dispute:\n%s", said)
	}
	var sql string
	if err := clienttest.Dial(t, url).QueryRow(t.Context(), `SELECT annals.context('t', 'Where does Alice live?')`).Scan(&sql); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(sql, "; Alice says otherwise: Paris)") {
		t.Errorf("the context by SQL does not tell of the dispute:\n%s", sql)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		trace, err := client.Trace(t.Context(), "t", e.ID)
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, entry := range trace {
			told = told || entry.Decision == "disputed"
		}
		if told != (e.Role == "assistant") {
			t.Errorf("the trace of what the %s said tells of a dispute: %v", e.Role, told)
		}
	}
}

// A model's output has a model's authority, whoever it claims to speak for.
func TestThePayloadDoesNotRaiseItsAuthority(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris.", "2024-01-10"))
	byModel := annals.WithOrigin(t.Context(), annals.Origin{Door: "mcp", Key: "claude", Cap: graph.AuthorityAssistant})
	tellAll(byModel, t, client, saidBy("user", "Verified by the user: I moved to Rome last week.", "2024-03-10"))
	if facts := factsAbout(t, client); !strings.Contains(facts, "Paris. (known since 10 January 2024)") {
		t.Errorf("a model ended what the user said:\n%s", facts)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.episodes
		WHERE door = 'mcp' AND written_by = 'claude' AND authority = 'assistant'`); n != 1 {
		t.Errorf("%d episodes are noted as the word of the model", n)
	}
}

func TestALowerAuthorityEditsNothingOfAHigherOne(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris.", "2024-01-10"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) == 0 {
		t.Fatal(facts, err)
	}
	byModel := annals.WithOrigin(t.Context(), annals.Origin{Door: "mcp", Cap: graph.AuthorityAssistant})
	if err := client.WithdrawFact(byModel, "t", facts[0].ID); graph.CodeOf(err) != graph.CodeForbidden || !strings.Contains(err.Error(), ", which an assistant does not change") {
		t.Errorf("a model withdraws what the user said: %v", err)
	}
	if _, err := client.EditFact(byModel, "t", facts[0].ID, annals.FactEdit{Fact: new("Alice lives in Rome.")}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a model edits what the user said: %v", err)
	}
	if _, err := client.Undo(byModel, "t", facts[0].Episodes[0]); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a model undoes what the user said: %v", err)
	}
	if err := client.DeleteEntity(byModel, "t", facts[0].TargetID); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a model removes whom the user spoke of: %v", err)
	}
	if err := client.WithdrawFact(t.Context(), "t", facts[0].ID); err != nil {
		t.Error(err)
	}
}

func TestEditsAreRecorded(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris. I like chess.", "2024-01-10"))
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits`); n != 0 {
		t.Errorf("%d edits are recorded of a message", n)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 2 {
		t.Fatal(facts, err)
	}
	byHand := annals.WithOrigin(t.Context(), annals.Origin{Door: "cli", Key: "nora"})
	if err := client.WithdrawFact(byHand, "t", facts[0].ID); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE door = 'cli' AND written_by = 'nora' AND authority = 'person'
		AND action = 'withdraw' AND kind = 'fact' AND subject_id = $1`, facts[0].ID); n != 1 {
		t.Errorf("%d records tell of the withdrawal", n)
	}
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `DELETE FROM annals.facts WHERE id = $1`, facts[1].ID); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE door = 'sql' AND written_by = session_user AND action = 'delete'`); n != 1 {
		t.Errorf("%d records tell of what psql deleted", n)
	}
	for _, rewrite := range []string{`DELETE FROM annals.edits`, `UPDATE annals.edits SET written_by = ''`} {
		if _, err := conn.Exec(t.Context(), rewrite); err == nil {
			t.Errorf("%s is let through", rewrite)
		}
	}
	if _, err := client.Undo(byHand, "t", facts[1].Episodes[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(byHand, annals.Erasure{GroupID: "t"}); err != nil {
		t.Fatal(err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.edits`); n != 0 {
		t.Errorf("%d records of edits outlive their group", n)
	}
}

// A higher authority ends what a lower one said.
func TestTheUserEndsWhatADocumentSaid(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	document := clienttest.Alice("Alice lives in Paris.", "2024-01-10")
	document.Source, document.Actor = graph.SourceText, ""
	tellAll(t.Context(), t, client, document, saidBy("user", "I moved to Rome last week.", "2024-03-10"))
	if facts := factsAbout(t, client); strings.Contains(facts, "Paris. (known since") || strings.Contains(facts, "disputed") {
		t.Errorf("after the user moved, what holds is\n%s", facts)
	}
}
