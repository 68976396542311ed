// Package construct puts what a search found into the context string of a model's prompt.
package construct

import (
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Construction says how what was found becomes the context string of a model's
// prompt (χ). The zero value shows every hit in the default form.
type Construction struct {
	// Tokens is the most the string may have, counted exactly as Encoding counts. Zero: no limit.
	//
	// The default form takes what is of most use for the question first: see [DefaultTemplate]. A
	// template of your own is given the first fact, entity, community and episode, then the second
	// of each, and so on. A hit that does not fit into the rest of the budget is skipped, because a
	// shorter one after it may fit, until 16 in a row did not. The content of an episode that takes
	// more than a quarter of the budget, and more than 32 tokens, is cut to that after a sentence
	// and ends with " …". Content that does not fit into the rest of the budget is cut to that too,
	// if 32 tokens of it stay. An episode that cannot be cut so is skipped.
	//
	// With a larger budget, the first hit that is treated differently is newly shown, or shown at
	// greater length; or it is a fact that an episode says, which is newly shown.
	Tokens int

	// Hits is how many facts, entities, communities and episodes the string may
	// show in all, in the order in which they are taken as with Tokens. Zero:
	// every one that was found, which is up to [retrieval.Query.Limit] of each scope.
	Hits int

	// Template is the form of the string as text/template reads it, with
	// [ContextData] as its data and these functions beside those built in:
	//
	//	date    a time as 2024-03-08, or 2024-03-08 09:30; "" if it is zero
	//	words   a time as 8 March 2024, or 8 March 2024, 09:30; "" if it is zero
	//	oneLine a text with every run of white space made one space
	//
	// Empty: [DefaultTemplate]. What it puts out is at most 4 MiB. A template
	// is part of the program that sets it: it is checked for mistakes, not for
	// malice, so do not take one from a stranger.
	Template string

	// Within is a text that the string will become a part of, such as a template of the
	// application's own. The hits cannot close the tags of that text either.
	Within string

	// Citations ends every line with a short id of what it comes from, such as
	// [f:0199d1c0]. [retrieval.Result.Cited] finds what it stands for.
	Citations bool

	// Words says the dates of episodes in words: "8 March 2024, 09:30" and not
	// "2024-03-08 09:30".
	Words bool

	// Task says that the query is a task to be done: the context begins with the skills for it,
	// which say how it was done before.
	Task bool

	// Encoding is the tokenizer that counts, "o200k_base" or "cl100k_base". Empty: o200k_base,
	// which GPT-4o and all later models of OpenAI use. The counts of other makers differ by some
	// per cent.
	Encoding string
}

// DefaultTemplate is the form of the context string where none is given. It explains its own format
// (Zep, arXiv 2501.13956, section 3), then lists what was found in one section a scope. Episodes
// are in the order of time, below the time of the first that their conversation has there within an
// hour. If nothing was found, it says that nothing is known, and what holds of the entities that
// the question names.
//
// A note in parentheses begins a line. It says when a fact holds or happened. Of what somebody said
// it says until when it held and what holds now, or that it was taken back or is disputed. No
// stored text can stand before a note or begin a line like one.
//
// It does not show everything that was found. Facts that answer the question by their relation come
// first, what holds before what has ended. Other facts are shown if they have a word of the
// question or nearly its meaning, and if no episode that is shown says as much. An episode that
// says no more than the facts that are shown is left out. One sentence that gave several facts
// stands once. The summaries of entities and communities are cut to sentences that have words of
// the question, that no found fact says, and that still hold; without any, the line is left out. An
// episode of a few words stands below the question that it answers ([retrieval.Query.Replies]).
// Texts that say almost the same as a better one come last.
//
// Pinned hits come first, with their summaries whole and "(pinned)" before them, as far as they fit
// into a quarter of the budget or of the hits; those that do not come last.
//
// The order in which other hits are taken is a fact, three episodes, a fact, and so on; behind the
// first eight episodes and each next twelve stands an entity, and behind two more a community.
const DefaultTemplate = `{{if .Nothing}}Nothing is known about this.{{with .Without}} {{.}}{{end}}
{{else}}{{if .KnownOf}}Nothing is known about this. What holds of {{.KnownOf}}:
{{- else}}What is known; (…) first in a line says when it holds.
{{- end}}
{{- if .Citations}} Each line ends with the id of what it comes from.{{end}}
{{- with .Without}} {{.}}{{end}}
{{if .Facts}}<FACTS>
{{range .Facts -}}
- {{.Line}}
{{end -}}
</FACTS>
{{end}}{{if .Entities}}<ENTITIES>
{{range .Entities -}}
- {{.Line}}
{{end -}}
</ENTITIES>
{{end}}{{if .Communities}}<COMMUNITIES>
{{range .Communities -}}
- {{.Line}}
{{end -}}
</COMMUNITIES>
{{end}}{{if .Days}}<EPISODES>
{{range .Days -}}
{{.Date}}:
{{range .Lines -}}
- {{.}}
{{end -}}
{{end -}}
</EPISODES>
{{end}}{{end}}`

// Construct puts what was found into a context string. The same result always gives the same
// string.
//
// Whatever the hits hold, they cannot close the tags that the template and the prompts of Annals
// write, nor open others of them, nor begin a turn or a call of a function as models know them: a
// bracket that would do so becomes ‹.
//
// It fails with code invalid if a setting is invalid, as [Construction.Validate] says, or if not
// even the string without any hit fits into the budget. The error then names the least budget.
func (c Construction) Construct(r retrieval.Result) (string, error) {
	text, _, err := c.Show(r)
	return text, err
}

// Show is [Construction.Construct], and also returns what the string shows: the data that its
// template was given, with the ids of the hits.
func (c Construction) Show(r retrieval.Result) (string, ContextData, error) {
	f, err := c.form()
	if err != nil {
		return "", ContextData{}, err
	}
	r = r.OfItsTime()
	var tokens *counter // only for a budget: a vocabulary takes a while to unpack
	if c.Tokens > 0 {
		if tokens, err = newCounter(c.Encoding); err != nil {
			return "", ContextData{}, err
		}
	}
	if f.usual {
		return c.choose(f, tokens, r)
	}
	data := c.data(r, f.fence).first(c.Hits)
	if c.Tokens == 0 {
		text, err := f.render(data)
		return text, data, err
	}
	return fill(f, tokens, c.Tokens, data)
}

// For prepares a query for a context. Unless the query says otherwise, what is asked must be known
// (retrieval.NothingKnown), and the limit is as many hits as the budget may have room for in the
// default form. It also asks for what a context shows beside the hits: pinned rows, changes, former
// facts, and the questions that short messages answer.
func (c Construction) For(q retrieval.Query) retrieval.Query {
	if q.MinFit == 0 && !q.Conversation {
		q.MinFit = retrieval.NothingKnown
	}
	q.Pinned, q.SaidByThen, q.Former, q.Changes = true, true, true, true
	if c.Template != "" && c.Template != DefaultTemplate {
		return q
	}
	if q.Limit == 0 && c.Tokens > 0 {
		q.Limit = min(max(c.Tokens/leastLine, retrieval.DefaultLimit), mostHits)
	}
	q.Replies = true
	return q
}

// ShowsAnswers reports whether the template shows standing answers.
func (c Construction) ShowsAnswers() bool { return strings.Contains(c.Template, ".Answers") }

// Validate checks the settings, so that a mistake shows when they are made. A template is tried on
// sample data: its error names the line.
func (c Construction) Validate() error {
	_, err := c.form()
	return err
}

// form checks the settings and reads the template.
func (c Construction) form() (*form, error) {
	if c.Tokens < 0 {
		return nil, graph.Invalid("tokens", "is %d; give the most tokens the context may have, or 0 for no limit", c.Tokens)
	}
	if c.Hits < 0 {
		return nil, graph.Invalid("hits", "is %d; give the most hits the context may show, or 0 for all", c.Hits)
	}
	if err := validateEncoding(c.Encoding); err != nil {
		return nil, err
	}
	if c.Template == "" || c.Template == DefaultTemplate {
		f := &form{template: defaultForm(), fence: defaultFence(), usual: true}
		if c.Within != "" {
			f.fence = fenceOf(DefaultTemplate, c.Within)
		}
		return f, nil
	}
	return parseForm(c.Template, c.Within)
}
