package prompts

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Prompt is a question put into words.
type Prompt struct {
	Name    string // of the question: extract_entities
	Version int    // from 1; raised with every change of the words

	// System is the task, its rules and worked examples. It is the same for
	// every question of a kind, so that providers can cache it.
	System string

	// User is what the question is about. Whatever came from outside stands
	// between tags that it cannot close.
	User string
}

// question is a typed input that can be put into words.
type question interface{ Prompt() Prompt }

// Names lists what [Show] knows, sorted: the questions, and the forms that a
// question takes for another kind of episode (extract_entities_json).
func Names() []string { return slices.Sorted(maps.Keys(samples)) }

// Show renders a prompt with sample input. It reports false where there is
// none of that name.
func Show(name string) (Prompt, bool) {
	q, ok := samples[name]
	if !ok {
		return Prompt{}, false
	}
	return q.Prompt(), true
}

// userText parses the text of a user part once, when it is first asked for.
func userText(text string) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return template.Must(template.Must(parts().Clone()).Parse(text)) })
}

// fill puts a question into a text. The inputs are typed and the texts are
// constants, so that failing is a mistake in this package.
func fill(text func() *template.Template, q question) string {
	var b strings.Builder
	if err := text().Execute(&b, q); err != nil {
		panic("prompts: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
