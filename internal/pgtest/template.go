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

// template is a database that tests get copies of, made once for a server.
type template struct {
	name func() (string, error) // other where what it holds is another
	fill func(ctx context.Context, url string) error
	made func() (name string, err error)
}

var (
	migrated = newTemplate(migratedName, func(ctx context.Context, url string) error {
		_, err := migrations.Up(ctx, url, migrations.Options{}) // as a user's first `annals migrate up` does
		return err
	})
	empty = newTemplate(func() (string, error) { return "annals_test_empty", nil }, func(context.Context, string) error { return nil })
)

func newTemplate(name func() (string, error), fill func(context.Context, string) error) *template {
	t := &template{name: name, fill: fill}
	t.made = sync.OnceValues(t.make)
	return t
}

// migratedName changes when a migration does.
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

// make makes the template unless another program has. One that was given up half made
// is no template yet, and is made anew.
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

// inServer is the URL of another database of a server. It has parameters, so that a test may
// add one.
func inServer(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic("pgtest: " + err.Error()) // it was connected to
	}
	u.Path = "/" + database
	if u.RawQuery == "" {
		u.RawQuery = "sslmode=prefer" // as without
	}
	return u.String()
}

// copies counts the databases that this program has made.
var copies atomic.Int64

// copy makes a test's database of the template: file by file, which takes a quarter
// of the time of PostgreSQL's default, page by page through its log. Of most tests it
// is the largest part, which is why no library does it: none has a setting for that.
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
