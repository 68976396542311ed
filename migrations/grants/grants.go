// Package grants has the rights that Annals needs, for administrators to run. The names in
// braces, {owner}, {app} and {database}, stand for those that are given.
package grants

import _ "embed"

// Before comes before the first migration, After after each.
var (
	//go:embed before.sql
	Before string
	//go:embed after.sql
	After string
)
