package annals_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/retrieval"
)

// A speaker who gives her name late is one person before and after, offline. Nobody is taken for
// another person of that name, and a speaker with a name gets no second one.
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
			[]string{"Ana [Bob's sister]", "Bob []", "User []"},
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

// After a speaker gives her name, earlier facts show it from then on, at every interface. Earlier
// beliefs still show the role. Messages stay as they are.
func TestFactsTellANameThatIsSaidLate(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	said := []string{"I live in Paris.", "My mother has a dog.", "My sister Eva lives in Rome.", "I like the User Guide.", "By the way, I'm Ana.", "I moved to Lisbon.", "My mother likes tea.", "I like the User Guide."}
	ids := make([]uuid.UUID, len(said))
	var before time.Time
	for i, content := range said {
		if strings.Contains(content, "Ana") {
			before = time.Now()
		}
		added, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Role: "user", Content: content, OccurredAt: time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = added.ID
		if err := client.Process(t.Context(), "g", nil); err != nil {
			t.Fatal(err)
		}
	}
	told := func(known time.Time) (told []string) {
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "g", KnownAt: known})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if !slices.Contains(told, f.Told()) {
				told = append(told, f.Told())
			}
		}
		slices.Sort(told)
		return told
	}
	want := []string{"Ana likes the User Guide.", "Ana lives in Paris.", "Ana moved to Lisbon.", "Ana's mother has a dog.", "Ana's mother likes tea.", "Ana's sister Eva lives in Rome.", "Eva is Ana's sister."}
	if diff := cmp.Diff(want, told(time.Time{})); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Eva is User's sister.", "User likes the User Guide.", "User lives in Paris.", "User's mother has a dog.", "User's sister Eva lives in Rome."}, told(before)); diff != "" {
		t.Errorf("facts as known before (-want +got):\n%s", diff)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "g", Text: "Ana Paris", ValidAt: time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC), Scopes: []graph.Kind{graph.KindFact}, Methods: []retrieval.Method{retrieval.MethodTerms}})
	if err != nil || len(found.Facts) == 0 || found.Facts[0].Fact.Fact != "Ana lives in Paris." {
		t.Errorf("a search by the name finds %+v, %v", each.Of(found.Facts, func(h retrieval.FactHit) string { return h.Fact.Fact }), err)
	}
	text, err := client.Context(t.Context(), annals.Query{GroupID: "g", Text: "Where did Ana live?"})
	if err != nil || !strings.Contains(text, "Ana lives in Paris.") || strings.Contains(text, "User lives") || strings.Contains(text, "User's") {
		t.Errorf("the context is %s, %v", text, err)
	}
	for query, want := range map[string]int{
		`SELECT count(*) FROM annals.search('g', 'Ana Paris', valid_at => '2024-03-02Z') WHERE content = 'Ana lives in Paris.'`:        1,
		`SELECT count(*) FROM annals.facts_at('g') WHERE fact LIKE 'User%'`:                                                            0,
		`SELECT count(*) FROM annals.entities WHERE group_id = 'g' AND (name LIKE 'User''s%' OR summary ~ 'User(''s| lives)')`:         0,
		`SELECT count(*) FROM annals.entities WHERE group_id = 'g' AND name = 'Ana''s mother'`:                                         1,
		`SELECT count(*) FROM annals.episodes WHERE group_id = 'g' AND content = 'I live in Paris.' AND actor = ''`:                    1,
		`SELECT count(*) FROM annals.fact_versions WHERE group_id = 'g' AND fact = 'User lives in Paris.' AND NOT upper_inf(recorded)`: 1,
		`SELECT count(*) FROM annals.fact_episodes WHERE group_id = 'g' AND role = 'corrected'`:                                        0,
		`SELECT count(*) FROM annals.edits WHERE group_id = 'g'`:                                                                       0,
	} {
		if got := clienttest.Count(t, url, query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	if _, err := client.Undo(t.Context(), "g", ids[4]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Eva is User's sister.", "User likes the User Guide.", "User lives in Paris.", "User moved to Lisbon.", "User's mother has a dog.", "User's mother likes tea.", "User's sister Eva lives in Rome."}, told(time.Time{})); diff != "" {
		t.Errorf("facts without the introduction (-want +got):\n%s", diff)
	}
	if verified, err := service.New(client).Verify(t.Context(), "g", false); err != nil || len(verified.Broken()) > 0 {
		t.Errorf("verify: %+v, %v", verified.Broken(), err)
	}
}

// A name given by hand is shown like one that is said late. It is no edit of a fact: what ends the
// fact can be undone, and the fact then keeps the name.
func TestFactsTellANameThatIsGivenByHand(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	var moved uuid.UUID
	for i, content := range []string{"I live in Paris.", "My mother likes tea.", "I moved to Lisbon."} {
		added, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Actor: "Alice", Content: content, OccurredAt: time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		moved = added.ID
	}
	if err := client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	alice, err := client.Entity(t.Context(), "g", "Alice")
	if err != nil {
		t.Fatal(err)
	}
	told := func() (told []string) {
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "g"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			told = append(told, f.Fact+" "+f.When(time.Now()))
		}
		slices.Sort(told)
		return told
	}
	renamed, err := client.RenameEntity(t.Context(), "g", alice.ID, "Alice Stone")
	if err != nil || strings.Contains(renamed.Summary, "Alice moved") || !strings.Contains(renamed.Summary, "Alice Stone moved to Lisbon.") {
		t.Errorf("the renamed entity is %+v, %v", renamed, err)
	}
	want := []string{"Alice Stone lives in Paris. known from 1 March 2024 until 3 March 2024", "Alice Stone moved to Lisbon. known since 3 March 2024", "Alice Stone's mother likes tea. known since 2 March 2024"}
	if diff := cmp.Diff(want, told()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if _, err := client.Undo(t.Context(), "g", moved); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Alice Stone lives in Paris. known since 1 March 2024", want[2]}, told()); diff != "" {
		t.Errorf("facts without the move (-want +got):\n%s", diff)
	}
}

// A name given in one thread does not name speakers of the same role in other threads, before or
// after, unless the memory is that of one user.
func TestNamesThatAreSaidInOneConversation(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	if _, err := service.New(client).CreateUser(t.Context(), service.User{GroupID: "one-user"}); err != nil {
		t.Fatal(err)
	}
	type message struct{ thread, content string }
	for group, tt := range map[string]struct {
		said []message
		told []string
	}{
		"before": {
			[]message{{"a", "I live in Paris."}, {"b", "I like jazz."}, {"a", "By the way, I'm Ana."}, {"a", "I like tea."}, {"b", "I like chess."}},
			[]string{"Ana likes tea.", "Ana lives in Paris.", "User likes chess.", "User likes jazz."},
		},
		"after": {
			[]message{{"a", "I live in Paris."}, {"a", "By the way, I'm Ana."}, {"b", "My mother likes jazz."}, {"b", "I like chess."}, {"a", "I like tea."}},
			[]string{"Ana likes tea.", "Ana lives in Paris.", "User likes chess.", "User's mother likes jazz."},
		},
		"both": {
			[]message{{"a", "I live in Paris."}, {"b", "I live in Rome."}, {"a", "I'm Ana."}, {"b", "I'm Bob."}, {"b", "I like chess."}, {"a", "I like tea."}},
			[]string{"Ana likes tea.", "Ana lives in Paris.", "Bob likes chess.", "Bob lives in Rome."},
		},
		"spoken-of": {
			[]message{{"a", "I'm Ana."}, {"b", "Ana is my sister."}, {"b", "I like chess."}},
			[]string{"Ana is User's sister.", "User likes chess."},
		},
		"no-thread": {
			[]message{{"", "I live in Paris."}, {"", "I'm Ana."}, {"", "I like tea."}},
			[]string{"Ana likes tea.", "Ana lives in Paris."},
		},
		"one-user": {
			[]message{{"a", "I live in Paris."}, {"b", "I like jazz."}, {"a", "By the way, I'm Ana."}, {"c", "I like tea."}},
			[]string{"Ana likes jazz.", "Ana likes tea.", "Ana lives in Paris."},
		},
	} {
		for i, m := range tt.said {
			if _, err := client.Add(t.Context(), annals.Episode{
				GroupID: group, ThreadID: m.thread, Role: "user", Content: m.content, OccurredAt: time.Date(2024, 3, 1+i, 0, 0, 0, 0, time.UTC),
			}); err != nil {
				t.Fatal(err)
			}
			if err := client.Process(t.Context(), group, nil); err != nil {
				t.Fatal(err)
			}
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: group})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, f := range facts {
			if !strings.Contains(f.Fact, f.Source) {
				t.Errorf("%s: %q is a fact of %s", group, f.Fact, f.Source)
			}
			told = append(told, f.Fact)
		}
		slices.Sort(told)
		if diff := cmp.Diff(tt.told, told); diff != "" {
			t.Errorf("%s: facts (-want +got):\n%s", group, diff)
		}
		if verified, err := service.New(client).Verify(t.Context(), group, false); err != nil || len(verified.Broken()) > 0 {
			t.Errorf("%s: verify: %+v, %v", group, verified.Broken(), err)
		}
	}
}
