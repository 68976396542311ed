// Package pgtest gives every test a PostgreSQL database of its own.
//
// The server is that of ANNALS_TEST_DATABASE_URL, whose user must be a superuser. By
// default it is a private cluster that all test programs share and `make test` stops. A
// database is a copy of a template.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"github.com/annalsdb/annals/internal/postgres"
)

// New returns the URL of a fresh, migrated database. It is dropped when the test
// passes, and kept for inspection when the test fails.
//
// With ANNALS_TEST_TEMPLATE it is a copy of that database of the cluster, so that tests
// of one server can run on several: see package citus.
func New(t testing.TB) string {
	t.Helper()
	if template := os.Getenv("ANNALS_TEST_TEMPLATE"); template != "" {
		return CopyCluster(t, template)
	}
	return migrated.copy(t)
}

// Empty returns the URL of a fresh, empty database.
func Empty(t testing.TB) string {
	t.Helper()
	return empty.copy(t)
}

// server returns the URL of the server that the tests share.
var server = sync.OnceValues(func() (string, error) {
	if address := os.Getenv("ANNALS_TEST_DATABASE_URL"); address != "" {
		return address, nil
	}
	cluster, err := postgres.Start(context.Background(), postgres.Config{DataDir: DataDir(), Memory: clusterMemory})
	if err != nil {
		return "", err
	}
	return cluster.URL(), hurry(cluster.URL())
})

// hurry turns off fsync in the cluster. Otherwise each test that drops its database
// would wait for all writes of others.
func hurry(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range []string{"ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("turn off fsync in the cluster of the tests: %w", err)
		}
	}
	return nil
}

// clusterMemory is the memory that the shared cluster is configured for, small since
// other tests run on the machine.
const clusterMemory = 1 << 30

// DataDir returns the folder of the shared cluster. It is in memory if the system has
// enough and TMPDIR is not set. A test's database consists of a thousand files, which
// are created twenty times faster there than on a disk.
func DataDir() string {
	dir := os.TempDir()
	var memory unix.Statfs_t
	if os.Getenv("TMPDIR") == "" && unix.Statfs(memoryDir, &memory) == nil && memory.Blocks*uint64(memory.Bsize) >= memoryNeeded {
		dir = memoryDir
	}
	return filepath.Join(dir, fmt.Sprintf("annals-pgtest-%d", os.Getuid()))
}

const (
	memoryDir    = "/dev/shm"
	memoryNeeded = 6 << 30 // bytes; about a third of it is used
)

// Stop stops the shared cluster and, with remove, deletes it.
func Stop(ctx context.Context, remove bool) error {
	if err := postgres.Stop(ctx, postgres.Config{DataDir: DataDir()}); err != nil || !remove {
		return err
	}
	return os.RemoveAll(DataDir())
}

// Example returns the URL of a fresh, migrated database for an Example, which has no
// testing.TB, and a function that drops it.
func Example() (url string, drop func()) {
	e := &example{}
	return New(e), e.drop
}

// ExampleEmpty is [Example] with an empty database.
func ExampleEmpty() (url string, drop func()) {
	e := &example{}
	return Empty(e), e.drop
}

// Prepared is a database of which examples with the same start get copies.
type Prepared struct {
	template template
	drop     func()
}

// Prepare returns a migrated database that fill fills once, when the first example
// needs it. fill must leave no connection open.
func Prepare(fill func(url string) error) *Prepared {
	p := &Prepared{drop: func() {}}
	p.template.made = sync.OnceValues(func() (string, error) {
		var address string
		address, p.drop = Example()
		u, err := url.Parse(address)
		if err != nil {
			return "", err
		}
		return strings.TrimPrefix(u.Path, "/"), fill(address)
	})
	return p
}

// Example is [Example] with a copy of the prepared database.
func (p *Prepared) Example() (url string, drop func()) {
	e := &example{}
	return p.template.copy(e), e.drop
}

// Drop drops the prepared database, at the end of the program.
func (p *Prepared) Drop() { p.drop() }

// example implements testing.TB for an Example, which has none.
type example struct {
	testing.TB
	cleanups []func()
}

func (e *example) drop() {
	for _, f := range slices.Backward(e.cleanups) {
		f()
	}
}

func (e *example) Cleanup(f func())          { e.cleanups = append(e.cleanups, f) }
func (e *example) Errorf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
func (e *example) Failed() bool              { return false }
func (e *example) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
func (e *example) Helper()                   {}
func (e *example) Logf(string, ...any)       {}
