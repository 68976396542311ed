package prompts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

func TestResolveFactsShowsHowDatesAreKnown(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, time.May, 13, 10, 0, 0, 0, time.UTC)
	year := dates.Find("in 2019", at)[0].StatedAs()
	since := year
	since.End, since.Until = time.Time{}, temporal.Bound{}
	tests := []struct {
		kind  string
		valid temporal.Validity
		want  string
	}{
		{prompts.State, temporal.Validity{}, "(no date)"},
		{prompts.State, since, "(since 2019)"},
		{prompts.State, temporal.SaidSince(at), "(known since 13 May 2024)"},
		{prompts.State, temporal.OverBy(at), "(until some time before 13 May 2024)"},
		{prompts.Event, year, "(in 2019)"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			fact := prompts.KnownFact{
				ID: 1, Pairs: []prompts.Pair{{"Eva", "LIVES_IN", "Graz"}, {"Tom", "LIVES_IN", "Graz"}}, Fact: "They live in Graz.", Kind: tt.kind, Valid: tt.valid,
			}
			got := prompts.ResolveFacts{Episode: prompts.Episode{OccurredAt: at}, Existing: []prompts.KnownFact{fact}}.Prompt().User
			if want := "1: Eva LIVES_IN Graz; Tom LIVES_IN Graz: They live in Graz. " + tt.want + "\n"; !strings.Contains(got, want) {
				t.Errorf("want %q in\n%s", want, got)
			}
		})
	}
}

// The messages of a window are read together, each with its own time.
func TestResolveFactsReadsEachMessageAtItsTime(t *testing.T) {
	t.Parallel()
	december, january := time.Date(2023, time.December, 1, 10, 0, 0, 0, time.UTC), time.Date(2024, time.January, 8, 10, 0, 0, 0, time.UTC)
	since := dates.Find("since Christmas", january)[0].StatedAs()
	fact := prompts.KnownFact{ID: 1, Pairs: []prompts.Pair{{"Eva", "LIVES_IN", "Graz"}}, Fact: "Eva has lived in Graz since Christmas.", Valid: since, Said: january}
	got := prompts.ResolveFacts{Episode: prompts.Episode{OccurredAt: december}, Facts: []prompts.UnresolvedFact{{KnownFact: fact}}}.Prompt().User
	if want := "Eva has lived in Graz since Christmas. (since 25 December 2023)"; !strings.Contains(got, want) {
		t.Errorf("want %q in\n%s", want, got)
	}
}

// The choices for a contradiction include those for a repetition of a known fact. A rejected fact
// may only be repeated.
func TestResolveFactsListsChoices(t *testing.T) {
	t.Parallel()
	fact := prompts.KnownFact{ID: 7, Pairs: []prompts.Pair{{"Eva", "NO_LONGER_LIVES_IN", "Graz"}}, Fact: "Eva left Graz."}
	got := prompts.ResolveFacts{Facts: []prompts.UnresolvedFact{
		{KnownFact: fact, Ends: true, SamePair: []int{2, 3}, Rivals: []int{5}},
		{KnownFact: fact},
		{KnownFact: fact, SamePair: []int{2}, Rejected: []int{10}},
	}, Rejected: []prompts.RejectedFact{{ID: 10, Fact: "Eva lives in Graz."}}}.Prompt().User
	for _, want := range []string{
		"Eva left Graz. (no date) It says that something stopped.\n   may repeat: 2, 3; may contradict: 2, 3, 5\n",
		"Eva left Graz. (no date)\n   may repeat: none; may contradict: none\n",
		"<rejected>\n10: Eva lives in Graz.\n</rejected>\n",
		"Eva left Graz. (no date)\n   may repeat: 2, 10; may contradict: 2\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

// Known facts are told as of the last message of a window: a plan whose day has passed meanwhile is
// no plan any more.
func TestResolveFactsTellsWhatIsKnownAsOfTheLastMessage(t *testing.T) {
	t.Parallel()
	may, june := time.Date(2024, time.May, 13, 10, 0, 0, 0, time.UTC), time.Date(2024, time.June, 20, 10, 0, 0, 0, time.UTC)
	trip := prompts.KnownFact{
		ID: 1, Pairs: []prompts.Pair{{"Eva", "VISITS", "Graz"}}, Fact: "Eva visits Graz.", Kind: prompts.Event,
		Valid: dates.Find("on 5 June 2024", may)[0].StatedAs(), Said: may,
	}
	for want, window := range map[string][]prompts.Message{
		"(planned for 5 June 2024)": {{OccurredAt: may}}, "(on 5 June 2024)": {{OccurredAt: may}, {OccurredAt: june}},
	} {
		got := prompts.ResolveFacts{Episode: prompts.Episode{OccurredAt: may, Window: window}, Existing: []prompts.KnownFact{trip}}.Prompt().User
		if !strings.Contains(got, "Eva visits Graz. "+want+"\n") {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}
