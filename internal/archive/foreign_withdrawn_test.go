package archive_test

import (
	"os"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Imported entities leave no names behind either: their facts are withdrawn, then their episodes
// undone.
func TestForeignEntitiesGoWithWhatSupportsThem(t *testing.T) {
	t.Parallel()
	for _, from := range []archive.Foreign{archive.FromZep, archive.FromGraphiti} {
		t.Run(string(from), func(t *testing.T) {
			t.Parallel()
			client, _ := clienttest.New(t)
			file, err := os.Open("testdata/foreign/" + string(from) + ".json")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := client.Import(t.Context(), file, annals.ImportOptions{From: from, GroupID: "alice"}); err != nil {
				t.Fatal(err)
			}
			facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "alice"})
			if err != nil || len(facts) == 0 {
				t.Fatalf("imported are %v (%v)", facts, err)
			}
			for _, f := range facts {
				if err := client.WithdrawFact(t.Context(), "alice", f.ID); err != nil {
					t.Fatal(err)
				}
			}
			episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"})
			if err != nil || len(episodes) == 0 {
				t.Fatalf("imported are %v (%v)", episodes, err)
			}
			gone := annals.Undoing{GroupID: "alice"}
			for _, e := range episodes {
				gone.EpisodeIDs = append(gone.EpisodeIDs, e.ID)
			}
			if _, err := client.UndoAll(t.Context(), gone); err != nil {
				t.Fatal(err)
			}
			left, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "alice"})
			if err != nil || len(left) > 0 {
				t.Errorf("%+v are left (%v)", left, err)
			}
		})
	}
}
