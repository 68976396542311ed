package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

func export(t *testing.T, client *annals.Client, group string, options annals.ExportOptions) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := client.Export(t.Context(), group, &file, options); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestExportImportExport(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for name, options := range map[string]annals.ExportOptions{"without vectors": {}, "with vectors": {Vectors: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, url := clienttest.New(t)
			clienttest.Lived(t, here, url)
			file := export(t, here, "t", options)
			for _, table := range db.MovedTables {
				if got := bytes.Contains(file, []byte(`{"table":"`+table.Name+`"`)); got == table.Vectors && !options.Vectors {
					t.Errorf("rows of %s in the export: %v", table.Name, got)
				}
			}
			there, thereURL := clienttest.New(t)
			if _, err := there.Import(t.Context(), bytes.NewReader(file), annals.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			if again := export(t, there, "t", options); !bytes.Equal(file, again) {
				t.Errorf("the export of the import differs: %s", firstDifference(file, again))
			}
			sameDerived(t, url, thereURL)
			sameAnswers(t, here, there)
		})
	}
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// sameDerived compares what triggers and the embedder made of the rows.
func sameDerived(t *testing.T, url, other string) {
	t.Helper()
	read := func(url, query string) []string {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
		rows, err := conn.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	for _, query := range []string{
		`SELECT p::text FROM annals_internal.all_postings p ORDER BY 1`,
		`SELECT n::text FROM annals_internal.entity_names n ORDER BY 1`,
		`SELECT (e.id, e.terms, e.length, encode(e.content_hash, 'hex'))::text FROM annals.episodes e ORDER BY 1`,
		`SELECT (f.id, f.terms, f.length)::text FROM annals.facts f ORDER BY 1`,
		`SELECT (n.id, n.terms, n.length)::text FROM annals.entities n ORDER BY 1`,
		`SELECT (c.id, c.terms, c.length)::text FROM annals.communities c ORDER BY 1`,
		`SELECT (f.id, f.recorded, f.terms, f.length)::text FROM annals_internal.facts_history f ORDER BY 1`,
		`SELECT (n.id, n.recorded, n.terms, n.length)::text FROM annals_internal.entities_history n ORDER BY 1`,
		`SELECT (c.id, c.recorded, c.terms, c.length)::text FROM annals_internal.communities_history c ORDER BY 1`,
		`SELECT v::text FROM annals_internal.entity_embeddings v ORDER BY 1`,
		`SELECT v::text FROM annals_internal.fact_embeddings v ORDER BY 1`,
		`SELECT v::text FROM annals_internal.episode_embeddings v ORDER BY 1`,
		// Not the vector of the community: what expired leaves it without words, to be made anew.
	} {
		want, got := read(url, query), read(other, query)
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("%s: %d rows, then %d, or others", query, len(want), len(got))
		}
	}
}

func sameAnswers(t *testing.T, here, there *annals.Client) {
	t.Helper()
	query := annals.Query{GroupID: "t", Text: "Where does Alice live?"}
	want, err := here.Context(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	got, err := there.Context(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if want != got {
		t.Errorf("the same question has another answer:\n%s\n%s", want, got)
	}
}
