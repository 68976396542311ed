package reading

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// over matches the words that mark a line's statement as past: it held until a
// time, at a past time or from one time to another, it was taken back or called
// off, or it ended. No other words count.
var over = regexp.MustCompile(`(?i)\buntil\b|\bwas planned\b|\btaken back\b|\bno longer\b|\bcalled off\b|\bended\b|\(in [^()]*\d{4}[^()]*\)|\(from [^()]* to [^()]*\)`)

// line is a line of a context.
type line struct {
	text    string
	message bool // it is a message
}

// linesOf splits a context into lines. Those in the section EPISODES are
// messages.
func linesOf(text string) []line {
	var lines []line
	message := false
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch l {
		case "":
			continue
		case "<EPISODES>", "</EPISODES>":
			message = l == "<EPISODES>"
		}
		lines = append(lines, line{l, message})
	}
	return lines
}

// Judgement is the result for a question's context.
type Judgement struct {
	Asked    int       `json:"asked"` // facts that it must tell
	Failures []Failure `json:"failures,omitempty"`
}

// Failure is a fault of a context.
type Failure struct {
	Kind  Kind     `json:"kind"`
	Words string   `json:"words"` // words from the question
	Lines []string `json:"lines"` // lines of the context with these words
}

// Kind is the kind of a fault.
type Kind string

// The kinds.
const (
	Untold    Kind = "untold"    // no line states the fact
	Unmarked  Kind = "unmarked"  // a line states something past without saying so
	Forbidden Kind = "forbidden" // a line contains forbidden words
	Misplaced Kind = "misplaced" // a claim precedes the claim that must come first
)

// Right reports whether the context has no fault.
func (j Judgement) Right() bool { return len(j.Failures) == 0 }

// Told returns how many of the required facts the context tells.
func (j Judgement) Told() int { return j.Asked - j.count(Untold) }

// Stale returns how many lines state something past as if it still held.
func (j Judgement) Stale() int {
	var lines []string // a line may have the words of several failures
	for _, f := range j.Failures {
		if f.Kind == Unmarked {
			lines = append(lines, f.Lines...)
		}
	}
	slices.Sort(lines)
	return len(slices.Compact(lines))
}

func (j Judgement) count(k Kind) (n int) {
	for _, f := range j.Failures {
		if f.Kind == k {
			n++
		}
	}
	return n
}

// judge compares a context with the expectations of the question.
func (q Question) judge(context string) Judgement {
	lines := linesOf(context)
	j := Judgement{Asked: len(q.Tells)}
	for _, all := range q.Tells {
		if !slices.ContainsFunc(lines, func(l line) bool { return !l.message && l.matches(all) }) {
			j.fail(Untold, expressions(all), where(lines, func(l line) bool { return l.matchesAny(all) }))
		}
	}
	for _, words := range q.NotNow {
		if stale := where(lines, func(l line) bool { return l.has(words) && !over.MatchString(l.text) }); len(stale) > 0 {
			j.fail(Unmarked, words, stale)
		}
	}
	for _, words := range q.Never {
		if wrong := where(lines, func(l line) bool { return l.has(words) }); len(wrong) > 0 {
			j.fail(Forbidden, words, wrong)
		}
	}
	for _, pair := range q.First {
		if before := firstWith(lines, pair[1]); before != "" && firstWith(lines, pair[0], pair[1]) == before {
			j.fail(Misplaced, pair[0], []string{before})
		}
	}
	return j
}

// firstWith returns the first line that is no message and has any of the words.
func firstWith(lines []line, words ...string) string {
	for _, l := range lines {
		if !l.message && slices.ContainsFunc(words, l.has) {
			return l.text
		}
	}
	return ""
}

func (j *Judgement) fail(k Kind, words string, lines []string) {
	j.Failures = append(j.Failures, Failure{Kind: k, Words: words, Lines: lines})
}

func (l line) matches(all []Expression) bool {
	return !slices.ContainsFunc(all, func(e Expression) bool { return !e.pattern.MatchString(l.text) })
}

func (l line) matchesAny(of []Expression) bool {
	return slices.ContainsFunc(of, func(e Expression) bool { return e.pattern.MatchString(l.text) })
}

func (l line) has(words string) bool {
	return strings.Contains(strings.ToLower(l.text), strings.ToLower(words))
}

func where(lines []line, meant func(line) bool) (texts []string) {
	for _, l := range lines {
		if meant(l) {
			texts = append(texts, l.text)
		}
	}
	return texts
}

func expressions(all []Expression) string {
	var texts []string
	for _, e := range all {
		texts = append(texts, e.text)
	}
	return strings.Join(texts, ", ")
}

// String describes the fault.
func (f Failure) String() string {
	switch f.Kind {
	case Untold:
		return fmt.Sprintf("no line but a message tells %s", f.Words)
	case Unmarked:
		return fmt.Sprintf("%q is over, and a line does not say so", f.Words)
	case Misplaced:
		return fmt.Sprintf("%q must be told before this", f.Words)
	}
	return fmt.Sprintf("%q must stand in no line", f.Words)
}
