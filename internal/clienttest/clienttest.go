// Package clienttest opens clients in tests.
package clienttest

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Open opens a client that is closed when the test ends. Without a database in
// config it gets a new one.
func Open(t testing.TB, config annals.Config) *annals.Client {
	t.Helper()
	if config.DatabaseURL == "" && config.Pool == nil {
		config.DatabaseURL = pgtest.New(t)
	}
	client, err := annals.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// New opens a client on a new database and returns it with the database's URL.
func New(t testing.TB) (client *annals.Client, url string) {
	t.Helper()
	url = pgtest.New(t)
	return Open(t, annals.Config{DatabaseURL: url}), url
}
