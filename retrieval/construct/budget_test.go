package construct_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/temporal"
)

// tokensIn counts a whole text at once, as a model does.
func tokensIn(t interface{ Fatal(...any) }, text string) int {
	n, err := o200k.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var o200k = func() tokenizer.Codec {
	c, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		panic(err)
	}
	return c
}()

// sentences writes so many, of some words each.
func sentences(fewest, most int) *rapid.Generator[string] {
	words := []string{"Lisbon", "rain", "to", "the", "extraordinarily", "世界", "12", "<b>", "tea,", "Zürich", "{{x}}"}
	sentence := rapid.Custom(func(t *rapid.T) string {
		return "It " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words"), " ") + "."
	})
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(sentence, fewest, most).Draw(t, "sentences")
		return strings.Join(parts, rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(t, "between"))
	})
}

// found makes results with a mark such as #f2 in every hit, and with episodes of at most longest
// sentences.
func found(longest int) *rapid.Generator[retrieval.Result] {
	return rapid.Custom(func(t *rapid.T) retrieval.Result {
		var r retrieval.Result
		for i := range rapid.IntRange(0, 8).Draw(t, "facts") {
			f := graph.Fact{Fact: fmt.Sprintf("#f%d %s", i, sentences(1, 4).Draw(t, "fact"))}
			f.Valid = temporal.SaidSince(date(2024, 1, 1+i))
			r.Facts = append(r.Facts, retrieval.FactHit{Fact: f})
		}
		for i := range rapid.IntRange(0, 8).Draw(t, "entities") {
			e := graph.Entity{Name: fmt.Sprintf("#n%d", i), Summary: sentences(0, 4).Draw(t, "summary")}
			r.Entities = append(r.Entities, retrieval.EntityHit{Entity: e})
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "communities") {
			c := graph.Community{Name: fmt.Sprintf("#c%d", i), Summary: sentences(0, 4).Draw(t, "summary")}
			r.Communities = append(r.Communities, retrieval.CommunityHit{Community: c})
		}
		for i := range rapid.IntRange(0, 8).Draw(t, "episodes") {
			e := graph.Episode{ID: uuid.UUID{15: byte(i + 1)}, Actor: fmt.Sprintf("#e%d", i), Content: fmt.Sprintf("#e%d ", i) + sentences(1, longest).Draw(t, "content"), OccurredAt: date(2024, 1, 1)}
			r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: e})
		}
		return r
	})
}

// inOrder calls add with each hit of a result, by marks such as f2.
func inOrder(r retrieval.Result, marks []string, add func(mark string, with func(*retrieval.Result))) {
	for _, mark := range marks {
		i := int(mark[1] - '0')
		add("#"+mark, map[byte]func(*retrieval.Result){
			'f': func(to *retrieval.Result) { to.Facts = append(to.Facts, r.Facts[i]) },
			'n': func(to *retrieval.Result) { to.Entities = append(to.Entities, r.Entities[i]) },
			'c': func(to *retrieval.Result) { to.Communities = append(to.Communities, r.Communities[i]) },
			'e': func(to *retrieval.Result) { to.Episodes = append(to.Episodes, r.Episodes[i]) },
		}[mark[0]])
	}
}

// byRank is the order of hits for a custom template: the first of each scope, then the second of
// each.
func byRank(r retrieval.Result) (marks []string) {
	for i := range max(len(r.Facts), len(r.Entities), len(r.Communities), len(r.Episodes)) {
		for _, scope := range []struct {
			letter string
			n      int
		}{{"f", len(r.Facts)}, {"n", len(r.Entities)}, {"c", len(r.Communities)}, {"e", len(r.Episodes)}} {
			if i < scope.n {
				marks = append(marks, fmt.Sprintf("%s%d", scope.letter, i))
			}
		}
	}
	return marks
}

// The default form takes a fact, three episodes, a fact, and so on.
func TestOrderOfTheDefaultForm(t *testing.T) {
	t.Parallel()
	var r retrieval.Result
	for i := range 9 {
		word := string(rune('a' + i))
		r.Facts = append(r.Facts, retrieval.FactHit{Fact: graph.Fact{Fact: word}})
		r.Entities = append(r.Entities, retrieval.EntityHit{Entity: graph.Entity{Name: word}})
		r.Communities = append(r.Communities, retrieval.CommunityHit{Community: graph.Community{Name: word}})
		r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{Content: word}})
	}
	want := "f0 e0 e1 e2 f1 e3 e4 e5 f2 e6 e7 n0 e8 f3"
	if got := strings.Join(construct.Queue(r), " "); !strings.HasPrefix(got, want) || len(construct.Queue(r)) != 36 {
		t.Errorf("%s\nwant %s …", got, want)
	}
}

// Without long contents, a budget is spent as if each hit were tried in turn and the whole string
// counted each time.
func TestBudgetIsSpentInOrder(t *testing.T) {
	t.Parallel()
	const rare = "{{range .Facts}}{{.Fact}} {{.From.Year}} {{end}}|{{range .Entities}}\n/{{.Name}} {{.Summary}}{{end}}" +
		"{{range .Communities}}\r\n {{.Name}}{{end}}{{range .Episodes}}\n\n{{.Content}} {{.Speaker}}{{end}}"
	rapid.Check(t, func(t *rapid.T) {
		all := found(1).Draw(t, "found")
		form := construct.Construction{
			Template: rapid.SampledFrom([]string{"", rare}).Draw(t, "template"), Words: rapid.Bool().Draw(t, "words"),
		}
		marks := byRank(all)
		if form.Template == "" {
			marks = construct.Queue(all)
		}
		budgeted := form
		budgeted.Tokens = rapid.IntRange(39, 600).Draw(t, "tokens")

		var kept retrieval.Result
		misses := 0 // in a row
		inOrder(all, marks, func(_ string, with func(*retrieval.Result)) {
			if misses == 16 {
				return
			}
			misses++
			trial := kept
			trial.Facts, trial.Entities = slices.Clone(kept.Facts), slices.Clone(kept.Entities)
			trial.Communities, trial.Episodes = slices.Clone(kept.Communities), slices.Clone(kept.Episodes)
			with(&trial)
			if text, err := form.Construct(trial); err != nil {
				t.Fatal(err)
			} else if tokensIn(t, text) <= budgeted.Tokens {
				kept, misses = trial, 0
			}
		})
		if form.Template == "" && len(marks) > 0 && reflect.DeepEqual(kept, retrieval.Result{}) {
			return // nothing fits, which is not that nothing is known
		}
		want, err := form.Construct(kept)
		if err != nil {
			t.Fatal(err)
		}
		got, err := budgeted.Construct(all)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%d tokens, error %v, -want +got:\n%s", budgeted.Tokens, err, diff)
		}
	})
}

// lineWith is the line of a text that begins with a mark, after its note; empty if none
// does.
func lineWith(text, mark string) string {
	for line := range strings.Lines(text) {
		said := strings.TrimPrefix(line, "- ")
		if strings.HasPrefix(said, "(") {
			_, said, _ = strings.Cut(said, ") ")
		}
		if strings.HasPrefix(line, "- ") && strings.HasPrefix(said, mark) {
			return line
		}
	}
	return ""
}

// Whatever the hits are, the budget is kept, every line is whole or cut after a sentence, and a
// larger budget shows more at the first difference.
func TestBudgetHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := found(60).Draw(t, "found")
		less := rapid.IntRange(20, 1500).Draw(t, "tokens")
		more := less + rapid.IntRange(1, 300).Draw(t, "more")
		render := func(budget int) string {
			text, err := construct.Construction{Tokens: budget}.Construct(all)
			if err != nil {
				t.Fatal(err)
			}
			again, err := construct.Construction{Tokens: budget}.Construct(all)
			if err != nil || again != text {
				t.Fatalf("the second time, error %v and\n%s\nafter\n%s", err, again, text)
			}
			if n := tokensIn(t, text); n > budget {
				t.Fatalf("%d tokens of %d:\n%s", n, budget, text)
			}
			return text
		}
		small, large, whole := render(less), render(more), shown(all)
		same := true
		inOrder(all, construct.Queue(all), func(mark string, _ func(*retrieval.Result)) {
			a, b, full := lineWith(small, mark), lineWith(large, mark), lineWith(whole, mark)
			if same && len(b) < len(a) {
				t.Fatalf("with %d tokens\n%swith %d\n%s", less, a, more, b)
			}
			same = same && a == b
			for i, line := range []string{a, b} {
				checkLine(t, []int{less, more}[i], mark, line, full)
			}
		})
	})
}

// checkLine checks that a line is absent, whole, or the beginning of an episode up to a sentence,
// within its share.
func checkLine(t *rapid.T, budget int, mark, line, full string) {
	start, cut := strings.CutSuffix(line, " …\n")
	episode := strings.HasPrefix(mark, "#e")
	switch {
	case line == "" || line == full && !episode:
	case cut && (!episode || !strings.HasPrefix(full, start+" ") || !strings.HasSuffix(start, ".")):
		t.Fatalf("%q is cut to %q", full, line)
	case !cut && line != full:
		t.Fatalf("%q became %q", full, line)
	}
	_, content, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
	if n := tokensIn(t, content); episode && n > max(budget/4, 32)+1 { // one for a break that became a space
		t.Fatalf("%d tokens of %d are %q", n, budget, line)
	}
}

func TestBudgetTooSmall(t *testing.T) {
	t.Parallel()
	_, err := construct.Construction{Tokens: 13}.Construct(lisbon())
	var invalid *graph.Error
	want := "is 13, but the context takes 14 without any hit; give at least 14"
	if !errors.As(err, &invalid) || invalid.Code != graph.CodeInvalid || invalid.Field != "tokens" || invalid.Message != want {
		t.Errorf("got %v, want tokens: %s", err, want)
	}
	text, err := construct.Construction{Tokens: 14}.Construct(lisbon())
	if want := "What is known; (…) first in a line says when it holds.\n"; err != nil || text != want {
		t.Errorf("the least budget gives %q, %v; want %q", text, err, want)
	}
}

func TestLongContentsAreCut(t *testing.T) {
	t.Parallel()
	content := "Sure! " + strings.Repeat("Here is one thing to see in Lisbon.\n- And here is another. ", 500)
	long := retrieval.Result{Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{Role: "assistant", Content: content, OccurredAt: date(2024, 1, 1)}}}}
	text, err := construct.Construction{Tokens: 400}.Construct(long)
	if err != nil {
		t.Fatal(err)
	}
	line := lineWith(text, "Assistant")
	shown := strings.TrimSuffix(strings.TrimPrefix(line, "- Assistant: "), "\n")
	if n := tokensIn(t, shown); n < 80 || n > 100 || !strings.HasSuffix(shown, ". …") {
		t.Errorf("of a budget of 400, the content takes %d tokens: %q", n, shown)
	}

	// The rest of the budget may cut it further, but no crumbs are kept.
	for _, tt := range []struct {
		words        []int
		fewest, most int
	}{{[]int{90, 90}, 80, 100}, {[]int{90, 90, 90, 40}, 32, 55}, {[]int{90, 90, 90, 66}, 0, 0}} {
		var crowded retrieval.Result
		for i, n := range tt.words {
			word := []string{"rain ", "snow ", "wind ", "sun "}[i]
			crowded.Episodes = append(crowded.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{Content: strings.Repeat(word, n), OccurredAt: date(2024, 1, 1)}})
		}
		crowded.Episodes = append(crowded.Episodes, long.Episodes...)
		text, err := construct.Construction{Tokens: 400}.Construct(crowded)
		line := lineWith(text, "Assistant")
		shown := strings.TrimSuffix(strings.TrimPrefix(line, "- Assistant: "), "\n")
		if n := tokensIn(t, shown); err != nil || n < tt.fewest || n > tt.most {
			t.Errorf("beside %d words, the content takes %d tokens, %v; want %d to %d\n%s", tt.words, n, err, tt.fewest, tt.most, text)
		}
	}

	// A content that cannot be cut after a sentence is left out, and later hits fit.
	unbroken := long
	unbroken.Episodes = slices.Concat([]retrieval.EpisodeHit{{Episode: graph.Episode{Content: strings.Repeat("word ", 5000)}}}, long.Episodes)
	again, err := construct.Construction{Tokens: 400}.Construct(unbroken)
	if diff := cmp.Diff(text, again); err != nil || diff != "" {
		t.Errorf("error %v, -want +got:\n%s", err, diff)
	}
}

// A large result with a large budget takes few renderings and is counted exactly.
func TestLargeBudget(t *testing.T) {
	t.Parallel()
	var r retrieval.Result
	for i := range 400 {
		r.Facts = append(r.Facts, retrieval.FactHit{Fact: graph.Fact{Fact: fmt.Sprintf("Ann met friend %d in Lisbon.", i)}})
		r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{Content: strings.Repeat("I saw her. ", i)}})
	}
	text, err := construct.Construction{Tokens: 12_000}.Construct(r)
	if err != nil {
		t.Fatal(err)
	}
	if n := tokensIn(t, text); n > 12_000 || n < 11_900 {
		t.Errorf("%d tokens of 12,000", n)
	}
}

// A budget cuts a long message to the sentences with words of the question, wherever they are, or
// else to its beginning.
func TestLongContentsAreCutToWhatIsAsked(t *testing.T) {
	t.Parallel()
	content := "Could you help me plan the new kitchen? " + strings.Repeat("The budget is small, and the work should not take long. ", 12) +
		"By the way, my daughter has a severe peanut allergy. We told the school. " + strings.Repeat("The floor is to be of stone, if it can be had. ", 12)
	for asked, want := range map[string][2]string{
		"Does anyone have an allergy to peanuts?": {"… By the way, my daughter has a severe peanut allergy. We told the school. ", " …"},
		"Who plans a kitchen?":                    {"Could you help me plan the new kitchen? ", " …"},
		"Where is the harbour?":                   {"Could you help me plan the new kitchen? ", " …"},
		"":                                        {"Could you help me plan the new kitchen? ", " …"},
	} {
		r := retrieval.Result{Asked: asked, Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{Actor: "Alice", Content: content, OccurredAt: date(2024, 1, 1)}}}}
		text, err := construct.Construction{Tokens: 250}.Construct(r)
		if err != nil {
			t.Fatal(err)
		}
		shown := strings.TrimSuffix(strings.TrimPrefix(lineWith(text, "Alice"), "- Alice: "), "\n")
		if !strings.HasPrefix(shown, want[0]) || !strings.HasSuffix(shown, want[1]) || tokensIn(t, shown) > 70 {
			t.Errorf("%q: %d tokens, %q", asked, tokensIn(t, shown), shown)
		}
		if whole, err := (construct.Construction{}).Construct(r); err != nil || !strings.Contains(whole, "stone, if it can be had.") || strings.Count(whole, "…") > 1 {
			t.Errorf("%q without a budget: %v\n%s", asked, err, whole)
		}
	}
}
