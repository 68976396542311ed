// Package retrieval is not an API: it may change with every release. It reads the
// graph: φ searches each scope by several methods, ρ fuses their rankings, χ puts
// what was found into a context string (Zep, arXiv 2501.13956, section 3).
//
// A search goes on from file to file: query.go says what is asked, and plan.go what
// follows from that; search.go is its course; look.go and around.go ask the database for
// what ranks, and methods.go says what for; fusion.go and rerank.go put the hits in order; notes.go tells what became of them. Package
// construct makes the string.
package retrieval
