package annals_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/retrieval"
)

// The language of a group is detected in its first episodes. Then words are found in other forms,
// also in earlier episodes, and the group has the language.
func TestLanguageIsDetected(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	for group, tt := range map[string]struct {
		said            []string
		asked, language string
		from            string
	}{
		"german":       {[]string{"Zwei Häuser gesehen.", "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Haus", "german", "detected"},
		"spanish":      {[]string{"Compré libros.", "Me llamo Ana y vivo en Madrid con mis hermanas desde que trabajo para el banco."}, "hermana", "spanish", "detected"},
		"english":      {[]string{"I live in Paris with my sisters and we like to read."}, "sister", "english", "detected"},
		"one":          {[]string{"Graz.", "Häuser"}, "Häuser", "english", "default"},
		"english-set":  {[]string{"Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Familie", "english", "set"},
		"english-made": {[]string{"Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Familie", "english", "set"},
		"set":          {[]string{"Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Familie", "simple", "set"},
	} {
		switch group {
		case "set":
			psql(t, url, `INSERT INTO annals.groups (group_id, text_search) VALUES ('set', 'pg_catalog.simple')`)
		case "english-set": // what it is already
			psql(t, url, `INSERT INTO annals.groups (group_id) VALUES ('english-set')`)
			psql(t, url, `UPDATE annals.groups SET text_search = 'annals.english' WHERE group_id = 'english-set'`)
		case "english-made":
			psql(t, url, `INSERT INTO annals.groups (group_id, text_search) VALUES ('english-made', 'annals.english')`)
		}
		for i, said := range tt.said {
			if _, err := client.Add(t.Context(), annals.Episode{
				GroupID: group, Actor: "Ana", Content: said, OccurredAt: time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC), Deferred: true,
			}); err != nil {
				t.Fatal(err)
			}
		}
		found, err := client.Search(t.Context(), annals.Query{GroupID: group, Text: tt.asked, Scopes: []graph.Kind{graph.KindEpisode}, Conversation: true})
		if err != nil || len(found.Episodes) != 1 {
			t.Errorf("%s: %q finds %d episodes, want 1; %v", group, tt.asked, len(found.Episodes), err)
		}
		if g, err := client.Group(t.Context(), group); err != nil || g.Language != tt.language || g.LanguageFrom != tt.from {
			t.Errorf("%s has the language %q (%s), want %q (%s); %v", group, g.Language, g.LanguageFrom, tt.language, tt.from, err)
		}
	}
	// The detected language stays, whatever is added later. It can be set to another one.
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "german", Content: "I was in the office with all of them and we had to leave.", Deferred: true}); err != nil {
		t.Fatal(err)
	}
	psql(t, url, `UPDATE annals.groups SET text_search = 'annals.spanish' WHERE group_id = 'english'`)
	for group, want := range map[string]string{"german": "german detected", "english": "spanish set"} {
		if g, err := client.Group(t.Context(), group); err != nil || g.Language+" "+g.LanguageFrom != want {
			t.Errorf("%s has %s %s, want %s; %v", group, g.Language, g.LanguageFrom, want, err)
		}
	}
	if verified, err := service.New(client).Verify(t.Context(), "", false); err != nil || len(verified.Broken()) > 0 {
		t.Errorf("verify: %+v, %v", verified.Broken(), err)
	}
}

// With concurrent writers and readers during the detection, no row keeps the words of another
// language.
func TestLanguageIsDetectedWhileOthersWrite(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			said := fmt.Sprintf("Haus %d.", i)
			if i == 6 {
				said = "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."
			}
			if _, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Actor: "Ana", Content: said}); err != nil {
				t.Error(err)
			}
			if err := client.Process(t.Context(), "g", nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if verified, err := service.New(client).Verify(t.Context(), "", false); err != nil || len(verified.Broken()) > 0 {
		t.Errorf("verify: %+v, %v", verified.Broken(), err)
	}
}

// Episodes of one statement, such as those of an import, are all used for the detection, and the
// first are indexed like the last.
func TestLanguageIsDetectedInOneStatement(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	psql(t, url, `INSERT INTO annals.groups (group_id) VALUES ('g')`)
	psql(t, url, `INSERT INTO annals.episodes (group_id, id, content) SELECT 'g', gen_random_uuid(), said FROM unnest(ARRAY[
		'Häuser in Graz.', 'Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens.']) AS said`)
	found, err := client.Search(t.Context(), annals.Query{GroupID: "g", Text: "Haus", Scopes: []graph.Kind{graph.KindEpisode}, Conversation: true})
	if err != nil || len(found.Episodes) != 1 {
		t.Errorf("found %d episodes, want 1; %v", len(found.Episodes), err)
	}
	if g, err := client.Group(t.Context(), "g"); err != nil || g.Language != "german" || g.LanguageFrom != "detected" {
		t.Errorf("the language is %q (%s); %v", g.Language, g.LanguageFrom, err)
	}
}

// Former versions from before the detection are found by words as they are indexed now.
func TestFormerVersionsHaveTheLanguageThatWasDetected(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	ana := annals.Entity{GroupID: "g", Name: "Ana", Summary: "Baut Häuser."}
	ids, err := client.AddEntities(t.Context(), "g", []annals.Entity{ana, {GroupID: "g", Name: "Graz"}})
	if err != nil {
		t.Fatal(err)
	}
	fact, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "g", Source: graph.TripleEnd{Name: "Ana"}, Predicate: "OWNS", Target: graph.TripleEnd{Name: "Graz"}, Fact: "Ana besitzt Häuser in Graz.",
	})
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now()
	summary := "Malt Bilder."
	if _, err := client.EditEntity(t.Context(), "g", ids[0], annals.EntityEdit{Summary: &summary}); err != nil {
		t.Fatal(err)
	}
	if err := client.WithdrawFact(t.Context(), "g", fact.FactID); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Add(t.Context(), annals.Episode{
		GroupID: "g", Content: "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens.", Deferred: true,
	}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []graph.Kind{graph.KindFact, graph.KindEntity} {
		found, err := client.Search(t.Context(), annals.Query{GroupID: "g", Text: "Haus", KnownAt: then, Scopes: []graph.Kind{kind}, Methods: []retrieval.Method{retrieval.MethodTerms}})
		if err != nil || len(found.Facts) == 0 && !slices.ContainsFunc(found.Entities, func(e retrieval.EntityHit) bool { return e.Name == "Ana" }) {
			t.Errorf("%s: found %d facts and %d entities as known then, and not Ana; %v", kind, len(found.Facts), len(found.Entities), err)
		}
	}
}

// An import has the language of its content; a language that was set stays.
func TestLanguageOfAnImport(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	var file strings.Builder
	file.WriteString(`{"episodes": [`)
	for i := range 60 { // no message tells the language, and neither do the last eleven
		words := []string{"Häuser", "Haus und Hof", "in der Stadt", "nicht weit", "mit Ana", "bei Siemens"}
		said := fmt.Sprintf("%s %d", words[i%len(words)], i)
		if i >= 45 {
			said = fmt.Sprintf("Graz %d", i)
		}
		fmt.Fprintf(&file, `%s{"uuid": "00000000-0000-7000-8000-%012d", "content": %q, "source": "message", "created_at": "2024-01-01T00:00:00Z"}`, map[bool]string{true: ", "}[i > 0], i, said)
	}
	file.WriteString(`]}`)
	psql(t, url, `INSERT INTO annals.groups (group_id) VALUES ('made'); INSERT INTO annals.groups (group_id, text_search) VALUES ('set', 'annals.english')`)
	for group, want := range map[string]string{"new": "german detected", "made": "german detected", "set": "english set"} {
		if _, err := client.Import(t.Context(), strings.NewReader(file.String()), annals.ImportOptions{From: archive.FromGraphiti, GroupID: group}); err != nil {
			t.Fatal(err)
		}
		g, err := client.Group(t.Context(), group)
		if err != nil || g.Language+" "+g.LanguageFrom != want {
			t.Errorf("%s has %s %s, want %s; %v", group, g.Language, g.LanguageFrom, want, err)
		}
		found, err := client.Search(t.Context(), annals.Query{GroupID: group, Text: "Haus", Scopes: []graph.Kind{graph.KindEpisode}, Conversation: true, Methods: []retrieval.Method{retrieval.MethodTerms}, Limit: 60})
		if wanted := map[bool]int{true: 16, false: 8}[g.Language == "german"]; err != nil || len(found.Episodes) != wanted {
			t.Errorf("%s: found %d episodes, want %d; %v", group, len(found.Episodes), wanted, err)
		}
	}
	if verified, err := service.New(client).Verify(t.Context(), "", false); err != nil || len(verified.Broken()) > 0 {
		t.Errorf("verify: %+v, %v", verified.Broken(), err)
	}
}

// Two transactions that add to two groups in opposite order do not wait for each other while both
// languages are detected, and both are detected in the end.
func TestLanguagesAreDetectedWithoutWaiting(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	const said = "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."
	for door, add := range map[string]func(tx pgx.Tx, group string) error{
		"go": func(tx pgx.Tx, group string) error {
			_, err := client.AddTx(t.Context(), tx, annals.Episode{GroupID: group, Actor: "Ana", Content: said})
			return err
		},
		"sql": func(tx pgx.Tx, group string) error {
			_, err := tx.Exec(t.Context(), "SELECT annals.add_episode($1, $2)", group, said)
			return err
		},
	} {
		groups := []string{door + "-one", door + "-two"}
		begun := make([]pgx.Tx, len(groups))
		for i, group := range groups {
			if _, err := client.Add(t.Context(), annals.Episode{GroupID: group, Actor: "Ana", Content: "Zwei Häuser gesehen."}); err != nil {
				t.Fatal(err)
			}
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
			if begun[i], err = conn.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := add(begun[i], group); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		for i, tx := range begun {
			all.Go(func() {
				if err := errors.Join(add(tx, groups[1-i]), tx.Commit(t.Context())); err != nil {
					t.Errorf("%s: %v", door, err)
				}
			})
		}
		all.Wait()
		for _, group := range groups {
			if err := client.Process(t.Context(), group, nil); err != nil {
				t.Fatal(err)
			}
			found, err := client.Search(t.Context(), annals.Query{
				GroupID: group, Text: "Haus", Scopes: []graph.Kind{graph.KindEpisode}, Conversation: true, Methods: []retrieval.Method{retrieval.MethodTerms},
			})
			if g, erred := client.Group(t.Context(), group); err != nil || erred != nil || g.Language != "german" || len(found.Episodes) != 1 {
				t.Errorf("%s has %s %s, and finds %d episodes, want 1; %v, %v", group, g.Language, g.LanguageFrom, len(found.Episodes), err, erred)
			}
		}
	}
}

// If the detection was not possible when an episode was added, because of concurrent writes to the
// graph, it happens when the episode is read.
func TestLanguageIsDetectedAsEpisodesAreRead(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), `SELECT pg_advisory_lock(hashtextextended('annals.write:g', 0))`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := client.Add(ctx, annals.Episode{GroupID: "g", Actor: "Ana", Content: "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}); err != nil {
		t.Fatal(err)
	}
	if g, err := client.Group(t.Context(), "g"); err != nil || g.LanguageFrom != "default" {
		t.Fatalf("the language is %s %s; %v", g.Language, g.LanguageFrom, err)
	}
	if _, err := conn.Exec(t.Context(), `SELECT pg_advisory_unlock_all()`); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	if g, err := client.Group(t.Context(), "g"); err != nil || g.Language != "german" || g.LanguageFrom != "detected" {
		t.Errorf("the language is %s %s; %v", g.Language, g.LanguageFrom, err)
	}
}
