package zep

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// Filters of a search are refused with a reason or become ours.
func FuzzFilters(f *testing.F) {
	for _, text := range []string{
		`{"created_at": [[{"comparison_operator": ">=", "date": "2024-01-01T00:00:00Z"}], [{"comparison_operator": "IS NULL"}]]}`,
		`{"property_filters": [{"comparison_operator": "=", "property_name": "plan", "property_value": "pro"}], "edge_types": ["LIVES_IN"]}`,
		`{"episode_metadata_filters": {"type": "and", "filters": [], "groups": [{"type": "or", "groups": []}]}}`, `{"edge_uuids": ["x"]}`, `{}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var filters searchFilters
		if json.Unmarshal(data, &filters) != nil {
			return
		}
		if out, err := filters.filter(); err == nil && len(filters.CreatedAt) > 0 && len(out.Created) != len(filters.CreatedAt) {
			t.Fatalf("%s loses conditions: %+v", data, out.Created)
		}
		_, _ = filters.rows()
	})
}

// A template is refused when it is stored, or every variable in it is known
// when it is filled in.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{"%{edges limit=10 types=[A,B]}", "<X>%{ user_summary }</X>", "%{nothing}", "%{edges limit=0}", "%{edges", "100%", "%{edges limit=99999999999999999999}"} {
		f.Add(text)
	}
	left := regexp.MustCompile(`%\{\s*(edges|entities|episodes|thread_summaries|user_summary)\s*\}`)
	f.Fuzz(func(t *testing.T, text string) {
		if checkTemplate(text) != nil {
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
