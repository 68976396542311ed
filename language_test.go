package annals_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
)

// The language of a group is detected in what is said first. Its words are then found in other
// forms, also those that were said before, and the group says so.
func TestLanguageIsDetected(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	for group, tt := range map[string]struct {
		said            []string
		asked, language string
		from            string
	}{
		"german":  {[]string{"Zwei Häuser gesehen.", "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Haus", "german", "detected"},
		"spanish": {[]string{"Compré libros.", "Me llamo Ana y vivo en Madrid con mis hermanas desde que trabajo para el banco."}, "hermana", "spanish", "detected"},
		"english": {[]string{"I live in Paris with my sisters and we like to read."}, "sister", "english", "detected"},
		"one":     {[]string{"Graz.", "Häuser"}, "Häuser", "english", "default"},
		"set":     {[]string{"Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens."}, "Familie", "simple", "set"},
	} {
		if tt.from == "set" {
			psql(t, url, `INSERT INTO annals.groups (group_id, text_search) VALUES ('set', 'pg_catalog.simple')`)
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
	// Once detected it stays, whatever is said then; somebody may set another.
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

// Whoever adds at the moment in which the language is detected, and whatever is read then, no
// row keeps the words of another language.
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

// Several episodes of one statement, such as those of an import, are told by all of them, and
// what comes first is split as what comes last.
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
