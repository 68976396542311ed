// Package each turns the items of a list into others.
package each

// Of returns what convert makes of each item, in order; never nil.
func Of[From, To any](items []From, convert func(From) To) []To {
	out := make([]To, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}
