package archive_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// golden returns the lines of an export in version 2 of the format, with vectors, of a group with a
// history.
func golden(t *testing.T) []string {
	t.Helper()
	file, err := os.Open("testdata/version2.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

// versionOne converts a file of version 2 to one from before the first release, without some
// columns.
func versionOne(t *testing.T, lines []string) string {
	t.Helper()
	file := strings.Join(lines[:len(lines)-1], "")
	for text, before := range map[string]string{
		`"export","version":2`: `"export","version":1`,
		`,"name":"","description":"","time_zone":"","updated_at":"2026-11-22T15:48:00.075616+00:00"}}`: `}}`,
		`"created_at":null,"metadata":{}}}`: `"created_at":null}}`,
	} {
		if strings.Count(file, text) != 1 {
			t.Fatalf("%q is in the file %d times", text, strings.Count(file, text))
		}
		file = strings.Replace(file, text, before, 1)
	}
	return file + fmt.Sprintf("{\"lines\":%d,\"sha256\":\"%x\"}\n", len(lines)-1, sha256.Sum256([]byte(file)))
}

// A file of another version is read, and written with the same bytes. Newer columns may follow.
func TestFilesOfOtherVersions(t *testing.T) {
	t.Parallel()
	want := golden(t)
	for name, file := range map[string]string{"version 2": strings.Join(want, ""), "version 1": versionOne(t, want)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if _, err := client.Import(t.Context(), strings.NewReader(file), annals.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			var again bytes.Buffer
			if _, err := client.Export(t.Context(), "t", &again, annals.ExportOptions{Vectors: true}); err != nil {
				t.Fatal(err)
			}
			got := slices.Collect(strings.Lines(again.String()))
			if len(got) != len(want) {
				t.Fatalf("%d lines became %d", len(want), len(got))
			}
			for i := 1; i < len(want)-1; i++ { // the first and the last name the writer
				if got[i] != want[i] && !addsColumns(t, got[i], want[i]) {
					t.Errorf("line %d:\n%s became\n%s", i+1, want[i], got[i])
				}
			}
		})
	}
}

// addsColumns reports whether a row has the columns of another row and more.
func addsColumns(t *testing.T, line, before string) bool {
	t.Helper()
	var now, then struct {
		Table string
		Row   map[string]json.RawMessage
	}
	for text, into := range map[string]any{line: &now, before: &then} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	for column, value := range then.Row {
		if !bytes.Equal(now.Row[column], value) {
			return false
		}
	}
	return now.Table == then.Table && len(now.Row) > len(then.Row)
}
