// Package citus runs the memory on a real Citus cluster, a coordinator and two
// workers, and compares it with a single server that holds the same rows.
//
// It contains only tests. They need Citus, and are skipped without it:
//
//	make test-citus
package citus
