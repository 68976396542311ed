package mem0_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/annalsdb/annals/internal/archive/mem0"
)

// For any file, reading terminates, and what it returns can be stored.
func FuzzMemories(f *testing.F) {
	text, err := os.ReadFile("testdata/export.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"results": [], "memories": null}{"memory": "a"}[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := mem0.NewReader(bytes.NewReader(data), mem0.Options{GroupID: "acme:*"})
		for {
			e, _, err := r.Next()
			if err != nil {
				return
			}
			if err := e.Validate(); err != nil {
				t.Fatalf("%q gives %+v: %v", data, e, err)
			}
		}
	})
}
