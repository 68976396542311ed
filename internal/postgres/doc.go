// Package postgres runs a private PostgreSQL for users without one. It finds
// the server's binaries, creates a cluster in a directory of its own, starts
// it, recognises it when it runs, and stops it.
//
// It is an ordinary cluster with full durability: a crash loses no committed
// transaction. It listens on a Unix socket in a directory that only its owner
// can enter, and on TCP only on request.
package postgres
