package annals_test

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// A context has what is known on a question. If no word of it was ever told, or only the name of
// its subject, the context is empty.
func TestWhatNothingIsKnownOf(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	addConversation(t, client)
	for _, tt := range []struct {
		question string
		known    bool
	}{
		{"Where does Nora live?", true},
		{"Tell me about Nora.", true},
		{"Who is Nora?", true},
		{"What do you know of Nora and Ben?", true},
		{"who is she?", true},
		{"???", true},
		{"zzzqqq", false},
		{"What about asdfghjkl?", false},
		{"Is Zoe diabetic?", false},
		{"What is Nora's blood type?", false},
		{"Which insurance covers Ben's scooter?", false},
	} {
		q := annals.Query{GroupID: "t", Text: tt.question}
		text, err := client.Context(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if known := !strings.HasPrefix(text, "Nothing is known about "); known != tt.known {
			t.Errorf("%s: the context is\n%s", tt.question, text)
		}
		q.MinFit = retrieval.NothingKnown
		found, err := client.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if hits := len(found.Facts) + len(found.Entities) + len(found.Episodes) + len(found.Communities); hits > 0 != tt.known {
			t.Errorf("%s: %d hits", tt.question, hits)
		}
		q.Methods = []retrieval.Method{retrieval.MethodVector}
		if found, err = client.Search(t.Context(), q); err != nil || !tt.known && len(found.Facts)+len(found.Episodes) > 0 {
			t.Errorf("%s: %v, by vectors alone %d facts and %d episodes", tt.question, err, len(found.Facts), len(found.Episodes))
		}
		q.Methods, q.MinFit = nil, -1
		if text, err = client.Context(t.Context(), q); err != nil || tt.question != "zzzqqq" && !strings.Contains(text, "\n- ") {
			t.Errorf("%s: %v, of what comes nearest the context is\n%s", tt.question, err, text)
		}
	}
}
