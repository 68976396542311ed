// Package fence keeps stored text from being read as a part of the prompt it
// stands in. Every text that somebody else wrote passes through it on its way
// into a prompt or a context: it is the one place that knows what models take
// for structure.
package fence

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// ours are the tags that prompts and contexts of Annals write. They are
// forbidden everywhere, because a context may stand in a prompt.
var ours = []string{
	"types", "instructions", "earlier", "known", "messages", "message", "document", "documents", "json", "name",
	"entities", "entity", "existing", "rejected", "new", "facts", "fact", "summary", "members", "member", "summaries",
	"query", "passages", "block", "graph", "communities", "episodes", "user_summary", "memory", "skills",
	"question", "slots", "subject", "subjects", "gone", "tasks", "steps", "pitfalls", "preconditions",
}

// Tags lists the tags that are forbidden everywhere.
func Tags() []string { return slices.Concat(ours, foreign) }

// foreign are tags that models were trained to take for a turn, a thought, or
// the call of a function.
var foreign = []string{
	"think", "thinking", "system", "sys", "user", "assistant", "human", "developer",
	"tool", "tools", "tool_call", "tool_calls", "tool_response", "tool_result", "tool_results",
	"function", "functions", "function_call", "function_calls", "function_results", "invoke", "parameter",
	"bos", "eos", "sop", "eop", "pad", "unk", "mask", "start_of_turn", "end_of_turn", "start_of_image",
	"begin_of_text", "end_of_text", "start_header_id", "end_header_id", "eot_id",
}

// marks begin with a bracket and are no tags: <|im_start|>, <<SYS>>, <s>,
// <unused7>, [INST], [TOOL_CALLS], and citations like ours.
const marks = `<\s*(?:\||/?\s*s\s*>|/?\s*(?:unused|extra_id_|reserved_)\d)` +
	`|\[\s*/?\s*(?:inst|tool_calls?|tool_results?|tool_content|available_tools|system_prompt|call_id|args|bos|eos|sop|eop|gmask|img)\s*\]` +
	`|\[[fnce]:[0-9a-f]{8}`

// Fence disarms texts.
type Fence struct{ forbidden *regexp.Regexp }

// New makes a fence that also forbids tags of the caller's own.
func New(tags ...string) Fence {
	names := Tags()
	for _, tag := range tags {
		plain, _ := skeleton(tag, withLetters)
		names = append(names, plain)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, name := range names {
		names[i] = regexp.QuoteMeta(name) + end(name)
	}
	// The beginning of a tag at the very end of a text is forbidden as well: what
	// follows the text could complete it.
	return Fence{forbidden: regexp.MustCompile(`</?[\pL\pN_:.-]*\z|<\s*/?\s*(?:\z|` + strings.Join(names, "|") + `)|` + marks)}
}

// end keeps a tag from being found at the start of a longer word. A boundary is
// known beside ASCII letters only; other names forbid the longer ones as well.
func end(name string) string {
	if name != "" && name[len(name)-1] < utf8.RuneSelf {
		return `\b`
	}
	return ""
}

// Text makes a text safe to stand in a prompt. It changes only the opening
// brackets of markup, which become ‹, and broken UTF-8. A text that was made
// safe stays as it is.
func (f Fence) Text(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, brackets) {
		return s
	}
	found := f.find(s)
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 2*len(found))
	kept := 0
	for _, bracket := range found {
		_, size := utf8.DecodeRuneInString(s[bracket:])
		b.WriteString(s[kept:bracket])
		b.WriteString("‹")
		kept = bracket + size
	}
	b.WriteString(s[kept:])
	return b.String()
}

// find returns where the brackets of markup are, in order, by every reading of the
// text: a letter that hides a tag from one of them shows it to another.
func (f Fence) find(s string) []int {
	readings := []reading{asASCII}
	if !isASCII(s) {
		readings = append(readings, withLetters, asWritten)
	}
	var found []int
	for _, r := range readings {
		plain, at := skeleton(s, r)
		for _, match := range f.forbidden.FindAllStringIndex(plain, -1) {
			found = append(found, at[match[0]])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Line makes a text safe to stand in a line of a list: no line follows it that
// it wrote itself.
func (f Fence) Line(s string) string { return f.Text(strings.Join(strings.Fields(s), " ")) }

var quotes = strings.NewReplacer(`"`, "'", "<", "‹", ">", "›")

// Value makes a text safe to stand between quotation marks in a tag.
func (f Fence) Value(s string) string { return quotes.Replace(f.Line(s)) }
