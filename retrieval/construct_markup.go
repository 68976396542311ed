package retrieval

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

// markup is what a text must not hold when it stands in a context string.
type markup struct{ forbidden *regexp.Regexp }

// tag finds the names of the tags that a template writes.
var tag = pattern.New(`<\s*/?\s*([\pL_](?:[\pL\pN_:.-]*[\pL\pN_])?)`)

// Invisible characters are taken for part of a tag too: models read over them.
const unseen = `[\s\p{Z}\p{C}]*`

// markupOf forbids the tags of a template, open or closed; the beginning of one
// at a text's very end, which what follows could complete; the marks by which
// chat templates of common open models tell the turns of a conversation apart;
// and what looks like a citation of ours.
func markupOf(template string) markup {
	tags := []string{`\z`}
	for _, found := range tag().FindAllStringSubmatch(template, -1) {
		tags = append(tags, regexp.QuoteMeta(found[1])+end(found[1]))
	}
	slices.Sort(tags)
	return markup{regexp.MustCompile(`(?i)<(` + unseen + `/?` + unseen + `(?:` + strings.Join(slices.Compact(tags), "|") + `))` +
		`|<([|｜]|/?s>|/?think|<SYS|</SYS|(?:start|end)_of_turn)` +
		`|\[(/?INST\]|[fnce]:[0-9a-f]{8})`)}
}

// end keeps a tag from being found at the start of a longer word. A boundary is
// known beside ASCII letters only; other names forbid the longer ones as well.
func end(name string) string {
	if name[len(name)-1] < utf8.RuneSelf {
		return `\b`
	}
	return ""
}

// text makes a text safe. The only characters it changes are the opening
// brackets of markup, which become ‹, and broken UTF-8.
func (m markup) text(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	return m.forbidden.ReplaceAllString(s, "‹$1$2$3")
}

// line makes a text safe to stand in a line of a list: no line follows it that
// it wrote itself.
func (m markup) line(s string) string { return m.text(oneLine(s)) }
