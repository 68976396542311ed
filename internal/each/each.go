// Package each turns the items of a list into others, and says how many there are.
package each

import (
	"fmt"
	"sort"
	"strings"
)

// Of returns what convert makes of each item, in order; never nil.
func Of[From, To any](items []From, convert func(From) To) []To {
	out := make([]To, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// Count is how many things there are, in words: 1 fact, 2 facts, 2 entities.
func Count[N ~int | ~int32 | ~int64](n N, thing string) string {
	switch rest, y := strings.CutSuffix(thing, "y"); {
	case n == 1:
	case y:
		thing = rest + "ies"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Sort sorts rows as [slices.SortStableFunc] does. It moves them by their size, where that
// one is compiled for each type: for big rows that are sorted seldom the program is ten
// kilobytes lighter.
func Sort[T any](rows []T, compare func(a, b T) int) {
	sort.SliceStable(rows, func(i, j int) bool { return compare(rows[i], rows[j]) < 0 })
}
