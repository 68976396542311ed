package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/engine"
	asks "github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// slowNamer names communities, and calls meanwhile first.
type slowNamer struct {
	*offline.Analyst
	meanwhile func() error
}

func (s *slowNamer) NameCommunity(ctx context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	if do := s.meanwhile; do != nil {
		s.meanwhile = nil
		if err := do(); err != nil {
			return prompts.CommunityName{}, err
		}
	}
	return s.Analyst.NameCommunity(ctx, q)
}

// TestErasingWhileCommunitiesAreMade: a community that is described while an episode is erased
// holds nothing of the episode, in any table.
func TestErasingWhileCommunitiesAreMade(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	friends := []graph.Episode{
		{Actor: "Alice", Content: "I visited Rome with my friend Bob.", OccurredAt: date("2024-01-01")},
		{Actor: "Bob", Content: "I visited Rome with my friend Alice.", OccurredAt: date("2024-01-02")},
	}
	erased := graph.Episode{Actor: "Carol", Content: "I visited Vexelberg.", OccurredAt: date("2024-01-03")}
	carol := graph.Episode{Actor: "Carol", Content: "I visited Rome with my friend Alice.", OccurredAt: date("2024-01-04")}
	tests := map[string]struct{ built, since []graph.Episode }{
		"none were built before":           {nil, append([]graph.Episode{erased, carol}, friends...)},
		"one was built with the episode":   {append([]graph.Episode{erased, carol}, friends...), []graph.Episode{{Actor: "Bob", Content: "I live in Rome.", OccurredAt: date("2024-01-05")}}},
		"one gains whom the episode names": {friends, []graph.Episode{erased, carol}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			namer := &slowNamer{Analyst: offline.New()}
			m.engine = engine.New(m.pool, namer, hashEmbedder(t), engine.Options{})
			var told []uuid.UUID
			if tt.built != nil {
				told = append(told, m.hear("g", tt.built)...)
				m.build("g")
			}
			told = append(told, m.hear("g", tt.since)...)
			secret := told[0]
			if tt.built != nil && tt.built[0].Content != erased.Content {
				secret = told[len(tt.built)]
			}
			interrupted := false
			namer.meanwhile = func() error {
				interrupted = true
				_, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{secret}})
				return err
			}
			if built := m.build("g"); !interrupted || built.Communities != 1 {
				t.Errorf("built %+v, interrupted: %t", built, interrupted)
			}
			if found := m.traces("vexelberg"); len(found) > 0 {
				t.Errorf("it left traces in %v", found)
			}
		})
	}
}

// TestErasingAtEachAttemptToMakeCommunities: a community that changes at every attempt is left out,
// and the next build makes it.
func TestErasingAtEachAttemptToMakeCommunities(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	namer := &slowNamer{Analyst: offline.New()}
	m.engine = engine.New(m.pool, namer, hashEmbedder(t), engine.Options{})
	ids := m.hear("g", []graph.Episode{
		{Actor: "Alice", Content: "I visited Vexelberg with my friend Bob.", OccurredAt: date("2024-01-01")},
		{Actor: "Alice", Content: "I visited Zarathox with my friend Bob.", OccurredAt: date("2024-01-02")},
		{Actor: "Alice", Content: "I visited Quillby with my friend Bob.", OccurredAt: date("2024-01-03")},
		{Actor: "Alice", Content: "I visited Rome with my friend Bob.", OccurredAt: date("2024-01-04")},
	})
	var again func() error
	again = func() error {
		if len(ids) == 1 {
			return errors.New("asked once too often")
		}
		_, err := m.engine.Erase(t.Context(), erase.Erasure{GroupID: "g", EpisodeIDs: ids[:1]})
		ids, namer.meanwhile = ids[1:], again
		return err
	}
	namer.meanwhile = again
	if built := m.build("g"); built.Communities != 0 || len(ids) != 1 {
		t.Errorf("built %+v with %d episodes left", built, len(ids))
	}
	if found := m.traces("vexelberg", "zarathox", "quillby"); len(found) > 0 {
		t.Errorf("they left traces in %v", found)
	}
	if n := m.one("SELECT count(*)::text FROM annals_internal.community_builds WHERE built_at IS NOT NULL AND arrived > 0 AND entities = 0"); n != "1" {
		t.Error("no other build is due")
	}
	namer.meanwhile = nil
	if built := m.build("g"); built.New != 1 {
		t.Errorf("then built %+v", built)
	}
}

func (m *memory) build(group string) community.Built {
	m.t.Helper()
	built, err := m.engine.BuildCommunities(m.t.Context(), group)
	if err != nil {
		m.t.Fatal(err)
	}
	return built
}

// TestErasingWhileAModelAnswers: a call that was running during an erasure is stored with its cost
// only, even if its answer arrives after it. Later calls are stored whole.
func TestErasingWhileAModelAnswers(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]bool{"an episode": false, "the group": true, "the group, which is made anew": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newLLMWorld(t, engine.Options{})
			w.hears("I live in Vexelberg.")
			var secret uuid.UUID
			if err := w.pool.QueryRow(t.Context(), "SELECT id FROM annals.episodes").Scan(&secret); err != nil {
				t.Fatal(err)
			}
			erased := false
			w.script["summarise_thread"] = func(r modeltest.Request) modeltest.Reply {
				if !erased {
					erased = true
					what := erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{secret}}
					if all {
						what.EpisodeIDs = nil
					}
					if _, err := w.engine.Erase(t.Context(), what); err != nil {
						t.Error(err)
					}
					if strings.HasSuffix(name, "anew") {
						if _, err := w.engine.CreateGroup(t.Context(), graph.Group{ID: "g", Kind: graph.GroupGraph, Force: true}); err != nil {
							t.Error(err)
						}
					}
				}
				return modeltest.Reply{JSON: map[string]string{"summary": "It was said: " + r.User}}
			}
			if _, err := w.engine.SummariseThread(t.Context(), "g", "chat"); err != nil {
				t.Fatal(err)
			}
			m := &memory{t: t, pool: w.pool}
			if found := m.traces("vexelberg"); len(found) > 0 || !erased {
				t.Errorf("it left traces in %v", found)
			}
			if n := w.count("SELECT count(*) FROM annals.model_calls WHERE prompt = 'summarise_thread' AND answer IS NULL AND key = '' AND output_tokens > 0"); n != 1 {
				t.Errorf("the cost of %d calls is kept", n)
			}
			if all {
				return
			}
			w.exec("UPDATE annals.erasures SET erased_at = erased_at - interval '1 minute'")
			w.hears("I live in Rome.")
			if _, err := w.engine.SummariseThread(t.Context(), "g", "chat"); err != nil {
				t.Fatal(err)
			}
			if n := w.count("SELECT count(*) FROM annals.model_calls WHERE prompt = 'summarise_thread' AND answer LIKE '%Rome%' AND key <> ''"); n != 1 {
				t.Errorf("%d later answers are kept", n)
			}
		})
	}
}

// While an erasure is about to commit, a call is logged without waiting for it, and without its
// answer.
func TestAnAnswerDoesNotWaitForAnErasure(t *testing.T) {
	t.Parallel()
	w := newLLMWorld(t, engine.Options{})
	w.hears("I live in Vexelberg.")
	var secret uuid.UUID
	if err := w.pool.QueryRow(t.Context(), "SELECT id FROM annals.episodes").Scan(&secret); err != nil {
		t.Fatal(err)
	}
	record := func(group, prompt string) error {
		ctx := model.WithSubject(t.Context(), model.Subject{GroupID: group})
		return asks.NewLedger(w.pool).Record(ctx, model.Call{
			Subject: model.SubjectOf(ctx), Kind: model.KindChat, Prompt: prompt, Model: "m", Key: [32]byte{1}, Answer: `"Vexelberg"`,
			OutputTokens: 7, Error: "Vexelberg",
		})
	}
	if _, err := w.engine.CreateGroup(t.Context(), graph.Group{ID: "other", Kind: graph.GroupGraph}); err != nil {
		t.Fatal(err)
	}
	err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		if err := w.engine.EraseWithin(t.Context(), tx, erase.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{secret}}); err != nil {
			return err
		}
		recorded := make(chan error, 1)
		go func() { recorded <- errors.Join(record("g", "p"), record("other", "q")) }()
		select {
		case err := <-recorded:
			return err
		case <-time.After(10 * time.Second):
			return errors.New("it waits for the erasure, with a connection in hand")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.count("SELECT count(*) FROM annals.model_calls WHERE prompt = 'p' AND answer IS NULL AND error IS NULL AND key = '' AND output_tokens = 7"); n != 1 {
		t.Errorf("the cost of %d calls is kept, without their answer", n)
	}
	if n := w.count("SELECT count(*) FROM annals.model_calls WHERE prompt = 'q' AND answer IS NOT NULL AND key <> ''"); n != 1 {
		t.Errorf("%d answers of another group are kept", n)
	}
}

// hears stores a message and processes it.
func (w *llmWorld) hears(content string) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		_, err := intake.Store(w.t.Context(), tx, []graph.Episode{{
			GroupID: "g", Actor: "Alice", ThreadID: "chat", Source: graph.SourceMessage, Content: content, OccurredAt: date("2024-01-01"),
		}})
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.process()
}
