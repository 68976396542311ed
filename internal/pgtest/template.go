package pgtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/migrations"
)

// template is a database that tests copy, created once per server.
type template struct {
	name func() (string, error) // depends on the content
	fill func(ctx context.Context, url string) error
	made func() (name string, err error)
}

var (
	migrated = newTemplate(migratedName, func(ctx context.Context, url string) error {
		_, err := migrations.Up(ctx, url, migrations.Options{}) // as the first `annals migrate up` does
		return err
	})
	empty = newTemplate(func() (string, error) { return "annals_test_empty", nil }, func(context.Context, string) error { return nil })
)

func newTemplate(name func() (string, error), fill func(context.Context, string) error) *template {
	t := &template{name: name, fill: fill}
	t.made = sync.OnceValues(t.make)
	return t
}

// migratedName returns a name that changes with the migrations.
func migratedName() (string, error) {
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
	return fmt.Sprintf("annals_test_%x", hash.Sum(nil)[:8]), nil
}

// make creates the template unless another program has. An unfinished one is not marked as
// template and is created again.
func (t *template) make() (string, error) {
	name, err := t.name()
	if err != nil {
		return "", err
	}
	address, err := server()
	if err != nil {
		return "", err
	}
	return name, t.makeIn(context.Background(), address, name)
}

func (t *template) makeIn(ctx context.Context, address, name string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('templates of the tests'))`); err != nil { // until conn is closed
		return err
	}
	there := false
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)`, name).Scan(&there); there || err != nil {
		return err
	}
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`, `CREATE DATABASE ` + name} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	if err := t.fill(ctx, inServer(address, name)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `ALTER DATABASE `+name+` IS_TEMPLATE true`)
	return err
}

// inServer returns the URL of another database of a server. The URL has a parameter, so that
// a test may append further ones.
func inServer(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic("pgtest: " + err.Error()) // it was connected to before
	}
	u.Path = "/" + database
	if u.RawQuery == "" {
		u.RawQuery = "sslmode=prefer" // the default
	}
	return u.String()
}

// copies counts the databases of this program.
var copies atomic.Int64

// copy creates a test's database from the template, file by file. PostgreSQL's default, page
// by page through its log, takes four times as long. Copying is the largest part of most
// tests; no library for test databases has a setting for this.
func (t *template) copy(tb testing.TB) string {
	tb.Helper()
	original, err := t.made()
	if err != nil {
		tb.Fatalf("no PostgreSQL to test with: %v", err)
	}
	address, err := server()
	if err != nil {
		tb.Fatalf("no PostgreSQL to test with: %v", err)
	}
	name := fmt.Sprintf("annals_test_%d_%d", time.Now().UnixNano(), copies.Add(1))
	if err := copyDatabase(address, original, name); err != nil {
		tb.Fatalf("copy %s: %v", original, err)
	}
	made := inServer(address, name)
	tb.Logf("the test's database: %s", made)
	tb.Cleanup(func() {
		if tb.Failed() {
			return
		}
		if err := dropDatabase(address, name); err != nil {
			tb.Errorf("drop the test's database: %v", err)
		}
	})
	return made
}
