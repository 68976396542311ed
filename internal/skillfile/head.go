package skillfile

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
)

var setting = regexp.MustCompile(`^( *)([\w-]+):(?:[ \t]+(.*))?$`)

// headOf reads the head of a SKILL.md, between lines of ---, as names with texts,
// including nested ones. It supports the part of YAML that such files use: quoted, plain
// and multi-line texts. Lists are ignored.
func headOf(lines string) (map[string]string, error) {
	said := map[string]string{}
	key, depth := "", 0
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, " \t\n")
		text := strings.TrimLeft(line, " ")
		switch m := setting.FindStringSubmatch(line); {
		case text == "" || text[0] == '#':
		case said[key] != "" && len(line)-len(text) > depth: // a continuation line
			said[key] += " " + text
		case m != nil:
			key, depth = m[2], len(m[1])
			said[key] = m[3]
		case text[0] != '-':
			return nil, graph.Invalid("file", "does not begin with YAML: %q", line)
		}
	}
	for key, text := range said {
		text, err := unquoted(text)
		if err != nil {
			return nil, graph.Invalid("file", "does not begin with YAML: the text of %s has no end", key)
		}
		said[key] = text
	}
	return said, nil
}

// ofLines matches YAML's sign for a multi-line text.
var ofLines = regexp.MustCompile(`^[>|][+-]? `)

func unquoted(text string) (string, error) {
	switch {
	case strings.HasPrefix(text, `"`):
		return strconv.Unquote(strings.ReplaceAll(text, `\/`, `/`))
	case strings.HasPrefix(text, `'`):
		inner, closed := strings.CutSuffix(text[1:], `'`)
		if !closed {
			return "", strconv.ErrSyntax
		}
		return strings.ReplaceAll(inner, `''`, `'`), nil
	}
	if strings.HasPrefix(text, "[") && !strings.HasSuffix(text, "]") || strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "}") {
		return "", strconv.ErrSyntax
	}
	return ofLines.ReplaceAllString(text, ""), nil
}
