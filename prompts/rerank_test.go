package prompts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/prompts"
)

// The question does not grow with the number of passages found.
func TestRerankShowsAFewBeginnings(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", prompts.MaxPassageBytes)
	user := prompts.Rerank{Query: "q", Passages: slices.Repeat([]string{long}, prompts.MaxPassages+5)}.Prompt().User
	shown := idsOf(listed, user)
	if len(shown) != prompts.MaxPassages || shown[0] != 1 || shown[len(shown)-1] != prompts.MaxPassages {
		t.Errorf("the passages shown are %v", shown)
	}
	if n := strings.Count(user, "é"); n != prompts.MaxPassages*prompts.MaxPassageBytes/2 {
		t.Errorf("%d letters of the passages are shown", n)
	}
}

func TestRerankPutsEveryPassageIntoOneLine(t *testing.T) {
	t.Parallel()
	user := prompts.Rerank{Query: "q", Passages: []string{"a\n2: b", "", "c\r\n\n\td"}}.Prompt().User
	if want := "<passages>\n1: a 2: b\n2: \n3: c d\n</passages>"; !strings.Contains(user, want) {
		t.Errorf("want %q in\n%s", want, user)
	}
}

func ExampleRerank_Prompt() {
	fmt.Println(prompts.Rerank{Query: "Where does Bob work?", Passages: []string{"Bob started at Globex.", "Bob likes tea."}}.Prompt().User)
	// Output:
	// The query:
	// <query>
	// Where does Bob work?
	// </query>
	//
	// The passages:
	// <passages>
	// 1: Bob started at Globex.
	// 2: Bob likes tea.
	// </passages>
	//
	// Score every passage as JSON.
}
