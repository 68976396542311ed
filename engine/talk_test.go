package engine_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Limits for a message that is read by itself, in a conversation of two years among three people.
const (
	maxCallsOfAMessage  = 2.4
	maxTokensOfAMessage = 2300
)

// The tables of docs/models.md come from here: go test ./engine -run TestWhatAConversationCosts -v.
func TestWhatAConversationCosts(t *testing.T) {
	t.Parallel()
	for name, window := range map[string]int{"one by one": 1, "in windows": 8} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newTalker(t)
			a.reads(window)
			calls, tokens, written := 0, 0, 0
			for _, prompt := range slices.Sorted(maps.Keys(a.count)) {
				n := a.count[prompt]
				calls, tokens, written = calls+n, tokens+a.read[prompt], written+a.wrote[prompt]
				t.Logf("%-20s %3d calls, %5d tokens each, %4d of them fixed; %4d in an answer", prompt, n, a.read[prompt]/n, a.fixed[prompt], a.wrote[prompt]/n)
			}
			n := float64(len(a.talk))
			t.Logf("%.2f calls, %.0f tokens in and %.0f out a message; at most %d known facts", float64(calls)/n, float64(tokens)/n, float64(written)/n, a.shown)
			if float64(calls)/n > maxCallsOfAMessage || float64(tokens)/n > maxTokensOfAMessage {
				t.Errorf("a message costs more than %v calls or %v tokens", maxCallsOfAMessage, maxTokensOfAMessage)
			}
			for _, sentence := range a.miss {
				t.Errorf("%q was not shown to compare with", sentence)
			}
		})
	}
}

// reads feeds the conversation to an engine with the given window.
func (a *talker) reads(window int) {
	a.t.Helper()
	pool, err := db.Open(a.t.Context(), pgtest.New(a.t))
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(pool.Close)
	e := engine.New(pool, a, hashEmbedder(a.t), engine.Options{Window: window})
	for some := range slices.Chunk(a.talk, window) {
		err := pgx.BeginFunc(a.t.Context(), pool, func(tx pgx.Tx) error {
			var episodes []graph.Episode
			for _, m := range some {
				episode := graph.Episode{GroupID: "g", Source: m.Source, SourceDescription: m.Description, Actor: m.Actor, Content: m.Text, OccurredAt: m.At}
				if m.Source == graph.SourceMessage {
					episode.ThreadID = "talk"
				}
				episodes = append(episodes, episode)
			}
			_, err := intake.Store(a.t.Context(), tx, episodes)
			return err
		})
		if err != nil {
			a.t.Fatal(err)
		}
		err = e.Process(a.t.Context(), "g", func(p engine.Processed) {
			if p.Err != nil {
				a.t.Errorf("%q: %v", p.Episode.Content, p.Err)
			}
		})
		if err != nil {
			a.t.Fatal(err)
		}
	}
}
