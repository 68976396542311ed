package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/tokens"
	"github.com/annalsdb/annals/prompts"
)

// talkMessage is a message of testdata/talk.jsonl, with a careful model's answers about it.
type talkMessage struct {
	At          time.Time      `json:"at"`
	Actor       string         `json:"actor"`
	Source      graph.Source   `json:"source"`
	Description string         `json:"description"`
	Text        string         `json:"text"`
	Entities    []talkEntity   `json:"entities"`
	Facts       []talkFact     `json:"facts"`
	Relations   []talkRelation `json:"relations"`
	TakesBack   bool           `json:"takes_back"`
}

type talkEntity struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Aliases []string `json:"aliases"`
}

type talkFact struct {
	Source    string `json:"source"`
	Predicate string `json:"predicate"`
	Target    string `json:"target"`
	Fact      string `json:"fact"`
	Kind      string `json:"kind"`
	ValidAt   string `json:"valid_at"`
	InvalidAt string `json:"invalid_at"`
	Ends      bool   `json:"ends"`
}

// talkRelation relates a sentence to earlier ones; an empty Fact stands for the message as a whole.
type talkRelation struct {
	Fact        string   `json:"fact"`
	Repeats     string   `json:"repeats"`
	Contradicts []string `json:"contradicts"`
	Retracts    []string `json:"retracts"`
}

func readTalk(t *testing.T) []talkMessage {
	t.Helper()
	f, err := os.Open("testdata/talk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var talk []talkMessage
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m talkMessage
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		talk = append(talk, m)
	}
	return talk
}

// talker answers as the conversation prescribes, and counts the tokens that a model would read.
type talker struct {
	*offline.Analyst // answers what is not scripted

	t     *testing.T
	talk  []talkMessage
	mu    sync.Mutex
	count map[string]int // questions, by name
	read  map[string]int // their tokens
	fixed map[string]int // the tokens of the constant part
	wrote map[string]int // the tokens of the answers, as JSON
	shown int            // the most known facts that one question showed
	miss  []string       // sentences that had to be shown for comparison and were not
}

func newTalker(t *testing.T) *talker {
	return &talker{Analyst: offline.New(), t: t, talk: readTalk(t), count: map[string]int{}, read: map[string]int{}, fixed: map[string]int{}, wrote: map[string]int{}}
}

func (*talker) Name() string { return "scripted" }

func (*talker) Informed() {}

func (a *talker) counts(p prompts.Prompt) {
	n, fixed := a.tokens(p.System+p.User), a.tokens(p.System)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count[p.Name]++
	a.read[p.Name] += n
	a.fixed[p.Name] = fixed
}

func (a *talker) writes(prompt string, answer any) {
	text, err := json.Marshal(answer)
	if err != nil {
		a.t.Error(err)
	}
	n := a.tokens(string(text))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrote[prompt] += n
}

func (a *talker) tokens(text string) int {
	return tokens.O200k().Count(text)
}

// about finds the messages that a question is about, by their words.
func (a *talker) about(e prompts.Episode) []talkMessage {
	said := []string{e.Content}
	if len(e.Window) > 0 {
		said = nil
	}
	for _, m := range e.Window {
		said = append(said, m.Content)
	}
	var found []talkMessage
	for _, s := range said {
		i := slices.IndexFunc(a.talk, func(m talkMessage) bool { return m.Text == s })
		if i < 0 {
			a.t.Fatalf("nobody said %q", s)
		}
		found = append(found, a.talk[i])
	}
	return found
}

// numbered returns the number of a message in its window, or 0 where it is read alone.
func numbered(e prompts.Episode, i int) int {
	if len(e.Window) == 0 {
		return 0
	}
	return i + 1
}

func (a *talker) ExtractEntities(_ context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	a.counts(q.Prompt())
	var out prompts.ExtractedEntities
	for i, m := range a.about(q.Episode) {
		for _, e := range m.Entities {
			at := slices.IndexFunc(out.Entities, func(o prompts.ExtractedEntity) bool { return o.Name == e.Name })
			if at < 0 {
				at = len(out.Entities)
				out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: e.Name, Label: e.Type, Aliases: e.Aliases})
			}
			if n := numbered(q.Episode, i); n > 0 {
				out.Entities[at].Messages = append(out.Entities[at].Messages, n)
			}
		}
	}
	a.writes("extract_entities", out)
	return out, nil
}

// ResolveEntities recognises people only by the names that are spelled out.
func (a *talker) ResolveEntities(_ context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	a.counts(q.Prompt())
	var out prompts.ResolvedEntities
	for _, u := range q.Entities {
		r := prompts.EntityResolution{ID: u.ID, Reason: "nobody else has this name"}
		for _, c := range u.Candidates {
			if c.Name == strings.Fields(u.Name)[0] && u.Label == "Person" {
				r = prompts.EntityResolution{ID: u.ID, Candidate: c.ID, Name: u.Name, Reason: "the same first name"}
			}
		}
		out.Resolutions = append(out.Resolutions, r)
	}
	a.writes("resolve_entities", out)
	return out, nil
}

func (a *talker) ExtractFacts(_ context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	a.counts(q.Prompt())
	id := func(name string) int {
		return 1 + slices.IndexFunc(q.Entities, func(e prompts.NamedEntity) bool { return e.Name == name })
	}
	var out prompts.ExtractedFacts
	for i, m := range a.about(q.Episode) {
		out.TakesBack = out.TakesBack || m.TakesBack
		for _, f := range m.Facts {
			out.Facts = append(out.Facts, prompts.ExtractedFact{
				Reason: "It is said.", Source: id(f.Source), Target: id(f.Target), Predicate: f.Predicate, Fact: f.Fact, Kind: f.Kind,
				ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, Ends: f.Ends, Message: numbered(q.Episode, i),
			})
		}
	}
	a.writes("extract_facts", out)
	return out, nil
}

func (a *talker) ResolveFacts(_ context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	a.counts(q.Prompt())
	out := a.resolved(q)
	a.writes("resolve_facts", out)
	return out, nil
}

// resolved returns the relations of the conversation whose sentences the question shows.
func (a *talker) resolved(q prompts.ResolveFacts) prompts.ResolvedFacts {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown = max(a.shown, len(q.Existing))
	find := func(sentences ...string) (ids []int) {
		for _, sentence := range sentences {
			n := len(ids)
			for _, k := range q.Existing {
				if k.Fact == sentence {
					ids = append(ids, k.ID)
				}
			}
			for _, f := range q.Facts {
				if f.Fact == sentence {
					ids = append(ids, f.ID)
				}
			}
			if sentence != "" && len(ids) == n {
				a.miss = append(a.miss, sentence)
			}
		}
		return ids
	}
	var out prompts.ResolvedFacts
	for _, m := range a.about(q.Episode) {
		for _, r := range m.Relations {
			own := find(r.Fact)
			if r.Fact == "" {
				own = []int{0}
			}
			for _, id := range own {
				answer := prompts.FactResolution{Reason: "It is said.", ID: id, Contradicts: find(r.Contradicts...), Retracts: find(r.Retracts...)}
				if repeated := find(r.Repeats); len(repeated) > 0 {
					answer.DuplicateOf = repeated[0]
				}
				out.Resolutions = append(out.Resolutions, answer)
			}
		}
	}
	return out
}

func (a *talker) SummariseEntities(ctx context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	a.counts(q.Prompt())
	out, err := a.Analyst.SummariseEntities(ctx, q)
	a.writes("summarise_entities", out)
	return out, err
}
