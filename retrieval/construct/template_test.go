package construct_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// A bad template fails when it is set, in words that lead to the mistake.
func TestBadTemplates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, template, want string }{
		{"syntax", "a\n{{.Facts", "line 2: unclosed action"},
		{"a function that is not there", "a\n\n{{shout .Facts}}", `line 3: function "shout" not defined`},
		{"a field that is not there", "{{.Fact}}", "line 1: <.Fact>: can't evaluate field Fact in type construct.ContextData"},
		{"of a hit", "\n{{range .Facts}}{{.Sentence}}{{end}}", "line 2: <.Sentence>: can't evaluate field Sentence in type construct.ContextFact"},
		{"of an ended fact", "{{range .Facts}}{{if not .Until.IsZero}}{{.Over}}{{end}}{{end}}", "line 1: <.Over>: can't evaluate field Over"},
		{"of an open fact", "{{range .Facts}}{{if .Until.IsZero}}{{.Open}}{{end}}{{end}}", "line 1: <.Open>: can't evaluate field Open"},
		{"where nothing was found", "{{range .Facts}}{{else}}{{.None}}{{end}}", "line 1: <.None>: can't evaluate field None"},
		{"with ids", "{{range .Episodes}}{{with .Cite}}{{.Id}}{{end}}{{end}}", "line 1: <.Id>: can't evaluate field Id in type string"},
		{"a hit that may not be there", "{{index .Facts 0}}", "line 1: <index .Facts 0>: error calling index"},
		{"a template that is not there", "{{template \"line\"}}", "line 1: <{{template \"line\"}}>: template \"line\" not defined"},
		{"the wrong argument", "{{range .Facts}}{{date .Dates}}{{end}}", "line 1: <.Dates>: wrong type for value; expected time.Time; got string"},
		{"for ever", "{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}", "line 1: "},
		{"too much", "{{define \"a\"}}{{printf \"%100000d\" 1}}{{template \"a\"}}{{end}}{{template \"a\"}}", "puts out more than 4 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := construct.Construction{Template: tt.template, Tokens: 1000}
			err := c.Validate()
			var invalid *graph.Error
			if !errors.As(err, &invalid) || invalid.Code != graph.CodeInvalid || invalid.Field != "template" || !strings.HasPrefix(invalid.Message, tt.want) {
				t.Errorf("got %v, want template: %s", err, tt.want)
			}
			if _, again := c.Construct(retrieval.Result{}); again == nil || again.Error() != err.Error() {
				t.Errorf("Construct says %v, Validate %v", again, err)
			}
		})
	}
}

// The output of a template is bounded with real hits too. A budget leaves out what would exceed the
// bound.
func TestTemplateOutputIsBounded(t *testing.T) {
	t.Parallel()
	many := retrieval.Result{Facts: make([]retrieval.FactHit, 100)}
	for i := range many.Facts {
		many.Facts[i].Fact.Fact = strings.Repeat("a ", i+500)
	}
	c := construct.Construction{Template: "{{range .Facts}}{{range $.Facts}}{{.Fact}}{{.Fact}}{{end}}{{end}}"}
	_, err := c.Construct(many)
	if graph.CodeOf(err) != graph.CodeInvalid || !strings.Contains(err.Error(), "more than 4 MiB") {
		t.Errorf("got %v, want that it puts out too much", err)
	}
	c.Tokens = 10_000
	text, err := c.Construct(many)
	if n := tokensIn(t, text); err != nil || n > 10_000 || n < 5_000 {
		t.Errorf("%d tokens of 10,000, %v", n, err)
	}
}

// A budget takes only hits from a custom template: Days has the episodes that fit, and Nothing
// stays as it is.
func TestBudgetKeepsDaysAndNothing(t *testing.T) {
	t.Parallel()
	template := `{{if .Nothing}}Unknown.{{end}}{{range .Days}}{{.Date}}:{{range .Lines}} {{.}}{{end}};{{end}}`
	r := retrieval.Result{Episodes: []retrieval.EpisodeHit{
		said(2, "a", "Ann", "I have a dog.", march), said(1, "a", "Ben", "Congratulations!", march.Add(time.Minute)), said(3, "b", "Cem", strings.Repeat("It rains. ", 300), march),
	}}
	for _, tt := range []struct {
		found retrieval.Result
		want  string
		days  int
	}{
		{retrieval.Result{}, "Unknown.", 0},
		{r, "2024-03-15 09:30: Ann: I have a dog. Ben: Congratulations!;", 1},
	} {
		text, data, err := construct.Construction{Template: template, Tokens: 40}.Show(tt.found)
		if err != nil || text != tt.want {
			t.Errorf("got %q, %v; want %q", text, err, tt.want)
		}
		if len(data.Days) != tt.days {
			t.Errorf("the data has the days %v", data.Days)
		}
	}
}

func TestTemplateFunctions(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		`{{range .Facts}}{{date .From}}/{{date .Until}}; {{end}}`:   "2024-03-08/; 2023-01-10/2024-03-08; ",
		`{{range .Facts}}{{words .From}}/{{words .Until}}; {{end}}`: "8 March 2024/; 10 January 2023/8 March 2024; ",
		`{{range .Facts}}{{.From.Format "Jan 06"}} {{end}}`:         "Mar 24 Jan 23 ",
		`{{range .Episodes}}{{date .OccurredAt}} {{.Date}}{{end}}`:  "2024-03-15 09:30 2024-03-15 09:30",
		`{{range .Episodes}}{{oneLine .Content}}{{end}}`:            "I moved to Lisbon last week.",
		`{{range .Entities}}{{.Line}} {{.Labels}}{{end}}`:           "Alice: Alice lives in Lisbon. [Person]",
		`{{len .Facts}} {{.Citations}} {{.Words}}`:                  "2 false false",
		`{{"a\nb" | oneLine}}`:                                      "a b",
	} {
		got, err := construct.Construction{Template: template}.Construct(lisbon())
		if err != nil || got != want {
			t.Errorf("%s gives %q, %v; want %q", template, got, err, want)
		}
	}
}
