package retrieval

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
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
		{"Where did I go in May?", asked{words: "Where did I go in May", lesser: "May", me: true, spans: []namedSpan{{days("2024-05-01", "2024-06-01"), true}}}},
		{"What happened on 8 May 2023?", asked{words: "What happened on 8 May 2023", lesser: "8 May 2023", spans: []namedSpan{{days("2023-05-08", "2023-05-09"), false}}}},
		{"What did I read in the past three months?", asked{
			words: "What did I read in the past three months", lesser: "the past three months", me: true, spans: []namedSpan{{days("2024-03-01", "2024-06-01"), false}},
		}},
		{"What broke last week?", asked{words: "What broke last week", lesser: "last week", spans: []namedSpan{{days("2024-05-20", "2024-05-27"), false}}}},
		{"What broke in 2023?", asked{words: "What broke in 2023", lesser: "2023", spans: []namedSpan{{days("2023-01-01", "2024-01-01"), false}}}},
		{"What broke since 2023?", asked{words: "What broke since 2023", lesser: "since 2023", spans: []namedSpan{{days("2023-01-01", ""), false}}}},
		{"Is it a.b@example.com, 19.99 or /etc/hosts?", asked{
			words: "Is it a b example com 19 99 or etc hosts a.b@example.com 19.99 /etc/hosts",
		}},
		{"Caroline", asked{words: "Caroline", actors: []string{"Caroline"}}},
		{"", asked{}},
	} {
		got := questionOf(c.text, actors, dates.Find(c.text, at))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(asked{}, namedSpan{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// days is a span between two days; an empty one leaves that side open.
func days(from, until string) temporal.Interval {
	at := func(day string) time.Time {
		t, _ := time.Parse(time.DateOnly, day)
		return t
	}
	return temporal.Interval{Start: at(from), End: at(until)}
}

// A question about a time lifts the messages of the whole of that time.
func TestDateFit(t *testing.T) {
	t.Parallel()
	on := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 9, 0, 0, 0, time.UTC)
	}
	asked := on(2023, time.May, 20)
	for _, c := range []struct {
		text        string
		at          time.Time
		least, most float64
	}{
		{"in May", on(2021, time.May, 31), 1, 1},
		{"in May", on(2021, time.June, 5), 0.5, 0.5},
		{"in May", on(2021, time.June, 20), 0, 0},
		{"in December", on(2021, time.January, 5), 0.5, 0.5},
		{"on 8 May 2023", on(2023, time.May, 8), 0.9, 1},
		{"on 8 May 2023", on(2023, time.May, 7), 0.9, 1},
		{"on 8 May 2023", on(2023, time.May, 22), 0.3, 0.4},
		{"on 8 May 2023", on(2023, time.May, 1), 0, 0},
		{"on 8 May 2023", on(2024, time.May, 8), 0, 0.001},
		{"tonight", on(2023, time.May, 19), 0.9, 1},
		{"on 8 May", on(2024, time.May, 8), 0.9, 1},
		{"in the past three months", on(2023, time.February, 21), 1, 1},
		{"in the past three months", on(2023, time.May, 19), 1, 1},
		{"in the past three months", on(2023, time.February, 1), 0, 0},
		{"last week", on(2023, time.May, 14), 0.9, 1},
		{"last week", on(2023, time.May, 5), 0, 0},
		{"last month", on(2023, time.April, 30), 1, 1},
		{"in 2022", on(2022, time.December, 24), 1, 1},
		{"in 2022", on(2021, time.December, 24), 0, 0},
		{"since March 2023", on(2023, time.May, 19), 1, 1},
		{"since March 2023", on(2023, time.February, 19), 0, 0},
		{"before March 2023", on(2020, time.May, 19), 1, 1},
		{"before March 2023", on(2023, time.April, 19), 0, 0},
	} {
		if got := questionOf("", nil, dates.Find("What broke "+c.text+"?", asked)).dateFit(c.at); got < c.least || got > c.most {
			t.Errorf("%s: %v fits %v, want %v to %v", c.text, c.at, got, c.least, c.most)
		}
	}
}

// An answer is found by the words of the question before it, and ranks above that question.
func TestNeighboursBringUpAnAnswer(t *testing.T) {
	t.Parallel()
	question, answer, far := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	around := surroundings{
		question: {ID: question, ThreadID: "t", Actor: "Bob", Asks: true, Length: 5, Next: answer},
		answer:   {ID: answer, ThreadID: "t", Actor: "Alice", Length: 20, Previous: question},
		far:      {ID: far, ThreadID: "u", Actor: "Alice", Length: 20},
	}
	words := []db.EpisodeWordsRow{
		{Weight: 1, Holders: 1, Ids: []uuid.UUID{question}, Tf: []int32{1}},
		{Weight: 1, Holders: 9, Ids: []uuid.UUID{answer, far}, Tf: []int32{1, 1}},
	}
	got := candidates{around: around, inContext: wordsInContext(words, around, 100, 1000), asked: asked{actors: []string{"Alice"}}}.episodes()
	if ids := idsOf(got); ids[0] != answer || ids[1] != question {
		t.Errorf("ranked %v, want the answer, then its question", got)
	}
	if got := (candidates{around: around}).episodes(); got[0].Score != 0 {
		t.Errorf("without candidates: %v", got)
	}
}

// An episode that states a fitting fact ranks above one that fits as well by itself.
func TestFactsBringUpWhatStatesThem(t *testing.T) {
	t.Parallel()
	plain, stating, weak := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	best, less := uuid.UUID{11}, uuid.UUID{12}
	around := surroundings{}
	for _, id := range []uuid.UUID{plain, stating, weak} {
		around[id] = &message{ID: id, Length: 10}
	}
	stated := statedBy([]db.EpisodesAroundRow{
		{FactID: less, ID: stating}, {FactID: best, ID: stating}, {FactID: less, ID: weak}, {FactID: uuid.UUID{13}, ID: plain},
	}, []scored{{best, mostFit / 2}, {less, mostFit / 8}})
	if stated[stating] != 0.5 || stated[weak] != 0.125 || stated[plain] != 0 {
		t.Errorf("the facts stated fit %v, want by the best of each and in proportion to what fits best of all", stated)
	}
	got := candidates{around: around, inContext: map[uuid.UUID]float64{plain: 5, stating: 5, weak: 5}, stated: stated}.episodes()
	if ids := idsOf(got); !slices.Equal(ids, []uuid.UUID{stating, weak, plain}) {
		t.Errorf("ranked %v, want what states the fact that fits best first", got)
	}
}

func TestAssistantsCountLess(t *testing.T) {
	t.Parallel()
	user, assistant := uuid.UUID{1}, uuid.UUID{2}
	around := surroundings{
		user:      {ID: user, ThreadID: "t", Role: "user", Length: 10},
		assistant: {ID: assistant, ThreadID: "t", Role: "assistant", Length: 300},
	}
	words := []db.EpisodeWordsRow{{Weight: 1, Holders: 2, Ids: []uuid.UUID{user, assistant}, Tf: []int32{1, 6}}}
	got := candidates{around: around, inContext: wordsInContext(words, around, 100, 1000)}.episodes()
	if got[0].ID != user {
		t.Errorf("ranked %v, want the user's words first", got)
	}
}
