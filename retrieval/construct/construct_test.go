package construct_test

import (
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/temporal"
)

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// lisbon is what a search may have found.
func lisbon() retrieval.Result {
	return retrieval.Result{
		Facts: []retrieval.FactHit{
			{Fact: graph.Fact{
				ID: uuid.MustParse("0199d1c0-4a10-7c3e-8f00-000000000001"), Source: "Alice", Predicate: "LIVES_IN", Target: "Lisbon",
				Fact: "Alice lives in Lisbon.", Valid: held(date(2024, 3, 8), time.Time{}),
				Episodes: []uuid.UUID{uuid.MustParse("0199d1bf-0000-7c3e-8f00-000000000003")},
			}},
			{Fact: graph.Fact{
				ID: uuid.MustParse("0199d1c0-4b77-7c3e-8f00-000000000002"), Source: "Alice", Predicate: "LIVES_IN", Target: "Paris",
				Fact: "Alice lives in Paris.", Valid: held(date(2023, 1, 10), date(2024, 3, 8)),
			}},
		},
		Entities: []retrieval.EntityHit{{Entity: graph.Entity{
			ID: uuid.MustParse("0199d1c0-4a10-7c3e-8f00-000000000004"), Name: "Alice", Labels: []string{"Person"}, Summary: "Alice lives in Lisbon.",
		}}},
		Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{
			ID: uuid.MustParse("0199d1bf-0000-7c3e-8f00-000000000003"), Actor: "Alice", Content: "I moved to\nLisbon last week.",
			OccurredAt: time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC),
		}}},
	}
}

// shown is what was found in the usual form.
func shown(r retrieval.Result) string {
	text, err := construct.Construction{}.Construct(r)
	if err != nil {
		panic(err)
	}
	return text
}

func ExampleConstruction() {
	fmt.Println(shown(lisbon()))
	// Output:
	// What is known; (…) first in a line says when it holds.
	// <FACTS>
	// - (since 8 March 2024) Alice lives in Lisbon.
	// - (from 10 January 2023 until 8 March 2024) Alice lives in Paris.
	// </FACTS>
	// <ENTITIES>
	// - Alice: Alice lives in Lisbon.
	// </ENTITIES>
	// <EPISODES>
	// 2024-03-15 09:30:
	// - Alice: I moved to Lisbon last week.
	// </EPISODES>
}

// A budget goes to the most useful hits: here it has room for the message and one fact, which gives
// the date.
func ExampleConstruction_budget() {
	text, err := construct.Construction{Tokens: 100}.Construct(lisbon())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)

	_, err = construct.Construction{Tokens: 10}.Construct(lisbon())
	fmt.Println(err)
	// Output:
	// What is known; (…) first in a line says when it holds.
	// <FACTS>
	// - (since 8 March 2024) Alice lives in Lisbon.
	// - (from 10 January 2023 until 8 March 2024) Alice lives in Paris.
	// </FACTS>
	// <EPISODES>
	// 2024-03-15 09:30:
	// - Alice: I moved to Lisbon last week.
	// </EPISODES>
	// tokens: is 10, but the context takes 14 without any hit; give at least 14
}

// Each line can be cited; ids made close to each other need more characters.
func ExampleConstruction_citations() {
	found := lisbon()
	text, err := construct.Construction{Citations: true, Words: true}.Construct(found)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)

	kind, id, ok := found.Cited("[f:0199d1c0-4b]")
	fmt.Println(kind, id, ok)
	// Output:
	// What is known; (…) first in a line says when it holds. Each line ends with the id of what it comes from.
	// <FACTS>
	// - (since 8 March 2024) Alice lives in Lisbon. [f:0199d1c0-4a]
	// - (from 10 January 2023 until 8 March 2024) Alice lives in Paris. [f:0199d1c0-4b]
	// </FACTS>
	// <ENTITIES>
	// - Alice: Alice lives in Lisbon. [n:0199d1c0]
	// </ENTITIES>
	// <EPISODES>
	// 15 March 2024, 09:30:
	// - Alice: I moved to Lisbon last week. [e:0199d1bf]
	// </EPISODES>
	// fact 0199d1c0-4b77-7c3e-8f00-000000000002 true
}

// A template of one's own. A mistake in it shows before anything is found.
func ExampleConstruction_template() {
	construction := construct.Construction{Template: `What I remember:
{{range .Facts}}* {{.Source}} {{.Predicate}} {{.Target}}{{with words .From}}, from {{.}} on{{end}}
{{else}}nothing
{{end}}`}
	text, err := construction.Construct(lisbon())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)

	construction.Template = "{{range .Facts}}\n{{.Sentence}}\n{{end}}"
	fmt.Println(construction.Validate())
	// Output:
	// What I remember:
	// * Alice LIVES_IN Lisbon, from 8 March 2024 on
	// * Alice LIVES_IN Paris, from 10 January 2023 on
	// template: line 2: <.Sentence>: can't evaluate field Sentence in type construct.ContextFact
}

func TestConstructionShowsDuplicatesOnce(t *testing.T) {
	t.Parallel()
	both := "Ann and Bo like tea."
	text, err := construct.Construction{Tokens: 1000}.Construct(retrieval.Result{Facts: []retrieval.FactHit{
		{Fact: graph.Fact{Fact: both, Source: "Ann"}},
		{Fact: graph.Fact{Fact: both, Source: "Bo"}},
		{Fact: graph.Fact{Fact: both, Valid: held(date(2024, 1, 1), time.Time{})}},
	}})
	if n := strings.Count(text, both); err != nil || n != 2 {
		t.Errorf("%d lines, error %v; want one for each time:\n%s", n, err, text)
	}
}

// The zero Construction and one with room for everything show the same.
func TestConstructionDefaults(t *testing.T) {
	t.Parallel()
	for _, found := range []retrieval.Result{{}, lisbon()} {
		for _, c := range []construct.Construction{{}, {Encoding: "cl100k_base"}, {Template: construct.DefaultTemplate}, {Tokens: 10_000}} {
			got, err := c.Construct(found)
			if diff := cmp.Diff(shown(found), got); err != nil || diff != "" {
				t.Errorf("%v: error %v, -want +got:\n%s", c, err, diff)
			}
		}
	}
}

func TestConstructionRefusesBadSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		construction construct.Construction
		field, want  string
	}{
		{construct.Construction{Tokens: -1}, "tokens", "is -1; give the most tokens the context may have, or 0 for no limit"},
		{construct.Construction{Encoding: "gpt2"}, "encoding", `"gpt2" is not known; use o200k_base or cl100k_base`},
	} {
		err := tt.construction.Validate()
		_, again := tt.construction.Construct(lisbon())
		var got *graph.Error
		if !errors.As(err, &got) || got.Code != graph.CodeInvalid || got.Field != tt.field || got.Message != tt.want {
			t.Errorf("got %v, want %s: %s", err, tt.field, tt.want)
		}
		if again == nil || again.Error() != err.Error() {
			t.Errorf("Construct says %v, Validate %v", again, err)
		}
	}
}

// held is an interval with bounds stated to the day.
func held(from, until time.Time) temporal.Validity {
	return temporal.Validity{
		Interval: temporal.Interval{Start: from, End: until}, From: temporal.StatedAt(from), Until: temporal.StatedAt(until),
	}
}
