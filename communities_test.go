package annals_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

func TestCommunities(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	var episodes []annals.Episode
	for _, who := range [][3]string{{"Alice", "Acme", "Lisbon"}, {"Bob", "Acme", "Lisbon"}, {"Xavier", "Initech", "Graz"}, {"Yara", "Initech", "Graz"}} {
		episodes = append(episodes,
			annals.Episode{GroupID: "t", Actor: who[0], Content: "I work at " + who[1] + "."},
			annals.Episode{GroupID: "t", Actor: who[0], Content: "I live in " + who[2] + "."})
	}
	clienttest.AddAndProcess(t, client, episodes...)
	first, err := client.BuildCommunities(t.Context(), "t")
	if want := (annals.Built{Communities: 2, Entities: 8, New: 2}); err != nil || first != want {
		t.Fatalf("built %+v (%v), want %+v", first, err, want)
	}
	second, err := client.BuildCommunities(t.Context(), "t")
	if want := (annals.Built{Communities: 2, Entities: 8, Kept: 2}); err != nil || second != want {
		t.Errorf("built again %+v (%v), want %+v", second, err, want)
	}
	communities, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var together [][]string
	for _, c := range communities {
		if c.Name == "" || c.Summary == "" || c.GroupID != "t" || c.CreatedAt.IsZero() {
			t.Errorf("community %+v lacks something", c.Community)
		}
		var names []string
		for _, m := range c.Members {
			names = append(names, m.Name)
		}
		together = append(together, names)
	}
	slices.SortFunc(together, slices.Compare[[]string])
	want := [][]string{{"Acme", "Alice", "Bob", "Lisbon"}, {"Graz", "Initech", "Xavier", "Yara"}}
	if !slices.EqualFunc(together, want, slices.Equal[[]string]) {
		t.Errorf("communities %v, want %v", together, want)
	}
	if few, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t", Limit: 1}); err != nil || len(few) != 1 {
		t.Errorf("%d communities with a limit of 1 (%v)", len(few), err)
	}
	if _, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t", Limit: -1}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("a negative limit: error %v", err)
	}
}

// A community has no words of undone or erased content, even in its table, and 'annals verify'
// finds nothing broken before it is described again.
func TestCommunitiesKeepNoWordsOfWhatIsGone(t *testing.T) {
	t.Parallel()
	for _, erase := range []bool{false, true} {
		client, url := clienttest.New(t)
		for i, said := range []string{"My brother Tom works at Globex.", "Tom lives in Porto.", "I live in Lisbon.", "I work at Acme."} {
			clienttest.AddAndProcess(t, client, clienttest.Alice(said, "2024-01-1"+strconv.Itoa(i)))
		}
		if _, err := client.BuildCommunities(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
		const told = `SELECT count(*) FROM annals.communities c WHERE concat_ws(' ', c.name, c.summary, c.terms::text) ~* 'tom|globex|porto'`
		if clienttest.Count(t, url, told) == 0 {
			t.Fatal("no community tells of Tom")
		}
		episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		var gone []uuid.UUID
		for _, e := range episodes {
			if strings.Contains(e.Content, "Tom") {
				gone = append(gone, e.ID)
			}
		}
		if erase {
			_, err = client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: gone})
		} else {
			_, err = client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: gone})
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := clienttest.Count(t, url, told); n > 0 {
			t.Errorf("erased %t: %d communities tell of Tom", erase, n)
		}
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals_internal.community_embeddings`); n > 0 {
			t.Errorf("erased %t: %d vectors of former words are left", erase, n)
		}
		found, err := service.New(client).Verify(t.Context(), "t", false)
		if err != nil || len(found.Broken()) > 0 {
			t.Errorf("erased %t: broken are %+v (%v)", erase, found.Broken(), err)
		}
		if _, err := client.BuildCommunities(t.Context(), "t"); err != nil {
			t.Fatal(err)
		}
		const versions = `SELECT count(*) FROM annals.community_versions v WHERE v.name = ''`
		if n := clienttest.Count(t, url, versions); n > 0 {
			t.Errorf("erased %t: %d versions have no name", erase, n)
		}
	}
}

// An older export, with texts of hidden communities, is imported without these texts.
func TestHiddenCommunitiesOfAnOlderExportAreEmptied(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	for i, said := range []string{"My brother Tom works at Globex.", "Tom lives in Porto.", "I live in Lisbon.", "I work at Acme."} {
		clienttest.AddAndProcess(t, client, clienttest.Alice(said, "2024-01-1"+strconv.Itoa(i)))
	}
	if _, err := client.BuildCommunities(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	var out, older bytes.Buffer
	if _, err := client.Export(t.Context(), "t", &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	hidden := 0
	err := archive.Rewrite(&out, &older, func(table string, row archive.Row) (bool, error) {
		if table == "communities" {
			hidden++
			row["stale"], row["digest"] = json.RawMessage("true"), json.RawMessage(`"\\x"`)
		}
		return true, nil
	})
	if err != nil || hidden == 0 {
		t.Fatalf("%d communities are hidden: %v", hidden, err)
	}
	if _, err := client.Import(t.Context(), &older, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	const emptied = `SELECT count(*) FROM annals.communities WHERE group_id = 'copy' AND stale AND (name, summary, terms) = ('', '', '')`
	if n := clienttest.Count(t, url, emptied); n != hidden {
		t.Errorf("%d of %d hidden communities are empty", n, hidden)
	}
	if built, err := client.BuildCommunities(t.Context(), "copy"); err != nil || built.Changed != hidden {
		t.Errorf("built %+v (%v), want %d described anew", built, err, hidden)
	}
}
