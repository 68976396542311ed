package offline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

var _ analyst.Analyst = offline.New()

// A Friday.
var said = time.Date(2024, 3, 15, 10, 30, 0, 0, time.UTC)

// fromAlice is what Alice says to Bob.
func fromAlice(content string) prompts.Episode {
	return prompts.Episode{
		Source: "message", Speaker: "Alice", Content: content, OccurredAt: said,
		Previous: []prompts.Message{{Speaker: "Bob", Content: "And you?"}, {Speaker: "Alice", Content: "Well."}},
	}
}

// extract asks both questions in turn, as the pipeline does.
func extract(t testing.TB, e prompts.Episode) ([]prompts.NamedEntity, []prompts.ExtractedFact) {
	t.Helper()
	a := offline.New()
	found, err := a.ExtractEntities(t.Context(), prompts.ExtractEntities{Episode: e})
	if err != nil {
		t.Fatal(err)
	}
	var entities []prompts.NamedEntity
	for i, n := range found.Entities {
		entities = append(entities, prompts.NamedEntity{ID: i + 1, Name: n.Name, Label: n.Label})
	}
	facts, err := a.ExtractFacts(t.Context(), prompts.ExtractFacts{Episode: e, Entities: entities})
	if err != nil {
		t.Fatal(err)
	}
	return entities, facts.Facts
}

// inWords writes a fact as source PREDICATE target [from, until). It writes "now" for the time of
// the message, the precision of stated dates, "once" for events, and an exclamation mark for a fact
// that ends another.
func inWords(entities []prompts.NamedEntity, f prompts.ExtractedFact) string {
	return inWordsAt(entities, f, said)
}

// inWordsAt writes a fact that was said at another time.
func inWordsAt(entities []prompts.NamedEntity, f prompts.ExtractedFact, said time.Time) string {
	mark, once := "", ""
	if f.Ends {
		mark = "!"
	}
	if f.Kind == prompts.Event {
		once = "once "
	}
	return fmt.Sprintf("%s %s%s %s %s%s", entities[f.Source-1].Name, f.Predicate, mark, entities[f.Target-1].Name, once, stretch(*f.Valid, said))
}

func stretch(v temporal.Validity, said time.Time) string {
	end := func(t time.Time, b temporal.Bound) string {
		switch {
		case t.IsZero():
			return "…"
		case b.Basis == temporal.Said && t.Equal(said):
			return "now"
		case b.Basis != temporal.Stated:
			return fmt.Sprint(t, b)
		}
		return fmt.Sprintf("%s/%s", t.Format(time.DateOnly), b.Precision)
	}
	return "[" + end(v.Start, v.From) + ", " + end(v.End, v.Until) + ")"
}

func TestExtractFacts(t *testing.T) {
	t.Parallel()
	for _, tt := range factCases {
		t.Run(tt.said, func(t *testing.T) {
			t.Parallel()
			entities, facts := extract(t, fromAlice(tt.said))
			var got []string
			for _, f := range facts {
				got = append(got, inWords(entities, f))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

// A message of which only the day is known has that day's midnight as its time: an event of
// "this morning" happened on that day and is no plan.
func TestOnlyTheDayIsKnown(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"My car broke down this morning.":     "Alice HAS_PROBLEM_WITH car [2024-03-15/day, …)",
		"This morning I met Sam at the gym.":  "Alice MEETS Sam once [2024-03-15/day, 2024-03-16/day)",
		"I bought a bicycle today.":           "Alice HAS bicycle [2024-03-15/day, …)",
		"I moved to Lisbon today.":            "Alice LIVES_IN Lisbon [2024-03-15/day, …)",
		"I'm meeting Sam tonight.":            "Alice MEETS Sam once [2024-03-15/day, 2024-03-16/day)",
		"I met Sam yesterday evening at six.": "Alice MEETS Sam once [2024-03-14/instant, 2024-03-14/instant)",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			e := fromAlice(said)
			e.OccurredAt = e.OccurredAt.Truncate(24 * time.Hour)
			entities, facts := extract(t, e)
			if len(facts) != 1 {
				t.Fatalf("%d facts", len(facts))
			}
			if got := inWordsAt(entities, facts[0], e.OccurredAt); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestFactsStandAlone(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"I live in Paris.":                                         "Alice lives in Paris.",
		"Hey Bob, I'm a nurse!":                                    "Alice is a nurse.",
		"Well, I've been learning Spanish 🎉":                       "Alice has been learning Spanish.",
		"I don't eat meat":                                         "Alice does not eat meat.",
		"Last week my sister Anna visited me.":                     "Last week Alice's sister Anna visited Alice.",
		"You told me that you live in Rome. You live in Rome.":     "Bob lives in Rome.",
		"We went to Oslo, and we really liked Oslo.":               "Alice really liked Oslo.",
		"Yeah, totally! I also play the violin.":                   "Alice also plays the violin.",
		"Bob and I are married.":                                   "Bob and Alice are married.",
		"The printer is broken.":                                   "Alice's printer is broken.",
		"My sister Anna lives in Bonn. She's studying law.":        "Anna is studying law.",
		"I bought a \"Smile, I'm here\" mug for my friend Ben.":    "Alice bought a \"Smile, I'm here\" mug for Alice's friend Ben.",
		"Sorry, I meant my phone number is 555-0199.":              "Alice's phone number is 555-0199.",
		"Visited the US with my wife Eva in 2019.":                 "Alice visited the US with Alice's wife Eva in 2019.",
		"I have an appointment with Dr. Alves at noon.":            "Alice has an appointment with Dr. Alves at noon.",
		"I moved here in 2020 — I work at Acme.":                   "Alice works at Acme.",
		"When I was a child, I lived in Nairobi.":                  "Alice lived in Nairobi.",
		"I'm tired, but I love my job and I enjoy teaching maths.": "Alice enjoys teaching maths.",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			_, facts := extract(t, fromAlice(said))
			if len(facts) == 0 {
				t.Fatal("no facts")
			}
			if got := facts[len(facts)-1].Fact; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestExtractEntities(t *testing.T) {
	t.Parallel()
	for said, want := range map[string][]string{
		"Hey Mel! How are you?":                                   {"Alice/Person", "Mel/Person"},
		"Thanks, Caroline! That means a lot.":                     {"Alice/Person", "Caroline/Person"},
		"Running late. Painting helps. Monday works.":             {"Alice/Person"},
		"Absolutely! Wow. May I come on Friday in June?":          {"Alice/Person"},
		"We saw the new LGBTQ support group downtown.":            {"Alice/Person", "LGBTQ support group/Organization"},
		"The University of Lisbon is old, New York City is big.":  {"Alice/Person", "University of Lisbon/Organization", "New York City/Place"},
		"Dr. Alan Grant called.":                                  {"Alice/Person", "Dr. Alan Grant/Person"},
		"Have you read \"The Great Gatsby\"?":                     {"Alice/Person", "The Great Gatsby/Title"},
		"Does the LaserJet 400 print?":                            {"Alice/Person", "LaserJet 400/"},
		"Ask @jane_doe or write to jane@example.org.":             {"Alice/Person", "jane@example.org/Email", "@jane_doe/"},
		"Did my sister Anna call?":                                {"Alice/Person", "Anna/Person"},
		"Is NASA hiring? I would like to know, I AM SO HAPPY":     {"Alice/Person", "NASA/"},
		"THIS IS ALL IN CAPITALS SO NOBODY IS NAMED":              {"Alice/Person"},
		"Our iPhone 15 and the PS5 are from Best Buy.":            {"Alice/Person", "iPhone 15/", "PS5/", "Best Buy/"},
		"I met Anna 3 times in Paris 2024.":                       {"Alice/Person", "Anna/", "Paris/Place"},
		"Ich wohne in Berlin und arbeite bei Siemens.":            {"Alice/Person", "Berlin/Place", "Siemens/"},
		"J'habite à Lyon avec mon amie Élodie.":                   {"Alice/Person", "Lyon/Place", "Élodie/"},
		"我住在北京。":                                                  {"Alice/Person"},
		"":                                                        {"Alice/Person"},
		"Caroline's paintings are lovely, and Rome is too.":       {"Alice/Person", "Caroline/", "Rome/Place"},
		"Will the river rise? The river is high. River is a word": {"Alice/Person"},
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			entities, _ := extract(t, fromAlice(said))
			var got []string
			for _, e := range entities {
				got = append(got, e.Name+"/"+e.Label)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("entities (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTranscriptIsReadLineByLine(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"message", "text"} {
		entities, facts := extract(t, prompts.Episode{
			Source: source, OccurredAt: said,
			Content: "Ann Lee: I live in Oslo.\nBen: I work at Acme.\nAnd you live in Oslo.\nNote: I like tea.\n",
		})
		var got []string
		for _, f := range facts {
			got = append(got, inWords(entities, f))
		}
		want := []string{
			"Ann Lee LIVES_IN Oslo [now, …)", "Ben WORKS_AT Acme [now, …)", "Ben LIKES tea [now, …)",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}

func TestSpeakerPrefixNamesTheSpeaker(t *testing.T) {
	t.Parallel()
	entities, facts := extract(t, prompts.Episode{Source: "message", Content: "Alice: I live in Paris.", OccurredAt: said})
	if len(facts) != 1 || inWords(entities, facts[0]) != "Alice LIVES_IN Paris [now, …)" {
		t.Errorf("got %v of %v", facts, entities)
	}
}

func TestTextWithoutSpeaker(t *testing.T) {
	t.Parallel()
	entities, facts := extract(t, prompts.Episode{
		Source: "text", OccurredAt: said,
		Content: "Ada Lovelace was born in London. She married William King in 1835.\nI live in Rome.",
	})
	var got []string
	for _, f := range facts {
		got = append(got, inWords(entities, f))
	}
	want := []string{"Ada Lovelace BORN_IN London once […, now)", "Ada Lovelace MARRIED_TO William King [1835-01-01/year, …)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestManyNamesAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "I saw Name%c%c. ", 'a'+i/26, 'a'+i%26)
	}
	entities, _ := extract(t, fromAlice(b.String()))
	if len(entities) > 13 {
		t.Errorf("%d entities of one message", len(entities))
	}
}

func TestLongTextsAreReadInPart(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("I like tea. ", 1<<20/12) + "I live in Paris."
	entities, facts := extract(t, fromAlice(content))
	for _, f := range facts {
		if f.Predicate == "LIVES_IN" {
			t.Errorf("read to the end of %d bytes", len(content))
		}
	}
	if len(facts) == 0 || len(entities) == 0 {
		t.Error("nothing of the beginning was read")
	}
}

// Endless repetition must not take endless time: with more than linear work this test would not
// return.
func TestHostileTexts(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, part := range []string{"A ", "Dr. ", "A: b\n", "\"A\" ", "and I "} {
		e := fromAlice(strings.Repeat(part, 1<<17/len(part)))
		extract(t, e)
		e.Speaker = ""
		extract(t, e)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for _, tt := range factCases {
				extract(t, fromAlice(tt.said))
			}
		})
	}
	wg.Wait()
}

func TestStopsWhenTheContextIsDone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := offline.New()
	_, entities := a.ExtractEntities(ctx, prompts.ExtractEntities{})
	_, facts := a.ExtractFacts(ctx, prompts.ExtractFacts{})
	_, resolved := a.ResolveEntities(ctx, prompts.ResolveEntities{})
	_, judged := a.ResolveFacts(ctx, prompts.ResolveFacts{})
	_, summaries := a.SummariseEntities(ctx, prompts.SummariseEntities{})
	for _, err := range []error{entities, facts, resolved, judged, summaries} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// A word at the head of a sentence is a name if an earlier message has it capitalised within a
// sentence.
func TestNamesOfBefore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Karim isn't allergic to peanuts after all.": true,
		"Hazelnuts are worse. Karim knows.":          true,
		"Peanuts are fine.":                          false,
		"Tuesday it rains.":                          false,
	} {
		e := prompts.Episode{
			Source: "message", Speaker: "Omar", Content: text, OccurredAt: said,
			Previous: []prompts.Message{{Speaker: "Omar", Content: "My son Karim has a peanut allergy. Peanuts are banned since last Tuesday.", OccurredAt: said}},
		}
		found, err := offline.New().ExtractEntities(t.Context(), prompts.ExtractEntities{Episode: e})
		if err != nil {
			t.Fatal(err)
		}
		named := slices.ContainsFunc(found.Entities, func(e prompts.ExtractedEntity) bool { return e.Name != "Omar" })
		if named != want {
			t.Errorf("%q: %+v", text, found.Entities)
		}
	}
}

// "He" at the head of a message is the one person whom the message before names, if nothing speaks
// against it.
func TestHeOfBefore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, text, want string }{
		{"My son Jonas starts school.", "He is allergic to peanuts.", "Jonas ALLERGIC_TO peanuts"},
		{"My sister Ann lives in Rome.", "He is allergic to peanuts.", ""},
		{"I met Tom and Ben.", "He is allergic to peanuts.", ""},
	} {
		e := prompts.Episode{
			Source: "message", Speaker: "Lee", Content: tt.text, OccurredAt: said,
			Previous: []prompts.Message{{Speaker: "Lee", Content: tt.before, OccurredAt: said}},
		}
		if got := firstFact(t, e); got != tt.want {
			t.Errorf("%q after %q: %q, want %q", tt.text, tt.before, got, tt.want)
		}
	}
}

// A speaker whose name is written small, such as "user", is read like any other, and keeps the
// spelling.
func TestASpeakerInSmallLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"My name is Sarah.":            "user NAMED Sarah",
		"My favorite color is blue.":   "user FAVORITE_COLOR blue",
		"I'm 34 years old.":            "user AGE 34",
		"I'm Maria, a nurse at Mercy.": "user NAMED Maria",
	} {
		if got := firstFact(t, prompts.Episode{Source: "message", Speaker: "user", Content: text, OccurredAt: said}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// firstFact returns the ends and the predicate of the first fact of an episode; empty: it has none.
func firstFact(t *testing.T, e prompts.Episode) string {
	t.Helper()
	found, err := offline.New().ExtractEntities(t.Context(), prompts.ExtractEntities{Episode: e})
	if err != nil {
		t.Fatal(err)
	}
	q := prompts.ExtractFacts{Episode: e}
	for i, entity := range found.Entities {
		q.Entities = append(q.Entities, prompts.NamedEntity{ID: i + 1, Name: entity.Name})
	}
	facts, err := offline.New().ExtractFacts(t.Context(), q)
	if err != nil || len(facts.Facts) == 0 {
		return ""
	}
	f := facts.Facts[0]
	return q.Entities[f.Source-1].Name + " " + f.Predicate + " " + q.Entities[f.Target-1].Name
}
