package pooler

import (
	"slices"
	"strings"
)

// Once wraps a connection error so that equal attempts are reported once: with
// and without TLS the server mostly gives the same answer.
func Once(err error) error { return once{err} }

type once struct{ error }

func (o once) Error() string {
	var lines []string
	for line := range strings.Lines(o.error.Error()) {
		line = strings.TrimSpace(line)
		if !slices.ContainsFunc(lines, func(said string) bool { return strings.HasSuffix(said, line) }) {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

func (o once) Unwrap() error { return o.error }
