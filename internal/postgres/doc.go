// Package postgres runs a private PostgreSQL for users who have none: it finds
// the server's binaries, makes a cluster in a directory of its own, starts it,
// finds it running again, and stops it.
//
// The cluster is an ordinary one with ordinary durability: a crash loses
// nothing that was committed. It listens on a Unix socket in a directory that
// only its owner can enter, and on TCP only when asked.
package postgres
