package offline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/prompts"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		about, speaker, content string
		want                    []string
	}{
		{
			"an object that has a name", "",
			`{"id": "3f2b9c1e-0000-4000-8000-1234567890ab", "name": "Acme Corp", "city": "Oslo", "founded": 1999, "active": true, "url": "https://acme.example"}`,
			[]string{"Acme Corp HAS_CITY Oslo [now, …)"},
		},
		{
			"nested objects and lists", "",
			`{"customer": {"name": "Ann Lee", "email": "ann@example.org", "interests": ["tea", "chess"]}, "name": "Order 7"}`,
			[]string{
				"Order 7 HAS_CUSTOMER Ann Lee [now, …)", "Ann Lee EMAIL ann@example.org [now, …)",
				"Ann Lee HAS_INTERESTS tea [now, …)", "Ann Lee HAS_INTERESTS chess [now, …)",
			},
		},
		{"about the speaker", "Alice", `{"favoriteFood": "sushi", "phone": "555-0142"}`, []string{"Alice HAS_FAVORITE_FOOD sushi [now, …)", "Alice PHONE 555-0142 [now, …)"}},
		{"about nobody", "", `{"status": "open"}`, nil},
		{"not an object", "Alice", `"Paris"`, nil},
		{"not JSON", "Alice", `I live in {Paris}.`, nil},
		{"deeply nested", "Alice", strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000), nil},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			entities, facts := extract(t, prompts.Episode{Source: "json", Speaker: tt.speaker, Content: tt.content, OccurredAt: said})
			var got []string
			for _, f := range facts {
				got = append(got, inWords(entities, f))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONIsBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `"key%c%c": "value %d",`, 'a'+i/26%26, 'a'+i%26, i)
	}
	_, facts := extract(t, prompts.Episode{Source: "json", Content: `{` + b.String() + `"name": "Acme"}`, OccurredAt: said})
	if len(facts) != 20 {
		t.Errorf("%d facts of one document", len(facts))
	}
}
