package offline_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/annalsdb/annals/prompts"
)

// FuzzExtract checks properties of any input: no panic, valid and distinct entities with the
// speaker first, facts between two of them.
func FuzzExtract(f *testing.F) {
	for _, c := range factCases {
		f.Add("message", "Alice", c.said, "Bob")
	}
	f.Add("json", "", `{"name": "Acme", "city": "Oslo", "tags": ["a", {"b": null}]}`, "")
	f.Add("text", "", "Ann: I live in Oslo.\nBen: And I don't.\n", "")
	f.Add("message", "İ", "\"I\" K's I'd've \xff Dr. Dr. my sister Ｋ, and I", "ß")
	f.Add("message", "\xff", "I and I and my my's", "\xfe")
	f.Fuzz(func(t *testing.T, source, speaker, content, other string) {
		e := prompts.Episode{
			Source: source, Speaker: speaker, Content: content, OccurredAt: said,
			Previous: []prompts.Message{{Speaker: other}},
		}
		entities, facts := extract(t, e)
		valid := utf8.ValidString(speaker) && utf8.ValidString(other)
		if name := strings.TrimSpace(speaker); name != "" && (len(entities) == 0 || entities[0].Name != name) {
			t.Errorf("the speaker %q is not the first of %v", name, entities)
		}
		seen := map[string]bool{}
		for _, n := range entities {
			if strings.TrimSpace(n.Name) == "" || seen[n.Name] || valid && !utf8.ValidString(n.Name) {
				t.Errorf("entity %q in %v", n.Name, entities)
			}
			seen[n.Name] = true
		}
		for _, fact := range facts {
			between := fact.Source >= 1 && fact.Target >= 1 && fact.Source <= len(entities) && fact.Target <= len(entities)
			if !between || fact.Source == fact.Target || fact.Predicate == "" || fact.Fact == "" {
				t.Errorf("fact %+v", fact)
			}
		}
	})
}
