// Package fence escapes stored text so that a model does not read it as part of
// the surrounding prompt. All text from others passes through it on its way into a
// prompt or a context. It is the only place that knows what models take for
// structure.
package fence

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// ours are the tags that Annals writes in prompts and contexts. They are escaped
// everywhere, because a context may be part of a prompt.
var ours = []string{
	"types", "instructions", "earlier", "known", "messages", "message", "document", "documents", "json", "name",
	"entities", "entity", "existing", "rejected", "new", "facts", "fact", "summary", "members", "member", "summaries",
	"query", "passages", "block", "graph", "communities", "episodes", "user_summary", "memory", "skills",
	"question", "slots", "subject", "subjects", "gone", "tasks", "steps", "pitfalls", "preconditions",
}

// Tags returns the tags that are escaped everywhere.
func Tags() []string { return slices.Concat(ours, foreign) }

// foreign are tags that models were trained to read as a turn, a thought or a
// function call.
var foreign = []string{
	"think", "thinking", "system", "sys", "user", "assistant", "human", "developer",
	"tool", "tools", "tool_call", "tool_calls", "tool_response", "tool_result", "tool_results",
	"function", "functions", "function_call", "function_calls", "function_results", "invoke", "parameter",
	"bos", "eos", "sop", "eop", "pad", "unk", "mask", "start_of_turn", "end_of_turn", "start_of_image",
	"begin_of_text", "end_of_text", "start_header_id", "end_header_id", "eot_id",
}

// marks matches markup that begins with a bracket and is no tag: <|im_start|>,
// <<SYS>>, <s>, <unused7>, [INST], [TOOL_CALLS], and our citations.
const marks = `<\s*(?:\||/?\s*s\s*>|/?\s*(?:unused|extra_id_|reserved_)\d)` +
	`|\[\s*/?\s*(?:inst|tool_calls?|tool_results?|tool_content|available_tools|system_prompt|call_id|args|bos|eos|sop|eop|gmask|img)\s*\]` +
	`|\[[fnce]:[0-9a-f]{8}`

// Fence escapes markup in texts.
type Fence struct{ forbidden *regexp.Regexp }

// New returns a fence that also escapes the given tags.
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
	// The beginning of a tag at the end of a text is escaped too, since the text
	// that follows could complete it.
	return Fence{forbidden: regexp.MustCompile(`</?[\pL\pN_:.-]*\z|<\s*/?\s*(?:\z|` + strings.Join(names, "|") + `)|` + marks)}
}

// end returns the pattern that must follow a tag, so that it does not match the
// start of a longer word. \b works only after ASCII letters; after other letters,
// longer words match as well.
func end(name string) string {
	if name != "" && name[len(name)-1] < utf8.RuneSelf {
		return `\b`
	}
	return ""
}

// Text makes a text safe for a prompt. It replaces only the opening brackets of
// markup, by ‹, and invalid UTF-8. It is idempotent.
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

// find returns the offsets of the brackets of markup, in order, under every
// reading of the text. A letter that hides a tag in one reading reveals it in
// another.
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

// Line makes a text safe for a line of a list: it becomes one line.
func (f Fence) Line(s string) string { return f.Text(strings.Join(strings.Fields(s), " ")) }

var quotes = strings.NewReplacer(`"`, "'", "<", "‹", ">", "›")

// Value makes a text safe between the quotation marks of an attribute.
func (f Fence) Value(s string) string { return quotes.Replace(f.Line(s)) }
