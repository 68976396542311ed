package prompts

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/fence"
)

// disarm makes text safe between the tags of a prompt.
var disarm = sync.OnceValue(func() fence.Fence { return fence.New() })

// data makes a text safe between tags.
func data(s string) string { return disarm().Text(s) }

// line makes a text safe in a line of a list, so that it cannot pass for a note of ours.
func line(s string) string { return disarm().Said(s) }

// open writes an opening tag. Attributes follow as name and value; those with an empty value are
// left out.
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

// cut shortens context to a number of bytes, at a character boundary.
func cut(limit int, s string) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + " …"
}

// noted makes a line safe that already contains our notes.
func noted(s string) string { return disarm().Line(s) }
