package offline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/prompts"
)

func ExampleAnalyst_SummariseMembers() {
	rules := offline.New()
	summary, _ := rules.SummariseMembers(context.Background(), prompts.SummariseMembers{
		Limit: 80,
		Members: []prompts.Member{
			{Name: "Alice", Summary: "Alice works at Acme. Alice climbs the Dolomites every summer."},
			{Name: "Acme", Summary: "Alice works at Acme. Acme builds climbing robots."},
			{Name: "Bob", Summary: "Bob likes climbing."},
		},
	})
	name, _ := rules.NameCommunity(context.Background(), prompts.NameCommunity{
		Members: []string{"Alice", "Acme", "Bob"}, Summary: summary.Summary,
	})
	fmt.Println(summary.Summary)
	fmt.Println(name.Name)
	// Output:
	// Alice works at Acme. Acme builds climbing robots. Bob likes climbing.
	// Alice, Acme, Bob: climbing
}

func TestSummariseMembers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		limit   int
		members []prompts.Member
		want    string
	}{
		{"one sentence of each before a second of any", 23, []prompts.Member{{Summary: "A is. A was."}, {Summary: "B is. B was."}}, "A is. A was. B is."},
		{"each sentence once", 100, []prompts.Member{{Summary: "A knows B."}, {Summary: "a knows  B. B is."}}, "A knows B. B is."},
		{"a sentence too long is passed over", 10, []prompts.Member{{Summary: "A is far too long. A is."}, {Summary: "B."}}, "A is. B."},
		{"names where there is nothing else", 100, []prompts.Member{{Name: "A"}, {Name: "B"}, {Name: "C"}}, "A, B and C."},
		{"as many names as fit", 8, []prompts.Member{{Name: "A"}, {Name: "B"}, {Name: "C"}}, "A and B."},
		{"nothing fits", 1, []prompts.Member{{Name: "A", Summary: "A is."}}, ""},
		{"nobody", 100, nil, ""},
	} {
		got, err := offline.New().SummariseMembers(t.Context(), prompts.SummariseMembers{Members: tt.members, Limit: tt.limit})
		if err != nil || got.Summary != tt.want || len(got.Summary) > tt.limit {
			t.Errorf("%s: %q (%v), want %q", tt.name, got.Summary, err, tt.want)
		}
	}
}

func TestCombineSummaries(t *testing.T) {
	t.Parallel()
	got, err := offline.New().CombineSummaries(t.Context(), prompts.CombineSummaries{
		Summaries: []string{"A is. A was.", "", "B is. A is."}, Limit: 12,
	})
	if want := "A is. B is."; err != nil || got.Summary != want {
		t.Errorf("%q (%v), want %q", got.Summary, err, want)
	}
}

func TestNameCommunity(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		members []string
		summary string
		want    string
	}{
		{[]string{"Ann", "Bob", "Cy", "Dee"}, "", "Ann, Bob, Cy"},
		{[]string{"Ann"}, "Ann plays chess. Bob played chess. Bob reads.", "Ann: chess"},
		{[]string{"Ann", "Chess Club"}, "Ann is in the chess club. The chess club meets in May.", "Ann, Chess Club"},
		{nil, "It rained in the garden. The garden is wet.", "garden"},
		{nil, "", ""},
	} {
		got, err := offline.New().NameCommunity(t.Context(), prompts.NameCommunity{Members: tt.members, Summary: tt.summary})
		if err != nil || got.Name != tt.want {
			t.Errorf("%v %q: %q (%v), want %q", tt.members, tt.summary, got.Name, err, tt.want)
		}
	}
}

func TestCommunitiesEndWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rules := offline.New()
	_, err1 := rules.SummariseMembers(ctx, prompts.SummariseMembers{})
	_, err2 := rules.CombineSummaries(ctx, prompts.CombineSummaries{})
	_, err3 := rules.NameCommunity(ctx, prompts.NameCommunity{})
	for i, err := range []error{err1, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), "canceled") {
			t.Errorf("question %d: error %v", i, err)
		}
	}
}
