package retrieval

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestAskOf(t *testing.T) {
	t.Parallel()
	actors := []string{"Caroline", "Melanie Smith"}
	at := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text string
		want asked
	}{
		{"When did Caroline's sister visit?", asked{words: "When did s sister visit", actors: []string{"Caroline"}, when: true}},
		{"What would Melanie like?", asked{words: "What like", actors: []string{"Melanie Smith"}}},
		{"Where did I go in May?", asked{words: "Where did I go in May", lesser: "May", me: true, dates: []namedDate{{0, time.May, 0}}}},
		{"What happened on 8 May 2023?", asked{words: "What happened on 8 May 2023", lesser: "8 May 2023", dates: []namedDate{{2023, time.May, 8}}}},
		{"Is it a.b@example.com, 19.99 or /etc/hosts?", asked{
			words: "Is it a b example com 19 99 or etc hosts a.b@example.com 19.99 /etc/hosts",
		}},
		{"Caroline", asked{words: "Caroline", actors: []string{"Caroline"}}},
		{"", asked{}},
	} {
		got := askOf(c.text, actors, at)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(asked{}, namedDate{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestDateFit(t *testing.T) {
	t.Parallel()
	on := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 9, 0, 0, 0, time.UTC)
	}
	may, eighth := namedDate{0, time.May, 0}, namedDate{2023, time.May, 8}
	for _, c := range []struct {
		date        namedDate
		at          time.Time
		least, most float64
	}{
		{may, on(2021, time.May, 31), 1, 1},
		{may, on(2021, time.June, 5), 0.5, 0.5},
		{may, on(2021, time.June, 20), 0, 0},
		{eighth, on(2023, time.May, 8), 0.9, 1},
		{eighth, on(2023, time.May, 22), 0.3, 0.4},
		{eighth, on(2023, time.May, 1), 0, 0},
		{eighth, on(2024, time.May, 8), 0, 0.001},
	} {
		if got := c.date.fit(c.at); got < c.least || got > c.most {
			t.Errorf("%v at %v fits %v, want %v to %v", c.date, c.at, got, c.least, c.most)
		}
	}
}

// An answer is found by the words of the question before it, and is ranked
// above that question.
func TestNeighboursBringUpAnAnswer(t *testing.T) {
	t.Parallel()
	question, answer, far := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	around := surroundings{
		question: {ID: question, ThreadID: "t", Actor: "Bob", Asks: true, Length: 5, Next: answer},
		answer:   {ID: answer, ThreadID: "t", Actor: "Alice", Length: 20, Previous: question},
		far:      {ID: far, ThreadID: "u", Actor: "Alice", Length: 20},
	}
	rows := []scored{{question, 8}, {answer, 3}, {far, 4}}
	got := candidates{around: around, words: wordsOf(rows, around), asked: asked{actors: []string{"Alice"}}}.episodes()
	if ids := idsOf(got); ids[0] != answer || ids[1] != question {
		t.Errorf("ranked %v, want the answer, then its question", got)
	}
	if got := (candidates{around: around}).episodes(); got[0].Score != 0 {
		t.Errorf("without candidates: %v", got)
	}
}

func TestAssistantsCountLess(t *testing.T) {
	t.Parallel()
	user, assistant := uuid.UUID{1}, uuid.UUID{2}
	around := surroundings{
		user:      {ID: user, ThreadID: "t", Role: "user", Length: 10},
		assistant: {ID: assistant, ThreadID: "t", Role: "assistant", Length: 300},
	}
	got := candidates{around: around, words: wordsOf([]scored{{assistant, 6}, {user, 3}}, around)}.episodes()
	if got[0].ID != user {
		t.Errorf("ranked %v, want the user's words first", got)
	}
}
