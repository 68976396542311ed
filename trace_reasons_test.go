package annals_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
)

// A trace says why the words of a fact changed: a part of it ended, or was taken back.
func TestTraceSaysWhyAFactIsReworded(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	for name, tt := range map[string]struct {
		actor, before, said string
		want                []string
	}{
		"end": {
			"Eva", "I play the piano and the cello.", "I gave up the cello.",
			[]string{
				"Eva plays the piano and the cello.: a part of it ended; what stays is: Eva plays the piano.",
				"Eva plays the piano and the cello.: a part of it stays; what ended is: Eva plays the cello.",
			},
		},
		"correction": {
			"Eva", "I play the piano and the cello.", "I misspoke: I don't play the cello.",
			[]string{"Eva plays the piano and the cello.: a part of it was taken back; what stays is: Eva plays the piano."},
		},
	} {
		var stored annals.Stored
		for i, text := range []string{tt.before, tt.said} {
			var err error
			stored, err = client.Add(t.Context(), annals.Episode{
				GroupID: name, Actor: tt.actor, Role: "user", Content: text, OccurredAt: time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := client.Process(t.Context(), name, nil); err != nil {
				t.Fatal(err)
			}
		}
		trace, err := client.Trace(t.Context(), name, stored.ID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range trace {
			if e.Decision == "mended" || e.Decision == "dropped" {
				got = append(got, e.Subject+": "+e.Reason)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
