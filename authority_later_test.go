package annals_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// A retention policy removes what its author may remove, whoever applies it. Other episodes do not
// count.
func TestRetentionHasTheAuthorityOfWhoSetIt(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	told := annals.Triple{GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "tea"}, Fact: "Alice likes tea."}
	if _, err := client.AddTriple(t.Context(), told); err != nil {
		t.Fatal(err)
	}
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris.", "2024-01-10"), saidBy("user", "I work at Acme.", "2024-02-10"))
	user := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityUser})
	if err := client.SetRetention(user, "t", annals.Retention{MaxEpisodes: 1, MaxAge: time.Hour}); err != nil {
		t.Fatal(err)
	}
	done, err := client.ApplyRetention(t.Context(), "t", false)
	if err != nil || done.Episodes != 2 {
		t.Errorf("applied by a person it undid %d (%v); want the two messages", done.Episodes, err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 1 || facts[0].Fact != "Alice likes tea." {
		t.Errorf("left are %v (%v); want what the person told", facts, err)
	}
}

// A user cannot make expire what a person confirmed.
func TestAnExpiryHasTheAuthorityOfWhoSetIt(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	tellAll(t.Context(), t, client, saidBy("user", "I live in Paris.", "2024-01-10"), saidBy("user", "I work at Acme.", "2024-01-10"))
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(facts) != 2 {
		t.Fatal(facts, err)
	}
	user := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityUser})
	for _, f := range facts {
		if _, err := service.New(client).Mark(user, "t", service.MarkChange{IDs: []uuid.UUID{f.ID}, Mark: graph.MarkExpires, ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.New(client).Confirm(t.Context(), "t", []uuid.UUID{facts[0].ID}, true); err != nil {
		t.Fatal(err)
	}
	passed(t, url)
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	left, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t"})
	if err != nil || len(left) != 1 || left[0].ID != facts[0].ID {
		t.Errorf("left are %v (%v); want what was confirmed alone", left, err)
	}
}

// A waiting document in a batch counts as a document, whoever processes the batch.
func TestABatchHasTheAuthorityOfWhoAddedToIt(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	s := service.New(client)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "acme:t"}); err != nil {
		t.Fatal(err)
	}
	batch, err := s.CreateBatch(t.Context(), "acme", service.Batch{})
	if err != nil {
		t.Fatal(err)
	}
	document := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityDocument})
	e := saidBy("user", "I live in Rome.", "2024-01-10")
	e.GroupID, e.Source = "acme:t", graph.SourceMessage
	if _, err := s.AddToBatch(document, "acme", batch.ID, []annals.Episode{e}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ProcessBatch(t.Context(), "acme", batch.ID); err != nil {
		t.Fatal(err)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "acme:t"})
	if err != nil || len(episodes) != 1 || episodes[0].Authority != graph.AuthorityDocument {
		t.Errorf("it became %+v (%v)", episodes, err)
	}
}
