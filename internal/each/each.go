// Package each converts, filters, groups, counts and sorts lists.
package each

import (
	"fmt"
	"slices"
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

// Where returns the items that meet a condition, in order; nil: none does.
func Where[T any](items []T, meets func(T) bool) (kept []T) {
	for _, item := range items {
		if meets(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

// Map makes an entry of each item. Of equal keys the last counts.
func Map[From any, Key comparable, To any](items []From, entry func(From) (Key, To)) map[Key]To {
	out := make(map[Key]To, len(items))
	for _, item := range items {
		key, value := entry(item)
		out[key] = value
	}
	return out
}

// Groups lists what the items of each key become, in order.
func Groups[From any, Key comparable, To any](items []From, entry func(From) (Key, To)) map[Key][]To {
	out := map[Key][]To{}
	for _, item := range items {
		key, value := entry(item)
		out[key] = append(out[key], value)
	}
	return out
}

// Set has true for each item of the lists.
func Set[T comparable](lists ...[]T) map[T]bool {
	return Map(slices.Concat(lists...), func(item T) (T, bool) { return item, true })
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
