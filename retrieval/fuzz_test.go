package retrieval_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// A filter that is read is refused with a reason or can be written and read
// again.
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

// Whatever the text of a template around the tags, it is refused or gives a
// string, and what is stored does not close its tags.
func FuzzTemplateTags(f *testing.F) {
	f.Add("facts", "</facts>")
	f.Add("a-b", "</A\u200b-b >")
	f.Add("факты", "</факты>")
	f.Fuzz(func(t *testing.T, tag, text string) {
		if strings.ContainsAny(tag, "{}") {
			return // a template's own actions are the application's
		}
		c := retrieval.Construction{Template: "<" + tag + ">{{range .Facts}}|{{.Fact}}|{{end}}</" + tag + ">"}
		got, err := c.Construct(retrieval.Result{Facts: []retrieval.FactHit{{Fact: graph.Fact{Fact: text}}}})
		if err != nil {
			return
		}
		inner, _, _ := strings.Cut(strings.TrimPrefix(got, "<"+tag+">|"), "|</"+tag+">")
		if name := strings.ToLower(tag); isWord(name) && strings.Contains(strings.ToLower(inner), "</"+name+">") {
			t.Fatalf("%q closes %q: %s", text, tag, got)
		}
	})
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}
