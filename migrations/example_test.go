package migrations_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that goose opens the database with
	"github.com/pressly/goose/v3"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
)

// A program migrates its own database when it starts. Of several that start at once, one works and
// the others wait.
func ExampleUp() {
	url, drop := pgtest.ExampleEmpty()
	defer drop()

	applied, err := migrations.Up(context.Background(), url, migrations.Options{
		Notice: func(severity, message string) { log.Println(severity, message) },
	})
	if err != nil {
		log.Fatal(err)
	}
	again, err := migrations.Up(context.Background(), url, migrations.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(applied[0].Name, len(applied) == int(migrations.Newest()), len(again))
	// Output: 00001_schema.sql true 0
}

// A script for the tool that deploys an application's other migrations, here for an application
// that already has the first four.
func ExampleSQL() {
	script, err := migrations.SQL(5, 0, 0)
	if err != nil {
		log.Fatal(err)
	}
	first, _, _ := strings.Cut(script, "\n")
	fmt.Println(first)
	fmt.Println(strings.Count(script, "CALL annals_internal.begin_migration("), "of", migrations.Newest(), "migrations")
	// Output:
	// -- Needs PostgreSQL 15, the extensions vector, btree_gist, pg_trgm and unaccent or the right to make them, and the right to make schemas: 'annals migrate grants'.
	// 16 of 20 migrations
}

// The application runs the files with its own goose.
func ExampleFS() {
	url, drop := pgtest.ExampleEmpty()
	defer drop()
	database, err := sql.Open("pgx", url)
	if err != nil {
		log.Fatal(err)
	}
	defer database.Close()

	provider, err := goose.NewProvider(goose.DialectPostgres, database, migrations.FS)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := provider.Up(context.Background()); err != nil {
		log.Fatal(err)
	}
	pending, err := migrations.Pending(context.Background(), url)
	fmt.Println(len(pending), err)
	// Output: 0 <nil>
}
