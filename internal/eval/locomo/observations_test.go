package locomo_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/locomo"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// Observations need at most 0.3 calls per message of a long conversation, read message
// by message, which looks for them most often, or session by session.
func TestObservationsTakeFewCalls(t *testing.T) {
	t.Parallel()
	lines := longConversation(t)
	for _, c := range []struct {
		name   string
		window int
		every  func(i int) bool // read what waits after this message
	}{
		{"by message", 1, func(int) bool { return true }},
		{"by session", 6, func(i int) bool { return i+1 == len(lines) || lines[i+1].ThreadID != lines[i].ThreadID }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			talker := &talker{topics: frequentWords(lines)}
			client, server := talker.open(t, c.window)
			for i, l := range lines {
				if _, err := client.Add(t.Context(), annals.Episode{
					GroupID: "t", Content: l.Content, OccurredAt: l.OccurredAt, Source: graph.SourceMessage, Actor: l.Actor, ThreadID: l.ThreadID,
				}); err != nil {
					t.Fatal(err)
				}
				if !c.every(i) {
					continue
				}
				if err := client.Process(t.Context(), "t", nil); err != nil {
					t.Fatal(err)
				}
			}
			calls := map[string]int{}
			for _, name := range server.Prompts() {
				calls[name]++
			}
			list, err := client.Observations(t.Context(), annals.ObservationFilter{GroupID: "t", Limit: 1000})
			if err != nil || len(list) == 0 {
				t.Fatalf("nothing is observed (%v)", err)
			}
			a := float64(calls["derive_observations"]) / float64(len(lines))
			t.Logf("%d messages, %d observations; calls a message for observations %.3f; all calls %v", len(lines), len(list), a, calls)
			if a == 0 || a > 0.3 {
				t.Errorf("observations take %.3f calls a message", a)
			}
		})
	}
}

// longConversation is the conversation conv-26, or its beginning.
func longConversation(t *testing.T) []locomo.Line {
	t.Helper()
	conversations, err := locomo.Load(corpora.Path(t, "locomo/locomo5_dev.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(conversations, func(c locomo.Conversation) bool { return c.SampleID == "conv-26" })
	lines, err := locomo.Convert(conversations[at])
	if err != nil {
		t.Fatal(err)
	}
	if !slow.Long() {
		return lines[:60]
	}
	return lines
}

var words = regexp.MustCompile(`[a-z]{5,}`)

// frequentWords returns the topics of a conversation: its frequent long words.
func frequentWords(lines []locomo.Line) []string {
	count := map[string]int{}
	for _, l := range lines {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(words.FindAllString(strings.ToLower(l.Content), -1)))) {
			count[w]++
		}
	}
	var often []string
	for w, n := range count {
		if n >= 5 && n <= 40 {
			often = append(often, w)
		}
	}
	slices.Sort(often)
	return often
}

// talker is a model that extracts the topics of a message as entities, relates them to
// the speakers, and observes a tendency in any two facts of a speaker.
type talker struct{ topics []string }

func (m *talker) open(t *testing.T, window int) (*annals.Client, *modeltest.Server) {
	t.Helper()
	server := modeltest.NewServer(t, m.answer)
	config := model.Config{Model: "openai:scripted", BaseURL: server.URL, APIKey: "secret"}
	llm, err := model.OpenLLM(config)
	if err != nil {
		t.Fatal(err)
	}
	return clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t), LLM: llm, Observations: true, Window: window}), server
}

func (m *talker) answer(r modeltest.Request) modeltest.Reply {
	_, current, _ := strings.Cut(r.User, "The current")
	switch r.Prompt {
	case "extract_entities":
		var found prompts.ExtractedEntities
		for _, name := range m.named(current) {
			found.Entities = append(found.Entities, prompts.ExtractedEntity{Name: name})
		}
		return modeltest.Reply{JSON: found}
	case "extract_facts":
		return modeltest.Reply{JSON: m.facts(current)}
	case "derive_observations":
		return modeltest.Reply{JSON: tendencies(r.User)}
	}
	return modeltest.Reply{Text: map[string]string{
		"resolve_entities": `{"resolutions":[]}`, "resolve_facts": `{"resolutions":[]}`, "summarise_entities": `{"summaries":[]}`,
		"summarise_thread": `{"summary":"They talked."}`, "extract_dates": `{"reason":"","valid_at":"","invalid_at":""}`,
	}[r.Prompt]}
}

var speaker = regexp.MustCompile(`speaker="([^"]+)"`)

// named returns the speakers in the text and up to three of its topics.
func (m *talker) named(current string) []string {
	var names []string
	for _, s := range speaker.FindAllStringSubmatch(current, -1) {
		if !slices.Contains(names, s[1]) {
			names = append(names, s[1])
		}
	}
	text := strings.ToLower(current)
	topics := 0
	for _, topic := range m.topics {
		if strings.Contains(text, topic) && topics < 3 {
			names = append(names, topic)
			topics++
		}
	}
	return names
}

var numbered = regexp.MustCompile(`(?m)^(\d+): (.+?)(?: \(.*\))?$`)

// facts relates the first speaker to each topic.
func (m *talker) facts(current string) prompts.ExtractedFacts {
	var found prompts.ExtractedFacts
	_, listed, _ := strings.Cut(current, "<entities>")
	entities := numbered.FindAllStringSubmatch(listed, -1)
	for i, e := range entities {
		if i == 0 || !slices.Contains(m.topics, e[2]) {
			continue
		}
		found.Facts = append(found.Facts, prompts.ExtractedFact{
			Source: 1, Target: i + 1, Predicate: "SPEAKS_OF", Fact: entities[0][2] + " speaks of " + e[2] + ".", Kind: prompts.Event,
		})
	}
	return found
}

var shown = regexp.MustCompile(`(?m)^(\d+): SPEAKS_OF: (\S+) speaks of (.+)\.$`)

// tendencies derives an observation from two facts of each subject.
func tendencies(question string) prompts.DerivedObservations {
	var seen prompts.DerivedObservations
	_, subjects, _ := strings.Cut(question, "The people and things:")
	for _, subject := range strings.Split(subjects, "</subject>") {
		facts := shown.FindAllStringSubmatch(subject, -1)
		if len(facts) < 2 {
			continue
		}
		first, second := facts[0], facts[1]
		o := prompts.DerivedObservation{Predicate: "TENDS_TO", Observation: first[2] + " tends to speak of " + first[3] + " and " + second[3] + "."}
		for _, f := range facts[:2] {
			n, _ := strconv.Atoi(f[1]) // digits
			o.Facts = append(o.Facts, n)
		}
		seen.Observations = append(seen.Observations, o)
	}
	return seen
}
