package engine_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/prompts"
)

// plainModel reads sentences such as "Ada Adler lives in Oslo." Like a perfect model, it reads the
// same from a message alone and among others.
func plainModel() *analyst {
	return &analyst{Analyst: offline.New(), entities: plainEntities, facts: plainFacts, resolve: plainNames, judge: plainJudgement}
}

var plainSentence = regexp.MustCompile(`([A-Z]\w+(?: [A-Z]\w+)?) (lives in|works at|no longer works at) ([A-Z]\w+)(?: since ([0-9-]+))?`)

// plainly calls read with each sentence of each message: message is 0 for one read by itself.
func plainly(e prompts.Episode, read func(message int, said []string)) {
	messages := []string{e.Content}
	if len(e.Window) > 0 {
		messages = nil
		for _, m := range e.Window {
			messages = append(messages, m.Content)
		}
	}
	for i, text := range messages {
		message := i + 1
		if len(e.Window) == 0 {
			message = 0
		}
		for _, said := range plainSentence.FindAllStringSubmatch(text, -1) {
			read(message, said)
		}
	}
}

func plainEntities(q prompts.ExtractEntities) (out prompts.ExtractedEntities, _ error) {
	name := func(n, label string, message int) {
		at := slices.IndexFunc(out.Entities, func(e prompts.ExtractedEntity) bool { return e.Name == n })
		if at < 0 {
			at = len(out.Entities)
			out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: n, Label: label})
		}
		if message > 0 && !slices.Contains(out.Entities[at].Messages, message) {
			out.Entities[at].Messages = append(out.Entities[at].Messages, message)
		}
	}
	plainly(q.Episode, func(message int, said []string) {
		name(said[1], "Person", message)
		name(said[3], map[bool]string{true: "Place", false: "Organization"}[said[2] == "lives in"], message)
	})
	return out, nil
}

func plainFacts(q prompts.ExtractFacts) (out prompts.ExtractedFacts, _ error) {
	id := func(name string) int {
		at := slices.IndexFunc(q.Entities, func(e prompts.NamedEntity) bool { return e.Name == name })
		if at < 0 { // the message also has another name of it
			at = slices.IndexFunc(q.Entities, func(e prompts.NamedEntity) bool { return givenName.FindString(e.Name) == givenName.FindString(name) })
		}
		return q.Entities[at].ID
	}
	plainly(q.Episode, func(message int, said []string) {
		fact := prompts.ExtractedFact{
			Source: id(said[1]), Target: id(said[3]), Predicate: map[string]string{"lives in": "LIVES_IN"}[said[2]],
			Fact: fmt.Sprintf("%s %s %s.", said[1], said[2], said[3]), ValidAt: said[4], Message: message,
		}
		if fact.Predicate == "" {
			fact.Predicate, fact.Ends = "WORKS_AT", said[2] != "works at"
		}
		out.Facts = append(out.Facts, fact)
	})
	return out, nil
}

var givenName = regexp.MustCompile(`^\w+`)

// plainNames knows people by their given names.
func plainNames(q prompts.ResolveEntities) (out prompts.ResolvedEntities, _ error) {
	for _, e := range q.Entities {
		resolution := prompts.EntityResolution{ID: e.ID}
		for _, c := range e.Candidates {
			if givenName.FindString(c.Name) == givenName.FindString(e.Name) {
				resolution.Candidate = c.ID
				break
			}
		}
		out.Resolutions = append(out.Resolutions, resolution)
	}
	return out, nil
}

// plainJudgement lets nobody live or work in two places at once.
func plainJudgement(q prompts.ResolveFacts) (out prompts.ResolvedFacts, _ error) {
	known := map[int]prompts.KnownFact{}
	for _, k := range q.Existing {
		known[k.ID] = k
	}
	for _, f := range q.Facts {
		known[f.ID] = f.KnownFact
	}
	for _, f := range q.Facts {
		resolution := prompts.FactResolution{ID: f.ID}
		for _, id := range f.Rivals {
			other, own := known[id].Pairs[0], f.Pairs[0]
			if other.Source == own.Source && other.Predicate == own.Predicate && (other.Target == own.Target) == f.Ends {
				resolution.Contradicts = append(resolution.Contradicts, id)
			}
		}
		for _, id := range f.SamePair {
			if other := known[id]; resolution.DuplicateOf == 0 && !f.Ends && other.Fact == f.Fact {
				resolution.DuplicateOf = id
			}
		}
		out.Resolutions = append(out.Resolutions, resolution)
	}
	return out, nil
}

// plainTalk makes up messages that contradict, repeat and end each other's facts.
func plainTalk(r *rand.Rand, people ...string) []graph.Episode {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	at := time.Date(2024, 1, 2, 9, 0, 0, 0, time.UTC)
	var episodes []graph.Episode
	for range 4 + r.IntN(9) {
		at = at.Add(time.Duration(1+r.IntN(40*24)) * time.Hour)
		who := pick(people...)
		since := pick("", "", " since 2021-05-01", " since 2023-02-01")
		content := pick(
			who+" lives in "+pick("Oslo", "Porto", "Vienna")+since+".",
			who+" works at "+pick("Siemens", "Nokia", "Bosch")+since+".",
			who+" no longer works at "+pick("Siemens", "Nokia", "Bosch")+".",
			who+" lives in "+pick("Oslo", "Porto")+". "+pick(people...)+" works at "+pick("Nokia", "Bosch")+".",
			"Nice weather.",
		)
		episodes = append(episodes, graph.Episode{Actor: "Tom", Content: content, OccurredAt: at, ThreadID: pick("one", "one", "one", "two")})
	}
	return episodes
}

// Undoing what a model read, alone or in windows, gives the same graph as if it had never come.
func TestUndoOfWhatAModelRead(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	full := []string{"Ada Adler", "Bruno Bianchi", "Carla Castro"}
	for window, people := range map[int][]string{
		1: append(full, "Ada", "Bruno"),
		8: full, // the first of two new spellings depends on the window
	} {
		t.Run(fmt.Sprintf("window of %d", window), func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			windows := 0
			model := plainModel()
			model.entities = func(q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
				if len(q.Episode.Window) > 1 {
					windows++
				}
				return plainEntities(q)
			}
			m.engine = engine.New(m.pool, model, hashEmbedder(t), engine.Options{Window: window})
			changed := 0
			for seed := range 30 {
				r := rand.New(rand.NewPCG(uint64(seed), 11))
				episodes := plainTalk(r, people...)
				with, without := fmt.Sprintf("with-%d", seed), fmt.Sprintf("without-%d", seed)
				ids := m.hear(with, episodes)
				before := m.believed(with)
				left := slices.Clone(episodes)
				for range 1 + r.IntN(3) {
					at := r.IntN(len(ids))
					m.undo(with, ids[at])
					ids, left = slices.Delete(ids, at, at+1), slices.Delete(left, at, at+1)
				}
				m.causesAreThere(with)
				m.hear(without, left)
				want := m.believed(without)
				if got := m.believed(with); !cmp.Equal(want, got) {
					t.Errorf("seed %d: what is believed differs (-without +undone):\n%s\nof %s", seed, cmp.Diff(want, got), contents(episodes))
				}
				if !cmp.Equal(before, want) {
					changed++
				}
			}
			if changed < 20 || (windows == 0) != (window == 1) {
				t.Errorf("%d of 30 conversations had anything to undo, and %d windows of several messages were read", changed, windows)
			}
		})
	}
}
