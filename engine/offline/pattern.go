package offline

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used. The rules have a
// hundred of them, which a program that never reads a text with them does not pay for.
type pattern func() *regexp.Regexp

func newPattern(expression string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
