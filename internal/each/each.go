// Package each converts, counts and sorts lists.
package each

import (
	"fmt"
	"sort"
	"strings"
)

// Of converts each item, in order. It never returns nil.
func Of[From, To any](items []From, convert func(From) To) []To {
	out := make([]To, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}

// Try converts each item, in order, until one fails.
func Try[From, To any](items []From, convert func(From) (To, error)) (out []To, err error) {
	out = make([]To, len(items))
	for i, item := range items {
		if out[i], err = convert(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Count returns a number with its noun: 1 fact, 2 facts, 2 entities.
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

// Sort sorts rows stably, like [slices.SortStableFunc]. That function is compiled for each
// type; this one saves ten kilobytes of the program for large rows that are rarely sorted.
func Sort[T any](rows []T, compare func(a, b T) int) {
	sort.SliceStable(rows, func(i, j int) bool { return compare(rows[i], rows[j]) < 0 })
}
