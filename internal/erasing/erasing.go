// Package erasing carries in a context that its caller has no right to erase. Doors set
// it for keys that may not; what writes to the database tells it to its triggers.
package erasing

import "context"

type forbidden struct{}

// Forbid returns a context whose caller may not erase.
func Forbid(ctx context.Context) context.Context {
	return context.WithValue(ctx, forbidden{}, true)
}

// Forbidden reports whether the caller of a context may not erase.
func Forbidden(ctx context.Context) bool {
	is, _ := ctx.Value(forbidden{}).(bool)
	return is
}
