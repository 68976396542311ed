// Package erasing marks a context whose caller may not erase. Doors set the mark for
// keys without that right, and writes pass it to the triggers of the database.
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
