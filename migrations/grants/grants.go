// Package grants holds the SQL scripts that grant the rights Annals needs, for
// administrators. The placeholders {owner}, {app} and {database} stand for their values.
package grants

import _ "embed"

// Before runs before the first migration, After after every migration.
var (
	//go:embed before.sql
	Before string
	//go:embed after.sql
	After string
)
