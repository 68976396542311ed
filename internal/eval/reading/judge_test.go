package reading

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const told = `What is known; (…) first in a line says when it holds.
<FACTS>
- (since 8 March 2025) Nadia moved to Turin on 8 March.
- (known from 15 January 2025 until 8 March 2025) Nadia lives in Ghent.
- (known since 15 January 2025) Nadia works at Hooli.
- (in May 2024) Nadia visited Cork.
- (from March 2023 to May 2023) Nadia taught at Wonka.
</FACTS>
<ENTITIES>
- Nadia: Nadia owns a boat.
</ENTITIES>
<EPISODES>
2025-01-15 10:00:
- Nadia: I live in Ghent.
- (taken back later) Nadia: I own a boat.
- Nadia: I moved to Turin on 8 March, I will stay.
</EPISODES>
`

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question string
		failures []string
	}{
		{`"tells": [["turin", "8 March"], ["Hooli|Wonka"]]`, nil},
		{`"tells": [["Turin", "Ghent"]]`, []string{"no line but a message tells Turin, Ghent"}},
		{`"tells": [["will stay"]]`, []string{"no line but a message tells will stay"}},
		{`"not_now": ["Cork", "Wonka", "lives in ghent"]`, nil},
		{`"not_now": ["i live in Ghent"]`, []string{`"i live in Ghent" is over, and a line does not say so`}},
		{`"not_now": ["boat"]`, []string{`"boat" is over, and a line does not say so`}},
		{`"not_now": ["own a boat", "nobody says this"]`, nil},
		{`"never": ["lives in Lyon", "(since 9 March"]`, nil},
		{`"never": ["(since 8 March"]`, []string{`"(since 8 March" must stand in no line`}},
		{`"first": [["Turin", "Ghent"], ["Hooli", "I own"]]`, nil},
		{`"first": [["Ghent", "Turin"]]`, []string{`"Ghent" must be told before this`}},
		{`"first": [["Lyon", "Hooli"]]`, []string{`"Lyon" must be told before this`}},
	} {
		var q Question
		if err := json.Unmarshal([]byte("{"+tt.question+"}"), &q); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range q.judge(told).Failures {
			got = append(got, f.String())
		}
		if !slices.Equal(got, tt.failures) {
			t.Errorf("%s: %q, want %q", tt.question, got, tt.failures)
		}
	}
}

// A line with the words of two failures counts once.
func TestCounts(t *testing.T) {
	t.Parallel()
	var q Question
	if err := json.Unmarshal([]byte(`{"tells": [["Turin"], ["Lyon"]], "not_now": ["I live in", "in Ghent.", "Hooli"], "never": ["Cork"]}`), &q); err != nil {
		t.Fatal(err)
	}
	if j := q.judge(told); j.Asked != 2 || j.Told() != 1 || j.Stale() != 2 || j.Right() {
		t.Errorf("%d asked, %d told, %d stale: %+v", j.Asked, j.Told(), j.Stale(), j)
	}
}

func TestWhatFallsShortIsTold(t *testing.T) {
	t.Parallel()
	q := Question{Case: "move", Ask: "Where does Nadia live?", NotNow: []string{"I live in Ghent"}, Never: []string{"Lyon"}}
	r := Result{Question: q, Default: q.judge(told), Within: q.judge(told + "Lyon"), Group: "g"}
	report := Report{Tokens: 350, Parts: []Part{{ReadBy: "somebody", Questions: []Result{r, {Question: q}}}}}
	text := report.Markdown()
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Where does Nadia live?", "The default context falls short", "The context within the budget falls short", "- Nadia: I live in Ghent.",
		"It is in the group g.", "| somebody | default | 1 of 2 | 0 of 0 | 1 |", "| somebody | 350 tokens | 1 of 2 | 0 of 0 | 1 |", "| somebody | both | 1 of 2 | | |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not tell %q:\n%s", want, text)
		}
	}
	if !strings.Contains(string(data), `"kind":"unmarked"`) || report.Stale() != 2 || report.Asked() != 2 {
		t.Errorf("%d stale of %d:\n%s", report.Stale(), report.Asked(), data)
	}
}
