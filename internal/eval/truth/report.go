package truth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Report holds the results of the cases.
type Report struct {
	Analyst string   `json:"read_by"`
	Right   int      `json:"right"`
	Cases   []Result `json:"cases"`
}

// Result is the result of a case.
type Result struct {
	ID       string    `json:"id"`
	Rule     string    `json:"rule"`
	Judged   int       `json:"judged"` // judged expectations
	Failures []Failure `json:"failures,omitempty"`
	Decided  []string  `json:"decided,omitempty"` // the pipeline's decisions, if the case failed
	Group    string    `json:"group,omitempty"`   // the kept group

	messages []Message
}

// Right reports whether every expectation holds.
func (r Result) Right() bool { return len(r.Failures) == 0 }

// Failure is an expectation that does not hold.
type Failure struct {
	What  string   `json:"what"`
	Graph []string `json:"graph"` // the graph's related facts
}

// Failed returns the number of failed cases.
func (r Report) Failed() int { return len(r.Cases) - r.Right }

// Markdown returns the failures by case and a summary.
func (r Report) Markdown() string {
	var b strings.Builder
	judged, wrong := 0, 0
	for _, c := range r.Cases {
		judged += c.Judged
		wrong += len(c.Failures)
		if !c.Right() {
			b.WriteString(c.String() + "\n")
		}
	}
	b.WriteString("| read by | cases that hold | expectations that hold |\n|---|--:|--:|\n")
	fmt.Fprintf(&b, "| %s | %d of %d | %d of %d |\n", r.Analyst, r.Right, len(r.Cases), max(judged-wrong, 0), judged)
	return b.String()
}

// String describes the failures of a case and the decisions behind them; empty:
// none.
func (r Result) String() string {
	if r.Right() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s fails. %s\n", r.ID, r.Rule)
	for i, m := range r.messages {
		fmt.Fprintf(&b, "  %d. %s, %s: %s\n", i+1, moment(m.At), cmp.Or(m.Actor, m.Role), m.Text)
	}
	for i, f := range r.Failures {
		fmt.Fprintf(&b, "  %s.\n", f.What)
		if i > 0 && slices.Equal(f.Graph, r.Failures[i-1].Graph) {
			continue // the same facts explain both
		}
		for _, line := range f.Graph {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	if len(r.Decided) > 0 {
		b.WriteString("  What was decided:\n")
	}
	for _, line := range r.Decided {
		fmt.Fprintf(&b, "    %s\n", line)
	}
	if r.Group != "" {
		fmt.Fprintf(&b, "  It is in the group %s.\n", r.Group)
	}
	return b.String()
}
