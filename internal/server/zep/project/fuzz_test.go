package project

import (
	"regexp"
	"strings"
	"testing"
)

// A template is refused when it is stored, or all its variables are known when it is filled in.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{"%{edges limit=10 types=[A,B]}", "<X>%{ user_summary }</X>", "%{nothing}", "%{edges limit=0}", "%{edges", "100%", "%{edges limit=99999999999999999999}"} {
		f.Add(text)
	}
	left := regexp.MustCompile(`%\{\s*(edges|entities|episodes|thread_summaries|user_summary)\s*\}`)
	f.Fuzz(func(t *testing.T, text string) {
		if CheckTemplate(text) != nil {
			return
		}
		filled := variable.ReplaceAllStringFunc(text, func(match string) string {
			b, err := parseBlank(variable.FindStringSubmatch(match))
			if err != nil || b.limit < 1 || b.limit > 1000 {
				t.Fatalf("%q is stored and cannot be filled in: %+v, %v", text, b, err)
			}
			return ""
		})
		if left.MatchString(filled) && !strings.Contains(filled, "%{%{") && left.MatchString(text) && strings.Count(filled, "%{") > strings.Count(text, "%{") {
			t.Fatalf("%q leaves %q", text, filled)
		}
	})
}
