package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// The dump of another program is refused, or converted to an export whose lines can all be read.
func FuzzConvert(f *testing.F) {
	for _, name := range []string{"zep.json", "graphiti.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", "foreign", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, name == "zep.json")
	}
	f.Add([]byte(`{"episodes": [{"uuid": "x"}]}`), true)
	f.Add([]byte(`{"type":"node","id":"1","labels":["Entity"],"properties":{"uuid":"6a1b2c3d-0000-4000-8000-000000000011","name":"Ann"}}`), false)
	f.Fuzz(func(t *testing.T, data []byte, zep bool) {
		from := FromGraphiti
		if zep {
			from = FromZep
		}
		var out bytes.Buffer
		if _, err := Convert(Conversion{From: from, GroupID: "g"}, bytes.NewReader(data), &out); err != nil {
			return
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Fatalf("%q becomes the line %q", data, line)
			}
		}
		if err := scan(&out); err != nil {
			t.Fatalf("%q becomes an export that cannot be read: %v", data, err)
		}
	})
}

// scan reads an export to its end.
func scan(r io.Reader) error {
	lines := newReader(r)
	if _, err := lines.header(); err != nil {
		return err
	}
	for {
		_, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// An export that is damaged anywhere is refused, not partly read as if complete.
func FuzzLines(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", "foreign", "graphiti.json"))
	if err != nil {
		f.Fatal(err)
	}
	var whole bytes.Buffer
	if _, err := Convert(Conversion{From: FromGraphiti, GroupID: "g"}, bytes.NewReader(text), &whole); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add([]byte("{}\n{}\n"))
	f.Add([]byte(`{"annals":`))
	original := whole.Bytes()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := scan(bytes.NewReader(data)); err == nil && bytes.HasPrefix(original, data) && len(data) < len(original) {
			t.Fatalf("an export that breaks off after %d of %d bytes is read as if whole", len(data), len(original))
		}
	})
}
