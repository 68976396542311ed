package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// slowNamer names communities, and lets something else happen first.
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

// TestErasingWhileCommunitiesAreMade: a community that was described while an
// episode was erased tells nothing of it, in whatever table.
func TestErasingWhileCommunitiesAreMade(t *testing.T) {
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
				_, err := m.engine.Erase(t.Context(), engine.Erasure{GroupID: "g", EpisodeIDs: []uuid.UUID{secret}})
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

// TestErasingAtEachAttemptToMakeCommunities: what keeps changing is left out, and
// the next build makes it.
func TestErasingAtEachAttemptToMakeCommunities(t *testing.T) {
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
	var erase func() error
	erase = func() error {
		if len(ids) == 1 {
			return errors.New("asked once too often")
		}
		_, err := m.engine.Erase(t.Context(), engine.Erasure{GroupID: "g", EpisodeIDs: ids[:1]})
		ids, namer.meanwhile = ids[1:], erase
		return err
	}
	namer.meanwhile = erase
	if built := m.build("g"); built.Communities != 0 || len(ids) != 1 {
		t.Errorf("built %+v with %d episodes left", built, len(ids))
	}
	if found := m.traces("vexelberg", "zarathox", "quillby"); len(found) > 0 {
		t.Errorf("they left traces in %v", found)
	}
	if n := m.one("SELECT count(*)::text FROM annals.community_builds WHERE built_at IS NOT NULL AND arrived > 0 AND entities = 0"); n != "1" {
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
