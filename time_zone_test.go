package annals_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Times without a zone, and days meant by words such as yesterday, are in the group's zone.
func TestTimesAreOfTheGroupsZone(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for group, tt := range map[string]struct{ zone, written, stored, note, content, fact, told string }{
		"plain":   {"", "2024-03-15T23:30", "2024-03-15T23:30:00Z", "", "I moved to Lisbon yesterday.", "2024-03-14T00:00:00Z", "Alice moved to Lisbon on 14 March 2024."},
		"west":    {"America/New_York", "2024-03-15T23:30", "2024-03-16T03:30:00Z", "", "I moved to Lisbon yesterday evening.", "2024-03-14T16:00:00Z", "Alice moved to Lisbon on the evening of 14 March 2024."},
		"offset":  {"America/New_York", "2024-03-16T03:30:00+00:00", "2024-03-16T03:30:00Z", "", "I moved to Lisbon yesterday.", "2024-03-14T00:00:00Z", "Alice moved to Lisbon on 14 March 2024."},
		"east":    {"Asia/Tokyo", "2024-03-16", "2024-03-15T15:00:00Z", "", "I moved to Lisbon yesterday.", "2024-03-15T00:00:00Z", "Alice moved to Lisbon on 15 March 2024."},
		"back":    {"America/New_York", "2024-11-03T01:30", "2024-11-03T05:30:00Z", "the clocks of America/New_York show 2024-11-03 01:30:00 twice; the first is meant, 2024-11-03T01:30:00-04:00", "I moved to Lisbon yesterday.", "2024-11-02T00:00:00Z", "Alice moved to Lisbon on 2 November 2024."},
		"forward": {"America/New_York", "2024-03-10T02:30", "2024-03-10T07:30:00Z", "the clocks of America/New_York never show 2024-03-10 02:30:00; 2024-03-10T03:30:00-04:00 is meant", "I moved to Lisbon yesterday.", "2024-03-09T00:00:00Z", "Alice moved to Lisbon on 9 March 2024."},
		"after":   {"America/New_York", "2024-11-03T12:00", "2024-11-03T17:00:00Z", "", "I moved to Lisbon yesterday.", "2024-11-02T00:00:00Z", "Alice moved to Lisbon on 2 November 2024."},
	} {
		if _, err := client.CreateGroup(t.Context(), annals.Group{ID: group, TimeZone: tt.zone}); err != nil {
			t.Fatal(err)
		}
		episode, err := graph.EpisodeInput{Content: tt.content, Actor: "Alice", OccurredAt: tt.written, ExpiresAt: "2999-01-01T12:00"}.Episode(group)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := client.Add(t.Context(), episode)
		if err != nil || stored.Note != tt.note {
			t.Errorf("%s: %+v, %v; want the note %q", group, stored, err, tt.note)
		}
		if err := client.Process(t.Context(), group, nil); err != nil {
			t.Fatal(err)
		}
		kept, err := client.Episode(t.Context(), group, stored.ID)
		if err != nil || kept.OccurredAt.Format(time.RFC3339) != tt.stored {
			t.Errorf("%s: %s was said at %s (%v), want %s", group, tt.written, kept.OccurredAt, err, tt.stored)
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: group})
		if err != nil || len(facts) != 1 || facts[0].Valid.Start.Format(time.RFC3339) != tt.fact || facts[0].Told() != tt.told {
			t.Errorf("%s: the facts are %+v (%v), want one from %s: %q", group, facts, err, tt.fact, tt.told)
		}
	}
}
