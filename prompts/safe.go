package prompts

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/fence"
)

// disarm makes text safe to stand between the tags of a prompt.
var disarm = sync.OnceValue(func() fence.Fence { return fence.New() })

// data makes a text safe to stand between tags.
func data(s string) string { return disarm().Text(s) }

// line makes a text safe to stand in a line of a list, and to be read as no note of ours.
func line(s string) string { return disarm().Said(s) }

// open writes an opening tag. Attributes follow as name and value; those
// without a value are left out.
func open(tag string, attributes ...string) string {
	var b strings.Builder
	b.WriteString("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		if value := disarm().Value(attributes[i+1]); value != "" {
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

// noted makes a line safe that has our notes already.
func noted(s string) string { return disarm().Line(s) }
