package construct

import (
	"errors"
	"io"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/temporal"
)

// maxOutput is the most bytes that a template may put out.
const maxOutput = 4 << 20

var (
	defaultForm  = sync.OnceValue(func() *template.Template { return template.Must(newTemplate().Parse(DefaultTemplate)) })
	defaultFence = sync.OnceValue(func() fence.Fence { return fenceOf(DefaultTemplate) })
)

// form is a template, with the fence that keeps its data within the tags.
type form struct {
	template *template.Template
	fence    fence.Fence
	bounded  bool // its output is limited to maxOutput
	usual    bool // it is DefaultTemplate
}

func newTemplate() *template.Template {
	return template.New("context").Option("missingkey=error").Funcs(template.FuncMap{
		"date": day, "words": dayInWords, "oneLine": prose.OneLine,
	})
}

// parseForm reads a user's template and tries it. within is a text that the
// string will stand in.
func parseForm(text, within string) (*form, error) {
	t, err := newTemplate().Parse(text)
	if err != nil {
		return nil, templateError(err)
	}
	f := &form{template: t, fence: fenceOf(text, within), bounded: true}
	for _, c := range []Construction{{}, {Citations: true, Words: true}} {
		for _, r := range samples {
			if _, err := f.render(c.data(r, f.fence)); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// errTooLong is the cause of the error for a template that puts out too much.
var errTooLong = errors.New("output too long")

// render fills the template in.
func (f *form) render(data ContextData) (string, error) {
	var b strings.Builder
	var w io.Writer = &b
	if f.bounded {
		w = &bounded{&b}
	}
	err := f.template.Execute(w, data)
	switch {
	case errors.Is(err, errTooLong):
		return "", &graph.Error{
			Code: graph.CodeInvalid, Field: "template",
			Message: "puts out more than 4 MiB; ask for fewer hits, or give a budget of tokens", Err: errTooLong,
		}
	case err != nil:
		return "", templateError(err)
	}
	return b.String(), nil
}

// bounded refuses to become longer than maxOutput.
type bounded struct{ *strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}

// place is how text/template begins its errors.
var place = pattern.New(`^template: context:(\d+)(?::\d+)?: (?:executing ".*?" at )?`)

// templateError says in which line of a template a mistake is.
func templateError(err error) error {
	return graph.Invalid("template", "%s", place().ReplaceAllString(err.Error(), "line $1: "))
}

// samples are the results that templates are tried on: nothing, everything, and hits with only what
// all have.
var samples = func() []retrieval.Result {
	at := time.Date(2024, time.March, 8, 9, 30, 0, 0, time.UTC)
	id := uuid.MustParse("0199d1c0-0000-7000-8000-000000000000")
	full := retrieval.Result{
		Facts: []retrieval.FactHit{{Fact: graph.Fact{
			ID: id, Source: "Alice", Target: "Lisbon", Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon.",
			Valid: temporal.Validity{Interval: temporal.Interval{Start: at, End: at.AddDate(1, 0, 0)}}, Episodes: []uuid.UUID{id},
		}}},
		Entities: []retrieval.EntityHit{{Entity: graph.Entity{
			ID: id, Name: "Alice", Aliases: []string{"Ali"}, Labels: []string{"Person"}, Summary: "Alice lives in Lisbon.",
		}}},
		Communities: []retrieval.CommunityHit{{Community: graph.Community{ID: id, Name: "Lisbon", Summary: "People of Lisbon."}}},
		Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{
			ID: id, Source: graph.SourceMessage, Actor: "Alice", Role: "user", Name: "Chat", ThreadID: "chat",
			Content: "I moved to Lisbon.\nIt rains.", OccurredAt: at,
		}}},
		Answers: []graph.Answered{{Question: "Where does Alice live?", Answer: "Alice lives in Lisbon.", Data: []byte(`{"city":"Lisbon"}`)}},
	}
	return []retrieval.Result{{}, full, {
		Facts: make([]retrieval.FactHit, 2), Entities: make([]retrieval.EntityHit, 2), Communities: make([]retrieval.CommunityHit, 2),
		Episodes: make([]retrieval.EpisodeHit, 2), Answers: make([]graph.Answered, 2),
	}}
}()
