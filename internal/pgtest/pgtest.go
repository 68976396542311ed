// Package pgtest gives every test a PostgreSQL database of its own.
//
// The server is the one named by ANNALS_TEST_DATABASE_URL, or else a private
// cluster that all test programs share and `make test` stops. A migrated
// database is a copy of a template, made in about 70 ms.
package pgtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver that pgtestdb opens databases with
	"github.com/peterldowns/pgtestdb"

	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/postgres"
)

// New returns the URL of a fresh, migrated database. It is dropped when the
// test passes, and kept for a look when it fails.
//
// With ANNALS_TEST_TEMPLATE it is a copy of that database of the cluster, so that any
// test of one server may be tried on several: see package citus.
func New(t testing.TB) string {
	if template := os.Getenv("ANNALS_TEST_TEMPLATE"); template != "" {
		return CopyCluster(t, template)
	}
	return create(t, migrated{})
}

// Empty returns the URL of a fresh database with nothing in it.
func Empty(t testing.TB) string { return create(t, empty{}) }

func create(t testing.TB, m pgtestdb.Migrator) string {
	t.Helper()
	server, err := serverConfig()
	if err != nil {
		t.Fatalf("no PostgreSQL to test with: %v", err)
	}
	return pgtestdb.Custom(t, server, m).URL()
}

var serverConfig = sync.OnceValues(func() (pgtestdb.Config, error) {
	address := os.Getenv("ANNALS_TEST_DATABASE_URL")
	if address == "" {
		cluster, err := postgres.Start(context.Background(), postgres.Config{DataDir: DataDir(), Memory: clusterMemory})
		if err != nil {
			return pgtestdb.Config{}, err
		}
		address = cluster.URL()
		if err := hurry(address); err != nil {
			return pgtestdb.Config{}, err
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		return pgtestdb.Config{}, fmt.Errorf("read ANNALS_TEST_DATABASE_URL: %w", err)
	}
	password, _ := u.User.Password()
	return pgtestdb.Config{
		DriverName: "pgx", User: u.User.Username(), Password: password, Host: u.Hostname(), Port: u.Port(),
		Database: u.Path[1:], Options: cmp.Or(u.RawQuery, "sslmode=prefer"), ForceTerminateConnections: true,
		// Migrations create extensions.
		TestRole: &pgtestdb.Role{Username: "annals_test", Password: "annals_test", Capabilities: "SUPERUSER"},
	}, nil
})

// hurry lets the cluster leave to the system when to write to the disk: each test that
// drops its database would else wait until all that others wrote is there.
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

// clusterMemory is what the shared cluster reckons with: others test on the machine.
const clusterMemory = 1 << 30

// DataDir is where the cluster that all test programs share is kept.
func DataDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("annals-pgtest-%d", os.Getuid()))
}

// migrated makes databases that have the schema of Annals.
type migrated struct{}

// Hash names the schema: it changes when a migration does.
func (migrated) Hash() (string, error) {
	hash := sha256.New()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %x\n", name, sha256.Sum256(text))
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

// Migrate runs the migrations as a user's first `annals migrate up` does.
func (migrated) Migrate(ctx context.Context, _ *sql.DB, config pgtestdb.Config) error {
	_, err := migrations.Up(ctx, config.URL(), migrations.Options{})
	return err
}

// empty makes databases with nothing in them.
type empty struct{}

// Hash names the template.
func (empty) Hash() (string, error) { return "empty", nil }

// Migrate leaves the database as it is.
func (empty) Migrate(context.Context, *sql.DB, pgtestdb.Config) error { return nil }

// Example returns the URL of a fresh, migrated database for an Example, which
// has no testing.TB, and the function that drops it.
func Example() (url string, drop func()) {
	e := &example{}
	return New(e), e.drop
}

// ExampleEmpty is [Example] with a database that has nothing in it.
func ExampleEmpty() (url string, drop func()) {
	e := &example{}
	return Empty(e), e.drop
}

// example stands in for the testing.TB that an Example lacks.
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
func (e *example) Failed() bool              { return false }
func (e *example) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
func (e *example) Helper()                   {}
func (e *example) Logf(string, ...any)       {}
