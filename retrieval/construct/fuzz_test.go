package construct_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// Whatever text a template has around its tags, it is refused or gives a string, and stored text
// does not close its tags.
func FuzzTemplateTags(f *testing.F) {
	f.Add("facts", "</facts>")
	f.Add("a-b", "</A\u200b-b >")
	f.Add("факты", "</факты>")
	f.Fuzz(func(t *testing.T, tag, text string) {
		if strings.ContainsAny(tag, "{}") {
			return // a template's own actions are the application's
		}
		c := construct.Construction{Template: "<" + tag + ">{{range .Facts}}|{{.Fact}}|{{end}}</" + tag + ">"}
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
