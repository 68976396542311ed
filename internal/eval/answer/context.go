package answer

import (
	"context"
	"fmt"
	"strings"

	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// Kind is a method of making a context.
type Kind string

// The kinds of context.
const (
	Memory    Kind = "memory"    // what the memory returns for the question
	Full      Kind = "full"      // everything that was said
	Summaries Kind = "summaries" // a summary of each session
	Recursive Kind = "recursive" // one summary, rewritten with each session
)

// Kinds lists all kinds.
var Kinds = []Kind{Memory, Full, Summaries, Recursive}

// prepare makes the contexts that do not depend on the question.
func (d *Desk) prepare(ctx context.Context) (err error) {
	for _, kind := range d.examiner.Kinds {
		switch kind {
		case Full:
			d.fixed[kind] = full(d.memory.Sessions())
		case Summaries:
			d.fixed[kind], err = d.summaries(ctx)
		case Recursive:
			d.fixed[kind], err = d.recursive(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Desk) context(ctx context.Context, kind Kind, q retrieve.Question) (string, error) {
	if kind == Memory {
		return d.memory.Context(ctx, q, d.examiner.Tokens)
	}
	return d.fixed[kind], nil
}

func full(sessions []retrieve.Session) string {
	var b strings.Builder
	for _, s := range sessions {
		fmt.Fprintf(&b, "Session of %s\n%s\n\n", s.Date, strings.Join(s.Lines, "\n"))
	}
	return b.String()
}

const summarise = "Summarise the session of a conversation in at most 150 words for somebody who will later be asked about it. " +
	"Keep names, dates, numbers, plans, likes and dislikes; write relative times as dates."

func (d *Desk) summaries(ctx context.Context) (string, error) {
	var b strings.Builder
	for _, s := range d.memory.Sessions() {
		summary, err := d.examiner.Model.Write(ctx, Prompt{
			Name: "summarise_session", Group: d.memory.Group(), System: summarise, User: full([]retrieve.Session{s}),
		})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "Session of %s\n%s\n\n", s.Date, summary)
	}
	return b.String(), nil
}

const extend = "Below are the summary of a conversation so far and its next session. Write the summary anew so that it covers both, in at most 1,000 words. " +
	"Keep names, dates, numbers, plans, likes and dislikes; write relative times as dates."

func (d *Desk) recursive(ctx context.Context) (string, error) {
	summary := ""
	for _, s := range d.memory.Sessions() {
		var err error
		summary, err = d.examiner.Model.Write(ctx, Prompt{
			Name: "extend_summary", Group: d.memory.Group(), System: extend,
			User: "Summary so far:\n" + summary + "\n\nNext session:\n" + full([]retrieve.Session{s}),
		})
		if err != nil {
			return "", err
		}
	}
	return summary, nil
}
