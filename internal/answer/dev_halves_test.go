package answer_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/locomo"
	"github.com/annalsdb/annals/internal/eval/longmemeval"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// trickster answers questions about real conversations. It repeats what a passage says, attributes
// it to another passage, to one that was not shown or to none, negates it, mixes in a word of
// another passage, and makes things up.
type trickster struct {
	mu     sync.Mutex
	random *rand.Rand
	shown  []string            // for the last question
	said   map[string]int      // number of sentences by kind
	kinds  map[string][]string // kinds of each sentence of the last answer; a sentence may have several
}

const madeUp = "zeppelin"

func (a *trickster) answer(r modeltest.Request) modeltest.Reply {
	if r.Prompt != "answer_question" {
		return modeltest.Reply{Text: "{}"}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, passages, _ := strings.Cut(r.User, "<passages>")
	passages, _, _ = strings.Cut(passages, "</passages>")
	a.shown, a.kinds = nil, map[string][]string{}
	for _, m := range numbered.FindAllStringSubmatch(passages, -1) {
		a.shown = append(a.shown, withoutNote(m[2]))
	}
	said := prompts.AnsweredQuestion{Reason: "It is so.", Known: true, Slots: []prompts.AnsweredSlot{}, Sentences: []prompts.AnsweredSentence{}}
	say := func(kind, text string, cites ...int) {
		a.said[kind]++
		a.kinds[text] = append(a.kinds[text], kind)
		said.Sentences = append(said.Sentences, prompts.AnsweredSentence{Text: text, Passages: cites})
	}
	some := func() int { return a.random.IntN(len(a.shown)) }
	for range 6 {
		n := some()
		text := told(a.shown[n])
		words := strings.Fields(text)
		if len(words) < 3 {
			continue
		}
		other := strings.Fields(told(a.shown[some()]))
		at := a.random.IntN(len(words))
		switch a.random.IntN(7) {
		case 0:
			say("repeated", text, n+1)
		case 1:
			say("cites another", text, some()+1)
		case 2:
			say("cites what was not shown", text, len(a.shown)+1+a.random.IntN(50), -1, 0)
		case 3:
			say("cites nothing", text)
		case 4:
			say("turned round", words[0]+" never "+strings.Join(words[1:], " "), n+1)
		case 5:
			words = slices.Insert(words, at, other[a.random.IntN(len(other))])
			say("mixed", strings.Join(words, " "), n+1)
		default:
			say("made up", words[0]+" owns a "+madeUp+" "+strings.Join(words[1:], " "), n+1, some()+1)
		}
	}
	return modeltest.Reply{JSON: said}
}

// told returns what a passage says, without its speaker.
func told(line string) string {
	if _, after, ok := strings.Cut(line, ": "); ok {
		line = after
	}
	sentence, _, _ := strings.Cut(line, ". ")
	return strings.TrimSuffix(sentence, ".") + "."
}

// TestDevHalves asks the questions of the dev halves of LoCoMo and LongMemEval, of a trickster:
// every citation was shown, and every sentence that stays is in what it cites.
func TestDevHalves(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]func(*testing.T, *annals.Client) []annals.Query{"locomo": talks, "longmemeval": haystacks} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &trickster{random: rand.New(rand.NewPCG(5, 6)), said: map[string]int{}}
			server := modeltest.NewServer(t, a.answer)
			llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL, APIKey: "secret"})
			if err != nil {
				t.Fatal(err)
			}
			client := clienttest.Open(t, annals.Config{LLM: llm, Analyst: offline.New()})
			rows := &citedRows{client: client, texts: map[uuid.UUID]string{}}
			kept, cites, cut := map[string]int{}, 0, 0
			questions := load(t, client)
			for _, q := range questions {
				a.shown = nil
				got, err := client.Ask(t.Context(), annals.Question{Query: q})
				if err != nil {
					t.Fatal(err)
				}
				cut += got.Cut
				for _, s := range got.Sentences {
					rest := ""
					for _, c := range s.Cites {
						cites++
						text := rows.text(t, c)
						if !wasShown(a.shown, text) {
							t.Errorf("%q: %q cites %s %s, which was not shown", q.Text, s.Text, c.Kind, c.ID)
						}
						rest += " " + text
					}
					if got.Form != answer.FormAnswer {
						continue // unchanged passages
					}
					wrong := "nobody said it"
					for _, kind := range a.kinds[s.Text] {
						if wrong = unsupported(kind, s, rest); wrong == "" {
							kept[kind]++
							break
						}
					}
					if wrong != "" {
						t.Errorf("%q: %q (%s) is let through, and %s, in %q", q.Text, s.Text, a.kinds[s.Text], wrong, rest)
					}
				}
			}
			t.Logf("%d questions: the model said %v; kept %v, cut %d; %d citations, all of them shown", len(questions), a.said, kept, cut, cites)
			if kept["repeated"] == 0 || cut == 0 {
				t.Error("nothing was kept, or nothing was cut")
			}
		})
	}
}

// unsupported returns the part of a sentence that its cited rows do not have, or "". It compares
// letters only, and of words their beginnings.
func unsupported(kind string, s answer.Sentence, rest string) string {
	switch {
	case kind == "cites what was not shown", kind == "cites nothing", len(s.Cites) == 0:
		return "it cites nothing that was shown"
	case strings.Contains(s.Text, madeUp) && !strings.Contains(rest, madeUp):
		return "it is made up"
	case kind == "turned round" && !regexp.MustCompile(`(?i)\b(not|no|never|nothing|none|without)\b|n['’]t\b`).MatchString(rest):
		return "nothing cited says no"
	}
	has := map[string]bool{}
	for _, w := range wordy.FindAllString(strings.ToLower(rest), -1) {
		has[beginning(w)] = true
	}
	for _, w := range wordy.FindAllString(strings.ToLower(s.Text), -1) {
		if len(w) > 4 && !has[beginning(w)] && !slices.Contains(grammatical, w) {
			return "nothing cited has " + w
		}
	}
	return ""
}

var (
	wordy       = regexp.MustCompile(`\pL+`)
	grammatical = strings.Fields("about there their theirs these those where which whose while would could should mentioned currently never herself himself itself themselves yourself myself having being")
)

func beginning(word string) string { return word[:min(len(word), 4)] }

// citedRows holds the texts of rows.
type citedRows struct {
	client *annals.Client
	texts  map[uuid.UUID]string
}

func (r *citedRows) text(t *testing.T, c answer.Citation) string {
	t.Helper()
	if text, ok := r.texts[c.ID]; ok {
		return text
	}
	var text string
	var err error
	switch c.Kind {
	case graph.KindFact:
		var f annals.Fact
		f, err = r.client.Fact(t.Context(), c.GroupID, c.ID)
		text = f.Told()
	case graph.KindEpisode:
		var e annals.Episode
		e, err = r.client.Episode(t.Context(), c.GroupID, c.ID)
		text = e.Speaker() + ": " + e.Content + e.OccurredAt.Format(" 2 January 2006")
	case graph.KindEntity:
		var e annals.Entity
		e, err = r.client.Entity(t.Context(), c.GroupID, c.ID.String())
		text = e.Name + ": " + e.Summary
	default:
		err = fmt.Errorf("nothing of this kind was added")
	}
	if err != nil {
		t.Fatalf("%s %s: %v", c.Kind, c.ID, err)
	}
	r.texts[c.ID] = text
	return text
}

// wasShown reports whether a line shows a row. Long rows are cut and their marks changed, so it
// compares letters from the beginning.
func wasShown(lines []string, row string) bool {
	plain := func(s string) string { return strings.Join(wordy.FindAllString(strings.ToLower(s), -1), " ") }
	want := plain(row)
	return slices.ContainsFunc(lines, func(line string) bool {
		got := plain(line)
		n := min(len(got), len(want), 30)
		return n > 0 && got[:n] == want[:n]
	})
}

// talks adds the conversations of LoCoMo, and returns their questions.
func talks(t *testing.T, client *annals.Client) []annals.Query {
	t.Helper()
	all, err := locomo.Load(corpora.Path(t, "locomo/locomo5_dev.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	most := 1 << 30
	if !slow.Long() {
		all, most = all[:1], 40
	}
	var asked []annals.Query
	for _, c := range all {
		lines, err := locomo.Convert(c)
		if err != nil {
			t.Fatal(err)
		}
		if !slow.Long() {
			lines = lines[:200]
		}
		episodes := make([]annals.Episode, len(lines))
		for i, l := range lines {
			episodes[i] = annals.Episode{GroupID: c.SampleID, Actor: l.Actor, Content: l.Content, OccurredAt: l.OccurredAt, ThreadID: l.ThreadID}
		}
		remember(t, client, c.SampleID, episodes)
		for _, q := range c.Questions[:min(most, len(c.Questions))] {
			asked = append(asked, annals.Query{GroupID: c.SampleID, Text: q.Text})
		}
	}
	return asked
}

// haystacks adds the sessions of each question of LongMemEval to a group, and returns the
// questions.
func haystacks(t *testing.T, client *annals.Client) []annals.Query {
	t.Helper()
	all, err := longmemeval.Load(corpora.Path(t, "longmemeval/longmemeval_s_dev.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if !slow.Long() {
		all = all[:10]
	}
	var asked []annals.Query
	for i, q := range all {
		group := "q" + strconv.Itoa(i)
		var episodes []annals.Episode
		for j, s := range q.Sessions {
			if !slices.Contains(q.AnswerSessions, s.ID) && j%10 != 0 { // a tenth of the other sessions: each question has 50
				continue
			}
			for k, turn := range s.Turns {
				if strings.TrimSpace(turn.Content) == "" {
					continue
				}
				episodes = append(episodes, annals.Episode{
					GroupID: group, Role: turn.Role, Content: turn.Content, OccurredAt: s.At.Add(time.Duration(k) * time.Second), ThreadID: s.ID, Deferred: true,
				})
			}
		}
		remember(t, client, group, episodes)
		asked = append(asked, annals.Query{GroupID: group, Text: q.Text, AskedAt: q.At})
	}
	return asked
}

func remember(t *testing.T, client *annals.Client, group string, episodes []annals.Episode) {
	t.Helper()
	if _, err := client.AddAll(t.Context(), episodes); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), group, nil); err != nil {
		t.Fatal(err)
	}
}
