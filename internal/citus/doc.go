// Package citus runs the memory on a real Citus cluster, a coordinator and two
// workers, and compares it with one server that has the same rows.
//
// It holds nothing but tests. They need Citus, and are skipped without it:
//
//	make test-citus
package citus
