// Package pattern provides regular expressions that are compiled at first use. Annals has
// about a hundred, and most programs use few of them.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression, which the first call compiles.
type Pattern func() *regexp.Regexp

// New returns the pattern of a valid expression. TestPatterns of the root package compiles
// all of them.
func New(expression string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
