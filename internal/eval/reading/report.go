package reading

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/eval/truth"
)

// Report holds the results of all questions.
type Report struct {
	Tokens int    `json:"tokens"` // the budget of the second context of each question
	Parts  []Part `json:"parts"`
}

// Part holds the results for memories with the same reader.
type Part struct {
	ReadBy    string   `json:"read_by"`
	Questions []Result `json:"questions"`
}

// Result is the result of a question.
type Result struct {
	Question
	Default Judgement `json:"default"`         // with default settings
	Within  Judgement `json:"within"`          // within the budget
	Group   string    `json:"group,omitempty"` // the kept group

	messages []truth.Message
}

// Right reports whether both contexts have no fault.
func (r Result) Right() bool { return r.Default.Right() && r.Within.Right() }

// Asked returns the number of questions.
func (r Report) Asked() (n int) {
	for _, p := range r.Parts {
		n += len(p.Questions)
	}
	return n
}

// Wrong returns the questions with a fault.
func (r Report) Wrong() (wrong []Result) {
	for _, p := range r.Parts {
		for _, q := range p.Questions {
			if !q.Right() {
				wrong = append(wrong, q)
			}
		}
	}
	return wrong
}

// Stale returns how many lines state something past as if it still held.
func (r Report) Stale() (n int) {
	for _, q := range r.Wrong() {
		n += q.Default.Stale() + q.Within.Stale()
	}
	return n
}

// Markdown returns the faults of every question and a summary.
func (r Report) Markdown() string {
	var b strings.Builder
	for _, q := range r.Wrong() {
		b.WriteString(q.String() + "\n")
	}
	b.WriteString("| read by | context | questions right | facts told | stale lines without a mark |\n|---|---|--:|--:|--:|\n")
	for _, p := range r.Parts {
		p.row(&b, "default", func(q Result) Judgement { return q.Default })
		p.row(&b, fmt.Sprintf("%d tokens", r.Tokens), func(q Result) Judgement { return q.Within })
		fmt.Fprintf(&b, "| %s | both | %d of %d | | |\n", p.ReadBy, p.right(), len(p.Questions))
	}
	return b.String()
}

// row writes the summary of one of the two contexts of every question.
func (p Part) row(b *strings.Builder, context string, of func(Result) Judgement) {
	right, told, asked, stale := 0, 0, 0, 0
	for _, q := range p.Questions {
		j := of(q)
		told, asked, stale = told+j.Told(), asked+j.Asked, stale+j.Stale()
		if j.Right() {
			right++
		}
	}
	fmt.Fprintf(b, "| %s | %s | %d of %d | %d of %d | %d |\n", p.ReadBy, context, right, len(p.Questions), told, asked, stale)
}

// right returns how many questions have no fault in either context.
func (p Part) right() (n int) {
	for _, q := range p.Questions {
		if q.Right() {
			n++
		}
	}
	return n
}

// String describes the faults of a question; empty: none.
func (r Result) String() string {
	if r.Right() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, asked %s: %s\n", r.Case, minute(r.At), r.Ask)
	for i, m := range r.messages {
		fmt.Fprintf(&b, "  %d. %s, %s: %s\n", i+1, minute(m.At), cmp.Or(m.Actor, m.Role), m.Text)
	}
	same := reflect.DeepEqual(r.Default, r.Within)
	if same {
		r.Default.write(&b, "Both contexts fall short")
	} else {
		r.Default.write(&b, "The default context falls short")
		r.Within.write(&b, "The context within the budget falls short")
	}
	if r.Group != "" {
		fmt.Fprintf(&b, "  It is in the group %s.\n", r.Group)
	}
	return b.String()
}

func (j Judgement) write(b *strings.Builder, title string) {
	if j.Right() {
		return
	}
	fmt.Fprintf(b, "  %s:\n", title)
	for _, f := range j.Failures {
		fmt.Fprintf(b, "    %s\n", f)
		for _, l := range f.Lines {
			fmt.Fprintf(b, "      %s\n", l)
		}
		if len(f.Lines) == 0 {
			b.WriteString("      (no line has any of it)\n")
		}
	}
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
