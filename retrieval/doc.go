// Package retrieval is not an API: it may change with every release. It reads the
// graph: φ searches each scope by several methods, ρ fuses their rankings, χ puts
// what was found into a context string (Zep, arXiv 2501.13956, section 3).
package retrieval
