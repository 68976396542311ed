package annals_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// An invalid mark is refused with the field named, and nothing is stored.
func TestMarksRefuseWhatTheyCannotMean(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	whatAliceSaid(t, client)
	fact := factSaying(t, client, "tea")
	alice, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil {
		t.Fatal(err)
	}
	entity := alice.ID
	later, before := time.Now().Add(time.Hour), time.Now().Add(-time.Second)
	for name, tt := range map[string]struct {
		change service.MarkChange
		field  string
	}{
		"none":              {service.MarkChange{Mark: graph.MarkPinned}, "ids"},
		"no mark":           {service.MarkChange{IDs: []uuid.UUID{fact.ID}}, "mark"},
		"another mark":      {service.MarkChange{IDs: []uuid.UUID{fact.ID}, Mark: "nice"}, "mark"},
		"no time":           {service.MarkChange{IDs: []uuid.UUID{fact.ID}, Mark: graph.MarkExpires}, "expires_at"},
		"a time too many":   {service.MarkChange{IDs: []uuid.UUID{fact.ID}, Mark: graph.MarkPinned, ExpiresAt: later}, "expires_at"},
		"a time that was":   {service.MarkChange{IDs: []uuid.UUID{fact.ID}, Mark: graph.MarkExpires, ExpiresAt: before}, "expires_at"},
		"an entity expires": {service.MarkChange{IDs: []uuid.UUID{entity}, Mark: graph.MarkExpires, ExpiresAt: later}, "ids"},
		"an entity judged":  {service.MarkChange{IDs: []uuid.UUID{entity}, Mark: graph.MarkWrong}, "ids"},
		"nothing there":     {service.MarkChange{IDs: []uuid.UUID{fact.ID, uuid.Must(uuid.NewV7())}, Mark: graph.MarkPinned}, "ids"},
	} {
		_, err := service.New(client).Mark(t.Context(), "t", tt.change)
		var refused *annals.Error
		if !errors.As(err, &refused) || refused.Field != tt.field {
			t.Errorf("%s: %v, want %s refused", name, err, tt.field)
		}
	}
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "t", Content: "x", ExpiresAt: before}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("an episode that has expired: %v", err)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE mark <> 'expires'`); n != 0 {
		t.Errorf("%d marks", n)
	}
	marked(t, client, graph.MarkExpires, later, fact.ID)
	passed(t, url)
	if _, err := service.New(client).Mark(t.Context(), "t", service.MarkChange{IDs: []uuid.UUID{fact.ID}, Mark: graph.MarkKeeps}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("what has expired is kept: %v", err)
	}
}

// After an episode is undone, its marks do not interfere. Retention keeps pinned rows while it
// undoes others, and erasing removes marks.
func TestRetentionKeepsThePinnedAndErasureItsMarks(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	whatAliceSaid(t, client)
	porto := factSaying(t, client, "Porto")
	marked(t, client, graph.MarkPinned, time.Time{}, porto.Episodes[0], porto.ID)
	if err := client.SetRetention(t.Context(), "t", annals.Retention{MaxAge: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.ApplyRetention(t.Context(), "t", false); err != nil {
		t.Fatal(err)
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil || len(episodes) != 1 || episodes[0].Content != "I live in Porto." || !episodes[0].Marks.Pinned {
		t.Fatalf("left: %+v, %v", episodes, err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{episodes[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if left := psql(t, url, `SELECT count(*) FROM annals.marks WHERE subject_id IN ('`+porto.ID.String()+`', '`+episodes[0].ID.String()+`')`); left != "0" {
		t.Errorf("%s marks of what is erased", left)
	}
}

// A row that is erased while it is marked has no mark afterwards, in any way of marking. A pin that
// is set or ended twice counts once.
func TestMarkingWhatIsErasedMeanwhile(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	for round := range 8 {
		id := say(t, client, clienttest.Alice(fmt.Sprintf("I like thing%d.", round), "2024-03-01"))
		conn := clienttest.Dial(t, url)
		var together sync.WaitGroup
		together.Go(func() {
			if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{id}}); err != nil {
				t.Error(err)
			}
		})
		for range 2 {
			together.Go(func() {
				_, err := service.New(client).Mark(t.Context(), "t", service.MarkChange{IDs: []uuid.UUID{id}, Mark: graph.MarkPinned})
				if err != nil && annals.CodeOf(err) != annals.CodeNotFound {
					t.Error(err)
				}
			})
		}
		together.Go(func() {
			if _, err := conn.Exec(t.Context(), `SELECT annals.mark('t', ARRAY[$1]::uuid[], 'useful')`, id); err != nil && sqlState(err) != "P0002" {
				t.Error(err)
			}
		})
		together.Wait()
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE subject_id = $1`, id); n != 0 {
			t.Fatalf("round %d: %d marks of what was erased", round, n)
		}
	}
	id := say(t, client, clienttest.Alice("I like tea.", "2024-03-01"))
	for _, mark := range []graph.Mark{"pinned", "pinned", "unpinned", "unpinned", "keeps", "unjudged"} {
		marked(t, client, mark, time.Time{}, id, id)
	}
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.marks WHERE subject_id = $1 AND until IS NOT NULL`, id); n != 1 {
		t.Errorf("a pin that was set and ended twice is %d rows", n)
	}
}
