// Package retrieval is not an API: it may change with every release. It reads the graph: φ searches
// each scope by several methods, ρ fuses their rankings, χ puts what was found into a context
// string (Zep, arXiv 2501.13956, section 3).
//
// A search runs through the files in this order: query.go holds the query, and plan.go what follows
// from it; search.go runs the search; methods.go builds the rankings that look.go and around.go
// read from the database; fusion.go and rerank.go order the hits; notes.go writes what became of
// them. Package construct makes the string.
package retrieval
