package answer_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// reader is a model that says what a test sets, citing the passages that have some words.
type reader struct {
	text  atomic.Value // what it says
	cites atomic.Value // the words of the passages
	shown atomic.Value // for the last question
}

func (r *reader) answer(asked modeltest.Request) modeltest.Reply {
	if asked.Prompt != "answer_question" {
		return modeltest.Reply{Text: "{}"}
	}
	r.shown.Store(asked.User)
	_, passages, _ := strings.Cut(asked.User, "<passages>")
	var cited []int
	for _, m := range numbered.FindAllStringSubmatch(passages, -1) {
		if strings.Contains(m[2], r.cites.Load().(string)) {
			var n int
			_, _ = fmt.Sscan(m[1], &n)
			cited = append(cited, n)
		}
	}
	return modeltest.Reply{JSON: says(r.text.Load().(string), cited...)}
}

// heard opens a memory of messages that rules read, and that a scripted model answers for.
func heard(t *testing.T, episodes ...annals.Episode) (*annals.Client, *reader) {
	t.Helper()
	r := &reader{}
	server := modeltest.NewServer(t, r.answer)
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL, APIKey: "secret", Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{LLM: llm, Analyst: offline.New(), Window: 1})
	for _, e := range episodes {
		clienttest.AddAndProcess(t, client, e)
	}
	return client, r
}

// of returns a message of a speaker.
func of(actor, content, day string) annals.Episode {
	e := clienttest.Alice(content, day)
	e.Actor = actor
	return e
}

// anew returns another time of asking for each i, since answers of a model are cached for a day.
func anew(i int) time.Time { return time.Date(2025, 1, 1+i, 9, 0, 0, 0, time.UTC) }

// A sentence stays only as far as what it cites still holds and is not disputed; cuts are reported.
// Pronouns are resolved. In "X, not Y" only Y is denied.
func TestSentencesFollowWhatBecameOfTheirPassages(t *testing.T) {
	t.Parallel()
	client, r := heard(t,
		of("Alice", "I live in Paris.", "2023-01-10"), of("Alice", "I moved to Lisbon.", "2024-03-15"),
		of("Ben", "Ana Silva is my aunt. She chairs the board of the museum, and her brother Tom paints.", "2024-04-01"),
		of("Dora", "I work at Acme, not at Globex. I drink tea instead of coffee.", "2024-04-02"),
		saidBy("assistant", "I moved to Rome last week.", "2024-05-10"),
		of("Emil", "I joined Hooli last week. My sister lives in Graz.", "2024-04-03"), of("Emil", "I misspoke: I joined Hooli on 2 March.", "2024-04-04"),
	)
	const (
		notSaid  = "no passage says so"
		isOver   = "what says so is over"
		disputed = "what says so is disputed"
	)
	for i, tt := range []struct {
		question, text, cites string
		why                   string // why it is cut; empty: it stays
	}{
		{"Where does Alice live?", "Alice moved to Lisbon.", "Alice: I moved to Lisbon", ""},
		{"Where does Alice live?", "Alice lives in Paris.", "Alice: I live in Paris", isOver},
		{"Where does Alice live?", "Alice lives in Paris.", "Alice lives in Paris", isOver},
		{"Where does Alice live?", "Alice has lived in Paris since 10 January 2023.", "Alice lives in Paris", notSaid},
		{"Where does Alice live?", "Alice still lives in Paris.", "Alice lives in Paris", notSaid},
		{"Where does Alice live?", "Alice lived in Paris.", "Alice: I live in Paris", ""},
		{"Where does Alice live?", "Alice lived in Paris until 15 March 2024.", "Alice lives in Paris", ""},
		{"Where does Alice live?", "Alice no longer lives in Paris.", "Alice lives in Paris", ""},
		{"Where does Alice live?", "Alice moved to Rome.", "Alice moved to Rome", disputed},
		{"When did Alice move to Rome?", "Alice moved to Rome.", "Alice: I moved to Rome", disputed},
		{"Where does Alice live?", "Alice moved to Rome, otherwise Lisbon.", "Alice moved to Rome", ""},
		{"Who chairs the board of the museum?", "Ana chairs the board of the museum.", "She chairs", ""},
		{"Who chairs the board of the museum?", "Ana Silva chairs the board.", "She chairs", ""},
		{"Who chairs the board of the museum?", "Ana's brother Tom paints.", "She chairs", ""},
		{"Who chairs the board of the museum?", "Ben chairs the board of the museum.", "She chairs", notSaid},
		{"Who chairs the board of the museum?", "Ben's brother Tom paints.", "She chairs", notSaid},
		{"Who chairs the board of the museum?", "Tom chairs the board of the museum.", "She chairs", notSaid},
		{"Where does Dora work?", "Dora works at Acme.", "Dora", ""},
		{"Where does Dora work?", "Dora does not work at Globex.", "Dora", ""},
		{"Where does Dora work?", "Dora works at Acme, not at Globex.", "Dora", ""},
		{"Where does Dora work?", "Dora works at Globex.", "Dora", notSaid},
		{"Where does Dora work?", "Dora does not work at Acme.", "Dora", notSaid},
		{"What does Dora drink?", "Dora drinks tea.", "Dora: I work", ""},
		{"What does Dora drink?", "Dora drinks coffee.", "Dora: I work", notSaid},
		{"Where does Emil work?", "Emil joined Hooli last week.", "Emil: I joined Hooli last week", "what says so was taken back"},
		{"Where does Emil's sister live?", "Emil's sister lives in Graz.", "Emil: I joined Hooli last week", ""},
	} {
		r.text.Store(tt.text)
		r.cites.Store(tt.cites)
		got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: tt.question, AskedAt: anew(i)}})
		if err != nil {
			t.Fatal(err)
		}
		stays := got.Form == answer.FormAnswer && got.Text == tt.text
		if stays != (tt.why == "") || !stays && !slices.Equal(got.Why, []string{tt.why}) {
			t.Errorf("%q of %q: %s %q, cut since %q, want %q; of\n%s", tt.text, tt.cites, got.Form, got.Text, got.Why, tt.why, r.shown.Load())
		}
	}
}

// If everything that a model says is cut, the answer gives the reason, and does not claim that
// there is no model.
func TestWhatIsCutSaysWhy(t *testing.T) {
	t.Parallel()
	client, r := heard(t, of("Alice", "I live in Paris.", "2023-01-10"), of("Alice", "I moved to Lisbon.", "2024-03-15"))
	r.cites.Store("Alice")
	for i, tt := range [][2]string{
		{"Alice lives in Atlantis.", "All that the model said was cut (no passage says so). These are the passages that fit best."},
		{"Alice lives in Paris.", "All that the model said was cut (what says so is over). These are the passages that fit best."},
		{"Alice moved to Lisbon.", ""},
	} {
		text, want := tt[0], tt[1]
		r.text.Store(text)
		got, err := client.Ask(t.Context(), where(annals.Query{AskedAt: anew(i)}))
		if err != nil || got.Note() != want || got.By != "openai:scripted" {
			t.Errorf("%s: %q, %+v (%v)", text, got.Note(), got, err)
		}
		if want != "" && !strings.HasPrefix(got.Text, "Alice moved to Lisbon. (known since 15 March 2024)") {
			t.Errorf("%s: instead it says %q", text, got.Text)
		}
	}
	unread, _ := asked(t, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: "Lisbon!"} })
	got, err := unread.Ask(t.Context(), where(annals.Query{}))
	if err != nil || got.Note() != "The model did not answer (the answer of the model cannot be read). These are the passages that fit best." {
		t.Errorf("%q (%v)", got.Note(), err)
	}
	some, _ := asked(t, func(r modeltest.Request) modeltest.Reply {
		a := says("Alice moved to Lisbon.", passage(r, "Alice moved to Lisbon."))
		a.Sentences = append(a.Sentences, prompts.AnsweredSentence{Text: "Alice hates it.", Passages: []int{1}}, prompts.AnsweredSentence{Text: "Alice loves it.", Passages: []int{99}})
		return modeltest.Reply{JSON: a}
	})
	if got, err = some.Ask(t.Context(), where(annals.Query{})); err != nil || got.Note() != "Cut of what the model said: 2 (no passage says so; it names no passage that was shown)." {
		t.Errorf("%q (%v)", got.Note(), err)
	}
}

// A model is told the time of asking and at most twenty passages: facts, then messages, each with
// its note, and summaries.
func TestModelsAreToldWhenAndFewPassages(t *testing.T) {
	t.Parallel()
	episodes := []annals.Episode{of("Alice", "I live in Paris.", "2023-01-10"), of("Alice", "I moved to Lisbon.", "2024-03-15")}
	for i := range 40 {
		episodes = append(episodes, of("Alice", fmt.Sprintf("I know somebody who lives in house %d of a long street.", i), "2024-04-01"))
	}
	client, r := heard(t)
	remember(t, client, "t", episodes)
	r.text.Store("Alice moved to Lisbon.")
	r.cites.Store("Alice moved to Lisbon.")
	got, err := client.Ask(t.Context(), where(annals.Query{AskedAt: time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)}))
	if err != nil || got.Text != "Alice moved to Lisbon." {
		t.Fatalf("%+v (%v)", got, err)
	}
	shown := r.shown.Load().(string)
	if !strings.Contains(shown, "asked on 1 May 2024") {
		t.Errorf("it is not told when it is asked:\n%s", shown)
	}
	lines := numbered.FindAllStringSubmatch(shown, -1)
	if len(lines) != 20 || got.Shown != 20 {
		t.Errorf("it is shown %d passages, and says %d", len(lines), got.Shown)
	}
	kinds := ""
	for _, m := range lines {
		switch said := withoutNote(m[2]); {
		case said == m[2]:
			kinds += "summary "
		case strings.HasPrefix(said, "Alice: "):
			kinds += "message "
		default:
			kinds += "fact "
		}
	}
	if !regexp.MustCompile(`^(fact ){2,}(message ){7,}(summary ){1,}$`).MatchString(kinds) {
		t.Errorf("it is shown %s:\n%s", kinds, shown)
	}
	if !strings.HasPrefix(lines[0][2], "(known since 15 March 2024) Alice moved to Lisbon.") || !strings.Contains(shown, "(10 January 2023; until 15 March 2024, now Lisbon) Alice: I live in Paris.") {
		t.Errorf("it is shown\n%s", shown)
	}
}
