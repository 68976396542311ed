package prompts

import (
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

// tags are what data stands between in a prompt.
var tags = []string{
	"types", "instructions", "earlier", "messages", "message", "document", "json",
	"entities", "entity", "existing", "new", "facts", "fact", "summary", "members", "member", "summaries",
	"query", "passages", "block", "graph",
}

// Invisible characters are taken for part of a tag too: models read over them.
const unseen = `[\s\p{Z}\p{C}]*`

// markup is what text must not hold when it stands between tags: the tags
// themselves, open or closed; the beginning of one at its very end, which what
// follows could complete; and the marks by which chat templates of common
// open models tell the turns of a conversation apart, which servers of such
// models do read inside of a message.
var markup = pattern.New(`(?i)<(` + unseen + `/?` + unseen + `(?:\z|(?:` + strings.Join(tags, "|") + `)\b))` +
	`|<([|｜]|/?s>|/?think|<SYS|</SYS|(?:start|end)_of_turn)` +
	`|\[(/?INST\])`)

// data makes a text safe to stand between tags. The only characters it changes
// are the opening brackets of markup, which become ‹, and broken UTF-8.
func data(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	return markup().ReplaceAllString(s, "‹$1$2$3")
}

// line makes a text safe to stand in a line of a list: no line follows it that
// it wrote itself.
func line(s string) string { return data(strings.Join(strings.Fields(s), " ")) }

var unquoted = strings.NewReplacer(`"`, "'", "<", "‹", ">", "›")

// open writes an opening tag. Attributes follow as name and value; those
// without a value are left out.
func open(tag string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		if value := unquoted.Replace(line(attributes[i+1])); value != "" {
			b.WriteString(" " + attributes[i] + `="` + value + `"`)
		}
	}
	return b.String() + ">"
}

// cut shortens what is only context to a number of bytes, at a whole character.
func cut(limit int, s string) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + " …"
}
