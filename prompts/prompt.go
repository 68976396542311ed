package prompts

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Prompt is a question in words.
type Prompt struct {
	Name    string // of the question: extract_entities
	Version int    // from 1; raised with every change of the text

	// System is the task, its rules and worked examples. It is the same for every question of a
	// kind, so that providers can cache it.
	System string

	// User is the data of the question. Text from outside stands between tags that it cannot close.
	User string
}

// question is a typed input that has a prompt.
type question interface{ Prompt() Prompt }

// Names lists the names for [Show], sorted: the questions, and the forms of a question for other
// kinds of episodes (extract_entities_json).
func Names() []string { return slices.Sorted(maps.Keys(samples)) }

// Show renders a prompt with sample input. It returns false if no prompt has the name.
func Show(name string) (Prompt, bool) {
	q, ok := samples[name]
	if !ok {
		return Prompt{}, false
	}
	return q.Prompt(), true
}

// userText parses the text of a user part on first use.
func userText(text string) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return template.Must(template.Must(parts().Clone()).Parse(text)) })
}

// fill renders a question into a text. The inputs are typed and the texts are constants, so a
// failure is a bug in this package.
func fill(text func() *template.Template, q question) string {
	var b strings.Builder
	if err := text().Execute(&b, q); err != nil {
		panic("prompts: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
