package annals_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	writtenWords = "Alice visited Oslo last week."
	datedWords   = "Alice visited Oslo in the week of 4 March 2024."
)

// visited makes a memory in which Alice said twice in one week where she was the week before.
func visited(t *testing.T) (*annals.Client, string) {
	t.Helper()
	client, url := clienttest.New(t)
	say(t, client, annals.Episode{Actor: "Alice", Content: "I visited Oslo last week.", OccurredAt: day(2024, 3, 14)})
	say(t, client, annals.Episode{Actor: "Alice", Content: "I visited Oslo last week.", OccurredAt: day(2024, 3, 15)})
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	return client, url
}

// tellers returns all methods that list sentences.
func tellers(t *testing.T, client *annals.Client, url string) map[string]func(ctx context.Context) (string, error) {
	t.Helper()
	id := factSaying(t, client, "Oslo").ID
	inSQL := func(query string) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return psql(t, url, query), nil }
	}
	return map[string]func(ctx context.Context) (string, error){
		"facts": func(ctx context.Context) (string, error) {
			facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t"})
			return facts[0].Told() + facts[0].JSON().Told, err
		},
		"timeline": func(ctx context.Context) (string, error) {
			changes, err := client.Timeline(ctx, annals.TimelineFilter{GroupID: "t"})
			return fmt.Sprint(changes), err
		},
		"history": func(ctx context.Context) (string, error) {
			versions, err := client.History(ctx, "t", id)
			return versions[len(versions)-1].Told(), err
		},
		"search": func(ctx context.Context) (string, error) {
			found, err := client.Search(ctx, annals.Query{GroupID: "t", Text: "Oslo"})
			return found.Facts[0].Told(), err
		},
		"context": func(ctx context.Context) (string, error) {
			return client.Context(ctx, annals.Query{GroupID: "t", Text: "Oslo", Scopes: []graph.Kind{graph.KindFact}})
		},
		"observations": func(ctx context.Context) (string, error) {
			seen, err := client.Observations(ctx, annals.ObservationFilter{GroupID: "t"})
			return fmt.Sprint(seen), err
		},
		"picture": func(ctx context.Context) (string, error) {
			picture, err := service.New(client).Picture(ctx, service.PictureQuery{GroupID: "t"})
			return picture.Facts.Told[len(picture.Facts.Told)-1], err
		},
		"timeline in SQL":     inSQL(`SELECT words FROM annals.timeline WHERE group_id = 't'`),
		"timeline_at in SQL":  inSQL(`SELECT words FROM annals.timeline_at('t')`),
		"facts_at in SQL":     inSQL(`SELECT told FROM annals.facts_known('t')`),
		"history in SQL":      inSQL(`SELECT told FROM annals.fact_history('t', '` + id.String() + `')`),
		"search in SQL":       inSQL(`SELECT content FROM annals.search('t', 'Oslo', '{fact}')`),
		"context in SQL":      inSQL(`SELECT annals.context('t', 'Oslo', '{fact}')`),
		"changes in SQL":      inSQL(`SELECT told FROM annals.fact_changes('t', '2020-01-01')`),
		"observations in SQL": inSQL(`SELECT observation FROM annals.observations`),
	}
}

// A year later, a fact says when "last week" was. Reading methods show the stored words and resolve
// nothing.
func TestSentencesAreToldAsTheyWereResolvedWhenWritten(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := visited(t)
	const changed = "It is Oslo that is told of."
	for _, want := range []string{datedWords, changed} {
		if want == changed {
			psql(t, url, `UPDATE annals.facts SET told = '`+changed+`'`)
		}
		for name, tell := range tellers(t, client, url) {
			told, err := tell(t.Context())
			if err != nil || !strings.Contains(told, want) || strings.Contains(told, "last week") {
				t.Errorf("%s shows %q (%v), want %q", name, told, err, want)
			}
		}
	}
}

// A fact is found by its sentence as it was written.
func TestFactsAreFoundByWhatWasWritten(t *testing.T) {
	t.Parallel()
	client, url := visited(t)
	if fact := factSaying(t, client, "Oslo"); fact.Fact != writtenWords || fact.JSON().Fact != writtenWords {
		t.Errorf("the sentence is %q", fact.Fact)
	}
	terms := psql(t, url, `SELECT terms::text FROM annals.facts`)
	if !strings.Contains(terms, "last") || strings.Contains(terms, "march") {
		t.Errorf("it is found by %s", terms)
	}
}

// toldIn lists the words of all versions of all facts, the latest first.
func toldIn(t *testing.T, url, group string) string {
	t.Helper()
	return psql(t, url, `SELECT string_agg(told, ' | ' ORDER BY lower(recorded) DESC) FROM annals.fact_versions WHERE group_id = '`+group+`'`)
}

func TestEditsAreToldByTheDayItWasSaid(t *testing.T) {
	t.Parallel()
	client, url := visited(t)
	ctx, fact := t.Context(), factSaying(t, client, "Oslo")
	put := func(edit annals.FactEdit) annals.Fact {
		t.Helper()
		edited, err := client.EditFact(ctx, "t", fact.ID, edit)
		if err != nil {
			t.Fatal(err)
		}
		return edited
	}
	if edited := put(annals.FactEdit{Fact: new("Alice visited Bergen two weeks ago.")}); edited.ToldAs != "Alice visited Bergen on 29 February 2024." {
		t.Errorf("edited it is told as %q", edited.ToldAs)
	}
	if dated := put(annals.FactEdit{ValidAt: new(day(2024, 3, 1))}); dated.ToldAs != "Alice visited Bergen on 29 February 2024." {
		t.Errorf("with another date it is told as %q", dated.ToldAs)
	}
	psql(t, url, `UPDATE annals.facts SET told = 'By hand.'`)
	byHand := factSaying(t, client, "Bergen").Recorded.Start
	if back := put(annals.FactEdit{AsKnownAt: fact.Recorded.Start}); back.ToldAs != datedWords {
		t.Errorf("put back it is told as %q", back.ToldAs)
	}
	if back := put(annals.FactEdit{AsKnownAt: byHand}); back.ToldAs != "By hand." {
		t.Errorf("put back as SQL told it, it is told as %q", back.ToldAs)
	}
}

// A fact of two messages of one week keeps its words when the first is undone, though its first
// message is then the second.
func TestUndoingKeepsWhatIsTold(t *testing.T) {
	t.Parallel()
	client, url := visited(t)
	fact := factSaying(t, client, "Oslo")
	if _, err := client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: fact.Episodes[:1]}); err != nil {
		t.Fatal(err)
	}
	after := factSaying(t, client, "Oslo")
	if !after.SaidAt.Equal(day(2024, 3, 15)) || after.ToldAs != datedWords || toldIn(t, url, "t") != datedWords+" | "+datedWords {
		t.Errorf("it was said %s and is told as %s", after.SaidAt, toldIn(t, url, "t"))
	}
	if _, err := service.New(client).Rebuild(t.Context(), "t", true); err != nil {
		t.Fatal(err)
	}
	if told := factSaying(t, client, "Oslo").ToldAs; told != datedWords {
		t.Errorf("rebuilt it is told as %q", told)
	}
}

func TestWithdrawnFactsAreTold(t *testing.T) {
	t.Parallel()
	client, _ := visited(t)
	ctx, fact := t.Context(), factSaying(t, client, "Oslo")
	if err := client.WithdrawFact(ctx, "t", fact.ID); err != nil {
		t.Fatal(err)
	}
	rejected, err := service.New(client).Rejections(ctx, service.RejectionFilter{GroupID: "t", Limit: 10})
	if err != nil || len(rejected) != 1 || rejected[0].Fact != writtenWords || rejected[0].Told != datedWords {
		t.Errorf("rejected are %+v (%v)", rejected, err)
	}
	back, err := client.RestoreFact(ctx, "t", fact.ID)
	if err != nil || back.ToldAs != datedWords {
		t.Errorf("restored it is told as %q (%v)", back.ToldAs, err)
	}
	alice, err := client.Entity(ctx, "t", back.SourceID.String())
	if err != nil || !strings.Contains(alice.Summary, datedWords) || strings.Contains(alice.Summary, "last week") {
		t.Errorf("the summary says %q (%v)", alice.Summary, err)
	}
}

func TestAnExportHasWhatIsTold(t *testing.T) {
	t.Parallel()
	client, url := visited(t)
	psql(t, url, `UPDATE annals.facts SET told = 'By hand.'`)
	var out bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Import(t.Context(), &out, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	if told := toldIn(t, url, "copy"); told != "By hand. | "+datedWords {
		t.Errorf("the copy tells %s", told)
	}
}

// An older export, without resolved words, is resolved when it is imported.
func TestAnOlderExportIsResolved(t *testing.T) {
	t.Parallel()
	client, url := visited(t)
	if _, err := client.EditFact(t.Context(), "t", factSaying(t, client, "Oslo").ID, annals.FactEdit{Predicate: new("SAW")}); err != nil {
		t.Fatal(err)
	}
	var out, older bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	err := archive.Rewrite(&out, &older, func(_ string, row archive.Row) (bool, error) {
		delete(row, "told")
		return true, nil
	})
	if err != nil || strings.Contains(older.String(), `"told"`) {
		t.Fatalf("%v:\n%s", err, older.String())
	}
	if _, err := client.Import(t.Context(), &older, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	if told := toldIn(t, url, "copy"); told != datedWords+" | "+datedWords {
		t.Errorf("the copy tells %s", told)
	}
}

// Erasing an entity also removes its name where only the resolved words have it.
func TestErasingReachesWhatIsTold(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := visited(t)
	const secret = "I keep three grey parrots in the kitchen of my house."
	say(t, client, annals.Episode{Actor: "Zarathox Quillby", Content: secret, OccurredAt: day(2024, 3, 16)})
	id := factSaying(t, client, "Oslo").ID
	psql(t, url, `UPDATE annals.facts SET told = 'Alice visited Oslo with Zarathox Quillby.' WHERE id = '`+id.String()+`';
		UPDATE annals.facts SET told = 'Alice visited Oslo.' WHERE id = '`+id.String()+`'`)
	psql(t, url, `INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, told, valid, statement_id)
		SELECT group_id, gen_random_uuid(), source_id, target_id, 'SAW', 'Alice saw Oslo.', 'Alice saw Oslo beside Zarathox Quillby.', valid, gen_random_uuid() FROM annals.facts
		WHERE id = '`+id.String()+`'`)
	entity := psql(t, url, `SELECT id FROM annals.entities WHERE name = 'Zarathox Quillby'`)
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EntityID: uuid.MustParse(entity), AnyReader: true}); err != nil {
		t.Fatal(err)
	}
	if told := toldIn(t, url, "t"); told != "Alice visited Oslo. | "+datedWords {
		t.Errorf("after the erasure is told: %s", told)
	}
	var refused *pgconn.PgError
	_, err := connect(t, url).Exec(t.Context(), `UPDATE annals.facts SET told = $1`, secret)
	if !errors.As(err, &refused) || refused.Code != db.CodeErased || refused.ColumnName != "told" {
		t.Errorf("what was erased is told again: %v", err)
	}
}
