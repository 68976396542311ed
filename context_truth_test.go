package annals_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
)

// overWords in a note say that something does not hold, or not yet.
var overWords = regexp.MustCompile(`\b(?:until|planned|taken back|called off|says otherwise|disputed|no longer|some time before|in \d{4})\b`)

// noteOf returns the note at the beginning of a line, or "".
func noteOf(line string) string {
	said := strings.TrimPrefix(line, "- ")
	if !strings.HasPrefix(said, "(") {
		return ""
	}
	note, _, _ := strings.Cut(strings.TrimPrefix(said, "("), ") ")
	return note
}

// For any facts, a context line that states one gives its time as the graph has it, and says if it
// has ended or is still to begin. Withdrawn facts are not shown.
func TestContextTellsEachFactWithItsTime(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	ctx, n := t.Context(), 0
	day := func(d int) time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, d) }
	rapid.Check(t, func(t *rapid.T) {
		n++
		group, withdrawn := fmt.Sprintf("facts-%d", n), map[string]bool{}
		for i := range rapid.IntRange(1, 8).Draw(t, "facts") {
			from := rapid.IntRange(0, 2000).Draw(t, "from")
			triple := annals.Triple{
				GroupID: group, Source: graph.TripleEnd{Name: "Ann"}, Target: graph.TripleEnd{Name: rapid.SampledFrom([]string{"Porto", "Oslo", "Bergen"}).Draw(t, "where")},
				Predicate: rapid.SampledFrom([]string{"LIVES_IN", "WORKS_IN", "LIKES"}).Draw(t, "relation"), ValidAt: day(from), OccurredAt: day(from),
			}
			triple.Fact = fmt.Sprintf("Ann has to do with %s by x%dx.", triple.Target.Name, i)
			if rapid.Bool().Draw(t, "ends") {
				triple.InvalidAt = day(from + rapid.IntRange(1, 900).Draw(t, "days"))
			}
			added, err := client.AddTriple(ctx, triple)
			if annals.CodeOf(err) == annals.CodeConflict {
				continue // it was withdrawn
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 4).Draw(t, "withdraws") == 0 && added.FactID != uuid.Nil {
				if err := client.WithdrawFact(ctx, group, added.FactID); err != nil {
					t.Fatal(err)
				}
				withdrawn[triple.Fact] = true
			}
		}
		facts, err := client.Facts(ctx, annals.FactFilter{GroupID: group})
		if err != nil {
			t.Fatal(err)
		}
		at := day(rapid.IntRange(0, 3000).Draw(t, "at"))
		for _, question := range []string{"Where does Ann live?", "Where did Ann live before?", "What has Ann to do with Porto?", "Who is Ann?"} {
			text, err := client.Context(ctx, annals.Query{GroupID: group, Text: question, AskedAt: at})
			if err != nil {
				t.Fatal(err)
			}
			for sentence := range withdrawn {
				if stated(facts, sentence) {
					continue // it was said again by another relation
				}
				if line := lineOf(text, sentence); line != "" && !overWords.MatchString(noteOf(line)) {
					t.Fatalf("%s was withdrawn:\n%s", sentence, text)
				}
			}
			told, said, _ := strings.Cut(text, "<EPISODES>")
			for _, f := range facts {
				over := f.Ended(at) || f.Valid.Start.After(at)
				if line := lineOf(said, f.Fact); line != "" && f.Ended(at) && !overWords.MatchString(noteOf(line)) {
					t.Fatalf("asked %q at %s: %q does not say that it is over:\n%s", question, at, line, text)
				}
				line := lineOf(told, f.Fact)
				if line == "" {
					continue
				}
				if note := noteOf(line); !heldSo(facts, f.Fact, note, at) || over && !overWords.MatchString(note) {
					t.Fatalf("asked %q at %s: %q does not say %q:\n%s", question, at, line, f.When(at), text)
				}
			}
		}
	})
}

// heldSo reports whether one of the facts of a sentence holds at the time in a note.
func heldSo(facts []annals.Fact, sentence, note string, at time.Time) bool {
	for _, f := range facts {
		if f.Fact == sentence && strings.HasPrefix(note, f.When(at)) {
			return true
		}
	}
	return false
}

func stated(facts []annals.Fact, sentence string) bool {
	for _, f := range facts {
		if f.Fact == sentence {
			return true
		}
	}
	return false
}

// lineOf returns the line of a text with some words, or "".
func lineOf(text, says string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, says) {
			return strings.TrimSuffix(line, "\n")
		}
	}
	return ""
}

// For any messages about a home and a job, in any order, no shown message states what the graph
// holds to be over without saying so.
func TestContextMarksWhatMessagesSay(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		group := fmt.Sprintf("said-%d", n)
		places := []string{"Porto", "Oslo", "Bergen", "Lyon"}
		for i := range rapid.IntRange(2, 7).Draw(rt, "messages") {
			place := rapid.SampledFrom(places).Draw(rt, "place")
			at := time.Date(2024, 1, 10+rapid.IntRange(0, 300).Draw(rt, "day"), 9, i, 0, 0, time.UTC)
			content := rapid.SampledFrom([]string{
				"I live in " + place + ".", "I moved to " + place + " last month.", "I have lived in " + place + " since May 2023.",
				"I no longer live in " + place + ".", "I misspoke: I moved to " + place + " on 3 January 2024.", "I am moving to " + place + " next month.",
			}).Draw(rt, "content")
			episode := annals.Episode{GroupID: group, Content: content, Actor: "Ann", Role: "user", OccurredAt: at, ThreadID: "talk"}
			if _, err := client.Add(t.Context(), episode); err != nil {
				rt.Fatal(err)
			}
			if err := client.Process(t.Context(), group, nil); err != nil {
				rt.Fatal(err)
			}
		}
		at := time.Date(2024, 12, 30, 0, 0, 0, 0, time.UTC)
		now, err := client.Facts(t.Context(), annals.FactFilter{GroupID: group, ValidAt: at})
		if err != nil {
			rt.Fatal(err)
		}
		home := map[string]bool{}
		for _, f := range now {
			home[f.Target] = home[f.Target] || f.Predicate == "LIVES_IN"
		}
		text, err := client.Context(t.Context(), annals.Query{GroupID: group, Text: "Where does Ann live?", AskedAt: at})
		if err != nil {
			rt.Fatal(err)
		}
		for line := range strings.Lines(text) {
			_, said, _ := strings.Cut(line, "Ann: ")
			for _, place := range places {
				states := strings.Contains(said, "live in "+place) && !strings.Contains(said, "no longer") || strings.Contains(said, "lived in "+place) || strings.Contains(said, "moved to "+place)
				if states && !home[place] && !overWords.MatchString(noteOf(line)) {
					rt.Fatalf("%q is over, and its line does not say so:\n%s", place, text)
				}
			}
		}
	})
}
