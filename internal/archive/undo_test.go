package archive_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// taken is an imported group, with ways to remove an episode from it.
type taken struct {
	*annals.Client
	t   *testing.T
	url string
}

// dumped is an export of another program: Paris ended by Lisbon, a job and a friend, worded so that
// our reader would read nothing or something else.
func dumped(t *testing.T, from archive.Foreign) io.Reader {
	t.Helper()
	file, err := os.ReadFile("testdata/foreign/" + string(from) + "-undo.json")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(file)
}

// imports makes the same group in each way of importing: from Zep, from Graphiti, and from our own
// export of either and of episodes read here.
func imports(t *testing.T) map[string]*taken {
	t.Helper()
	groups := map[string]*taken{}
	for _, from := range []archive.Foreign{archive.FromZep, archive.FromGraphiti} {
		client, url := clienttest.New(t)
		moved, err := client.Import(t.Context(), dumped(t, from), annals.ImportOptions{From: from, GroupID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		groups[string(from)] = &taken{client, t, url}
		groups[string(from)+" again"] = copied(t, client, moved.GroupID)
	}
	here, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, here,
		clienttest.Alice("I live in Paris.", "2023-01-10"),
		clienttest.Alice("I moved to Lisbon.", "2024-03-15"),
		clienttest.Alice("I work at Acme.", "2024-03-16"),
		clienttest.Alice("Bob works for Siemens.", "2024-03-17"))
	groups["own"] = copied(t, here, "t")
	return groups
}

// copied exports the group and imports it into another database.
func copied(t *testing.T, client *annals.Client, group string) *taken {
	t.Helper()
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), group, &file, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	other, url := clienttest.New(t)
	if _, err := other.Import(t.Context(), &file, annals.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	return &taken{other, t, url}
}

// texts returns the rows of a query of one text column.
func (g *taken) texts(query string) []string {
	g.t.Helper()
	rows, err := clienttest.Dial(g.t, g.url).Query(g.t.Context(), query)
	if err != nil {
		g.t.Fatal(err)
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			g.t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// believed lists the believed facts except those of one place, with ids and times.
func (g *taken) believed(without string) []string {
	return g.texts("SELECT format('%s %s %s', id, fact, valid) FROM annals.facts WHERE fact NOT LIKE '%" + without + "%' ORDER BY fact")
}

// sound fails the test if a fact has no source.
func (g *taken) sound() {
	g.t.Helper()
	if bare := g.texts(`SELECT fact FROM annals.facts f WHERE NOT EXISTS (
		SELECT FROM annals.fact_episodes c WHERE c.group_id = f.group_id AND c.fact_id = f.id AND c.role = 'states')`); len(bare) > 0 {
		g.t.Errorf("nothing states %q", bare)
	}
}

// goes removes the episode with a word from the group.
func (g *taken) goes(word string, erase bool) {
	g.t.Helper()
	id := uuid.MustParse(g.texts("SELECT id::text FROM annals.episodes WHERE content LIKE '%" + word + "%'")[0])
	var err error
	if erase {
		_, err = g.Erase(g.t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{id}})
	} else {
		_, err = g.Undo(g.t.Context(), "t", id)
	}
	if err != nil {
		g.t.Fatalf("take out what says %s: %v", word, err)
	}
	g.sound()
}

// Undoing or erasing an imported episode removes what only it supports. Facts of the others keep
// their ids and times.
func TestAnImportedEpisodeGoesAlone(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, erase := range []bool{false, true} {
		for name, g := range imports(t) {
			t.Run(fmt.Sprintf("%s erase %t", name, erase), func(t *testing.T) {
				g.t = t
				before := g.believed("Bob")
				if len(before) != 3 {
					t.Fatalf("imported are %q", before)
				}
				g.goes("Bob", erase)
				if diff := cmp.Diff(before, g.believed("-")); diff != "" {
					t.Errorf("other facts changed (-before +after):\n%s", diff)
				}
				if left := g.texts("SELECT name FROM annals.entities WHERE name = 'Bob' OR summary LIKE '%Bob%'"); len(left) > 0 {
					t.Errorf("still there: %q", left)
				}
				if history := g.texts("SELECT fact FROM annals_internal.facts_history WHERE fact LIKE '%Bob%'"); erase == (len(history) > 0) {
					t.Errorf("erased %t, the history has %q", erase, history)
				}
				g.goes("Lisbon", erase)
				after := g.texts("SELECT fact || upper_inf(valid) FROM annals.facts ORDER BY fact")
				if !slices.Equal(after, []string{"Alice lives in Paris.true", "Alice works at Acme.true"}) {
					t.Errorf("what it had ended does not hold again: %q", after)
				}
				if told := g.texts("SELECT summary FROM annals.entities WHERE summary LIKE '%Lisbon%'"); len(told) > 0 {
					t.Errorf("a summary still says %q", told)
				}
			})
		}
	}
}

// Episodes added after an import are placed anew without the removed episode, and no later undoing
// brings that back.
func TestWhatFollowedAnImportIsPlacedAnew(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for name, g := range imports(t) {
		t.Run(name, func(t *testing.T) {
			g.t = t
			clienttest.AddAndProcess(t, g.Client,
				clienttest.Alice("I moved to Rome.", "2024-06-01"),
				clienttest.Alice("I work at Acme.", "2024-06-02"))
			acme := g.texts("SELECT id::text FROM annals.facts WHERE fact LIKE '%Acme%'")
			const facts = "SELECT fact || coalesce(upper(valid)::date::text, '') FROM annals.facts WHERE fact NOT LIKE '%Bob%' ORDER BY fact"
			for _, step := range []struct{ gone, want string }{
				{"Lisbon", "Alice lives in Paris.2024-06-01, Alice moved to Rome., Alice works at Acme."},
				{"Acme", "Alice lives in Paris.2024-06-01, Alice moved to Rome., Alice works at Acme."}, // said again since
				{"Rome", "Alice lives in Paris., Alice works at Acme."},
			} {
				g.goes(step.gone, false)
				if got := strings.Join(g.texts(facts), ", "); got != step.want {
					t.Errorf("without %s: %s, want %s", step.gone, got, step.want)
				}
			}
			if again := g.texts("SELECT id::text FROM annals.facts WHERE fact LIKE '%Acme%'"); !slices.Equal(acme, again) {
				t.Errorf("what is still said has another id: %q, before %q", again, acme)
			}
			g.goes("Acme", false)
			if got := strings.Join(g.texts(facts), ", "); got != "Alice lives in Paris." {
				t.Errorf("in the end: %s", got)
			}
		})
	}
}
