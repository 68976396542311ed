// Package pattern has regular expressions that are compiled when first used. The rules and the
// checks of Annals have a hundred, and most programs that import it use few of them.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern gives a regular expression, which it compiles when first called.
type Pattern func() *regexp.Regexp

// New is the pattern of an expression that is well formed: TestPatterns of the root package
// compiles all of them.
func New(expression string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
