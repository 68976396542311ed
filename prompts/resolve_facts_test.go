package prompts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/prompts"
)

func TestResolveFactsShowsDates(t *testing.T) {
	t.Parallel()
	from := time.Date(2019, time.March, 1, 0, 0, 0, 0, time.UTC)
	until := time.Date(2023, time.July, 31, 18, 30, 0, 0, time.FixedZone("", 2*60*60))
	tests := []struct {
		name        string
		from, until *time.Time
		want        string
	}{
		{"neither", nil, nil, "(no dates)"},
		{"began", &from, nil, "(began Friday 2019-03-01T00:00:00Z)"},
		{"ended", nil, &until, "(ended Monday 2023-07-31T18:30:00+02:00)"},
		{"both", &from, &until, "(began Friday 2019-03-01T00:00:00Z, ended Monday 2023-07-31T18:30:00+02:00)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fact := prompts.KnownFact{ID: 1, Source: "Eva", Predicate: "LIVES_IN", Target: "Graz", Fact: "Eva lives in Graz.", ValidAt: tt.from, InvalidAt: tt.until}
			got := prompts.ResolveFacts{Existing: []prompts.KnownFact{fact}}.Prompt().User
			if want := "1: Eva LIVES_IN Graz: Eva lives in Graz. " + tt.want + "\n"; !strings.Contains(got, want) {
				t.Errorf("want %q in\n%s", want, got)
			}
		})
	}
}

// The choices for a contradiction include those for a repetition.
func TestResolveFactsListsChoices(t *testing.T) {
	t.Parallel()
	fact := prompts.KnownFact{ID: 7, Source: "Eva", Predicate: "NO_LONGER_LIVES_IN", Target: "Graz", Fact: "Eva left Graz."}
	got := prompts.ResolveFacts{Facts: []prompts.UnresolvedFact{
		{KnownFact: fact, Ends: true, SamePair: []int{2, 3}, Rivals: []int{5}},
		{KnownFact: fact},
	}}.Prompt().User
	for _, want := range []string{
		"Eva left Graz. (no dates) It says that something stopped.\n   may repeat: 2, 3; may contradict: 2, 3, 5\n",
		"Eva left Graz. (no dates)\n   may repeat: none; may contradict: none\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}
