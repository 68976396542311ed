package construct_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/temporal"
)

// related makes results whose facts are stated by their episodes, some of which
// answer a question.
func related() *rapid.Generator[retrieval.Result] {
	return rapid.Custom(func(t *rapid.T) retrieval.Result {
		r := retrieval.Result{Asked: "Does Ann like the rain in Lisbon?"}
		for i := range rapid.IntRange(1, 8).Draw(t, "episodes") {
			at := march.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "hours")) * time.Hour)
			e := said(byte(2*i+2), rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "thread"), "Ann", fmt.Sprintf("#e%d %s", i, sentences(1, 9).Draw(t, "content")), at)
			if rapid.Bool().Draw(t, "answers") {
				question := said(byte(2*i+1), e.ThreadID, "Ben", "Hello. Does it rain?", at.Add(-time.Duration(i)*time.Minute)).Episode
				e.ReplyTo = &question
			}
			r.Episodes = append(r.Episodes, e)
		}
		for i := range rapid.IntRange(0, 8).Draw(t, "facts") {
			of := r.Episodes[rapid.IntRange(0, len(r.Episodes)-1).Draw(t, "of")]
			sentence := rapid.SampledFrom([]string{strings.SplitAfter(of.Content, ".")[0], "Ann likes rain.", "It snows."}).Draw(t, "sentence")
			fact := stated("Ann", fmt.Sprintf("%s #f%d", sentence, i), temporal.SaidSince(of.OccurredAt), of.ID[15])
			fact.Answers = rapid.Bool().Draw(t, "answers")
			r.Facts = append(r.Facts, fact)
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "entities") {
			r.Entities = append(r.Entities, retrieval.EntityHit{Entity: graph.Entity{Name: fmt.Sprintf("#n%d", i), Summary: sentences(0, 4).Draw(t, "summary")}})
		}
		return r
	})
}

// The budget is kept also if facts replace episodes and episodes bring their questions. Without a
// budget, every fact that is left out has its episode.
func TestBudgetHoldsForWhatBelongsTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := related().Draw(t, "found")
		c := construct.Construction{
			Tokens: rapid.IntRange(17, 600).Draw(t, "tokens"), Citations: rapid.Bool().Draw(t, "citations"), Words: rapid.Bool().Draw(t, "words"),
		}
		if c.Citations {
			c.Tokens += 20
		}
		text, err := c.Construct(r)
		if err != nil {
			t.Fatal(err)
		}
		if n := tokensIn(t, text); n > c.Tokens {
			t.Fatalf("%d tokens of %d:\n%s", n, c.Tokens, text)
		}
		c.Tokens = 100_000
		roomy, err := c.Construct(r)
		if err != nil {
			t.Fatal(err)
		}
		c.Tokens = 0
		whole, err := c.Construct(r)
		if err != nil || roomy != whole {
			t.Fatalf("%v: with much room\n%s\nwithout limit\n%s", err, roomy, whole)
		}
		for i, e := range r.Episodes {
			if strings.Count(whole, fmt.Sprintf("#e%d ", i)) == 0 && !slices.ContainsFunc(r.Facts, func(f retrieval.FactHit) bool { return slices.Contains(f.Episodes, e.ID) }) {
				t.Fatalf("%s is not shown:\n%s", e.Content, whole)
			}
		}
		checkFacts(t, r, whole)
	})
}

// checkFacts checks that each fact is shown once, is said by its episode, or has no word of the
// question; and that every fact that answers is shown.
func checkFacts(t *rapid.T, r retrieval.Result, text string) {
	contents := map[uuid.UUID]string{}
	for _, e := range r.Episodes {
		contents[e.ID] = e.Content
	}
	for i, f := range r.Facts {
		mark := fmt.Sprintf("#f%d", i)
		said := strings.HasPrefix(contents[f.Episodes[0]], strings.TrimSuffix(f.Fact.Fact, " "+mark))
		beside := !strings.Contains(f.Fact.Fact, "rain") && !strings.Contains(f.Fact.Fact, "Lisbon")
		if shown := strings.Count(text, mark); shown > 1 || shown == 0 && (f.Answers || !said && !beside) {
			t.Fatalf("%s is shown %d times:\n%s", f.Fact.Fact, shown, text)
		}
	}
}
