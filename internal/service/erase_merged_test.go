package service_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Two entities were merged by hand. Erasing the episode that named one of them removes that name
// everywhere.
func TestErasingTakesTheNameOfWhatWasMerged(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	kept, erased := clienttest.Alice("I visited Plomvale with my friend Bob.", "2024-01-01"), clienttest.Alice("I visited Zqorbex with my friend Bob.", "2024-01-02")
	kept.ExternalID, erased.ExternalID = "kept", "erased"
	clienttest.AddAndProcess(t, client, kept, erased)
	ids := map[string]uuid.UUID{}
	entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entities {
		ids[e.Name] = e.ID
	}
	if _, err := client.MergeEntities(t.Context(), "t", ids["Plomvale"], ids["Zqorbex"]); err != nil {
		t.Fatal(err)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		if e.ExternalID == "erased" {
			if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{e.ID}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, line := range toldIn(t, url) {
		if strings.Contains(strings.ToLower(line), "zqorbex") {
			t.Errorf("it is there: %s", line)
		}
	}
	if names, v := brokenIn(t, client, false); len(names) > 0 {
		t.Errorf("broken: %+v", v.Broken())
	}
}
