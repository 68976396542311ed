package retrieval_test

import (
	"encoding/json"
	"testing"

	"github.com/annalsdb/annals/retrieval"
)

// A parsed filter is refused with a reason, or can be written and parsed again.
func FuzzParseFilter(f *testing.F) {
	for _, text := range []string{
		`{"labels": ["Person"], "predicates": ["LIVES_IN"], "valid": [[{"op": "gte", "at": "2024-01-01"}]]}`,
		`{"attributes": {"and": [{"key": "plan", "op": "=", "value": "pro"}, {"or": [{"key": "n", "op": ">", "value": 1.5}]}]}}`,
		`{"metadata": {"not": {"key": "x", "op": "exists"}}}`, `{"created": [[{"op": "lt", "at": "now"}]]}`, `{}`, `null`, `{"x": 1}`, `[`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := retrieval.ParseFilter(text)
		if err != nil || filter == nil {
			return
		}
		written, err := json.Marshal(filter)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := retrieval.ParseFilter(string(written)); err != nil {
			t.Fatalf("%q is read, written as %s and refused: %v", text, written, err)
		}
	})
}
