package annals_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Who says her name late is one person before and after, offline. Nobody is taken for somebody
// else of that name, and a speaker who has a name gets no second one.
func TestNamesThatAreSaidLate(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	for name, tt := range map[string]struct {
		said   []annals.Episode
		people []string // with their aliases
		ana    []string // predicates of facts of Ana
	}{
		"late": {
			[]annals.Episode{{Content: "I live in Paris."}, {Content: "By the way, I'm Ana."}, {Content: "I like tea."}},
			[]string{"Ana [User]"},
			[]string{"LIKES", "LIVES_IN"},
		},
		"late-and-again": {
			[]annals.Episode{{Content: "I live in Paris."}, {Content: "My name is Ana."}, {Content: "I'm Ana."}, {Content: "I like tea."}},
			[]string{"Ana [User]"},
			[]string{"LIKES", "LIVES_IN"},
		},
		"first": {
			[]annals.Episode{{Content: "My name is Ana."}, {Content: "I live in Paris."}},
			[]string{"Ana [User]"},
			[]string{"LIVES_IN"},
		},
		"known": { // Ana was spoken of as somebody else
			[]annals.Episode{{Actor: "Bob", Content: "My sister Ana lives in Rome."}, {Content: "I live in Paris."}, {Content: "I'm Ana."}},
			[]string{"Ana []", "Bob []", "User []"},
			[]string{"LIVES_IN"},
		},
		"another": { // a second user introduces himself
			[]annals.Episode{{Content: "I live in Paris."}, {Content: "I'm Ana."}, {Content: "I'm Bob."}},
			[]string{"Ana [User]", "Bob []"},
			[]string{"LIVES_IN", "NAMED"},
		},
		"speaker": { // has a name
			[]annals.Episode{{Actor: "Eva", Content: "I live in Paris."}, {Actor: "Eva", Content: "I'm Ana."}},
			nil, nil,
		},
	} {
		for i, e := range tt.said {
			e.GroupID, e.Role, e.OccurredAt = name, "user", time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC)
			if _, err := client.Add(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if err := client.Process(t.Context(), name, nil); err != nil {
				t.Fatal(err)
			}
		}
		entities, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: name})
		if err != nil {
			t.Fatal(err)
		}
		entities = slices.DeleteFunc(entities, func(e annals.Entity) bool { return !slices.Contains(e.Labels, "Person") })
		people := each.Of(entities, func(e annals.Entity) string { return fmt.Sprint(e.Name, " ", e.Aliases) })
		slices.Sort(people)
		if diff := cmp.Diff(tt.people, people); tt.people != nil && diff != "" {
			t.Errorf("%s: people (-want +got):\n%s", name, diff)
		}
		if name == "speaker" && slices.ContainsFunc(entities, func(e annals.Entity) bool { return slices.Contains(e.Aliases, "Ana") }) {
			t.Errorf("%s: %v", name, people)
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: name})
		if err != nil {
			t.Fatal(err)
		}
		var ana []string
		for _, f := range facts {
			if f.Source == "Ana" {
				ana = append(ana, f.Predicate)
			}
		}
		slices.Sort(ana)
		if diff := cmp.Diff(tt.ana, ana); tt.ana != nil && diff != "" {
			t.Errorf("%s: facts of Ana (-want +got):\n%s", name, diff)
		}
	}
}

// A trace says why a fact has other words: its speaker said her name, a part of it ended, or
// a part of it was taken back.
func TestTraceSaysWhyAFactIsReworded(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	for name, tt := range map[string]struct {
		actor, before, said string
		want                []string
	}{
		"introduction": {
			"", "I live in Paris.", "I'm Ana. I live in Paris.",
			[]string{"User is Ana.: it is how Ana is called", "User lives in Paris.: User is called Ana; it says now: Ana lives in Paris."},
		},
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
