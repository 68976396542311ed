package db

import (
	"strings"

	"github.com/annalsdb/annals/graph"
)

// VectorTable is the table of the vectors of a kind.
func VectorTable(kind graph.Kind) string { return "annals_internal." + string(kind) + "_embeddings" }

func ownerColumn(kind graph.Kind) string { return string(kind) + "_id" }

// QuoteLiteral writes a string as a literal of SQL that means that string whatever
// standard_conforming_strings is, as libpq's PQescapeLiteral does. PostgreSQL itself refuses NUL
// and bytes that are not UTF-8.
func QuoteLiteral(s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
