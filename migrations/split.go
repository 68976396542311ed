package migrations

import (
	"regexp"
	"strings"
)

// quoted matches text whose semicolons end no statement: comments, strings, names,
// and SQL function bodies. dollar matches the start of a dollar-quoted body.
var quoted = regexp.MustCompile(`(?s)^(?:--[^\n]*|/\*.*?\*/|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"[^"]*"|BEGIN ATOMIC\b.*?\nEND;)`)

var dollar = regexp.MustCompile(`^\$\w*\$`)

// statements splits SQL into statements.
func statements(text string) (found []string) {
	begins := 0
	for i := 0; i < len(text); {
		rest := text[i:]
		isWord := i > 0 && isLetter(text[i-1])
		if tag := dollar.FindString(rest); tag != "" && !isWord {
			end := strings.Index(rest[len(tag):], tag)
			if end < 0 {
				break
			}
			i += end + 2*len(tag)
			continue
		}
		if skip := quoted.FindString(rest); skip != "" && !(isWord && isLetter(rest[0])) {
			i += len(skip)
			if !strings.HasPrefix(skip, "BEGIN ATOMIC") {
				continue
			}
			i--
		}
		i++
		if text[i-1] == ';' {
			found = append(found, strings.TrimSpace(text[begins:i]))
			begins = i
		}
	}
	if last := strings.TrimSpace(text[begins:]); quoted.ReplaceAllString(last, "") != "" {
		found = append(found, last)
	}
	return found
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
