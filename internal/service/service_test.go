package service_test

import (
	"context"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		aliceMoved.Drop()
		os.Exit(code)
	}))
}

// open creates a database and a memory in it.
func open(t *testing.T) (client *annals.Client, url string) {
	t.Helper()
	url = pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, url
}

// run runs an SQL script.
func run(t *testing.T, url, script string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), script); err != nil {
		t.Fatal(err)
	}
}

// count returns the number that a query selects.
func count(t *testing.T, url, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// script reads an SQL script of testdata/lists.
func script(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/lists/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every method of Service has an example, which also documents it.
func TestEveryMethodHasAnExample(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range doc.Examples(file) {
			shown[strings.TrimPrefix(example.Name, "Service_")] = example.Output != ""
		}
	}
	methods := reflect.TypeFor[*service.Service]()
	for i := range methods.NumMethod() {
		if name := methods.Method(i).Name; !shown[name] {
			t.Errorf("Service.%s has no example with an output", name)
		}
	}
}
