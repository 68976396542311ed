package annals_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
)

// A copy of a copy has other ids: erased content is found there by its text.
func TestErasureFollowsCopiesOfCopies(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2024-01-10"), clienttest.Alice("I like chess.", "2024-01-11"))
	for _, clone := range [][2]string{{"t", "copy"}, {"copy", "third"}} {
		if err := client.Clone(t.Context(), clone[0], clone[1]); err != nil {
			t.Fatal(err)
		}
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var secret uuid.UUID
	for _, e := range episodes {
		if strings.Contains(e.Content, "Paris") {
			secret = e.ID
		}
	}
	done, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{secret}, Copies: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Copies) != 2 {
		t.Errorf("it was erased from %d copies, want two", len(done.Copies))
	}
	for _, group := range []string{"t", "copy", "third"} {
		left, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: group})
		if err != nil || len(left) != 1 || strings.Contains(left[0].Content, "Paris") {
			t.Errorf("%s has %v, %v", group, left, err)
		}
	}
}
