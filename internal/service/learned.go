package service

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The limits on [Service.Learned].
const (
	MaxLearned      = 200   // episodes in one call
	maxLearnedFacts = 5_000 // facts of all of them together
)

// Learned is what was learned from an episode.
type Learned struct {
	EpisodeID uuid.UUID     `json:"episode_id" format:"uuid"`
	Facts     []LearnedFact `json:"facts"`
	Entities  []Mentioned   `json:"entities" doc:"That it mentions"`
}

// LearnedFact is a fact that an episode states or ends, or did once.
type LearnedFact struct {
	Role    string `json:"role" enum:"states,ends,corrected,former" doc:"The episode states it, ends it, stated it before it was corrected, or told what is believed no longer"`
	Current bool   `json:"current" doc:"It is believed now"`
	graph.FactJSON
}

// Mentioned is an entity that an episode mentions.
type Mentioned struct {
	ID   uuid.UUID `json:"id" format:"uuid"`
	Name string    `json:"name"`
}

// Learned returns what was read in episodes, in their order: the facts that they state or end,
// including facts that are no longer believed, and the entities that they mention.
func (s *Service) Learned(ctx context.Context, groupID string, episodeIDs []uuid.UUID) ([]Learned, error) {
	if n := len(episodeIDs); n == 0 || n > MaxLearned {
		return nil, graph.Invalid("episode", "names %d episodes; it has to be 1 to %d", n, MaxLearned)
	}
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	var learned []Learned
	err := db.InSnapshot(ctx, s.pool, groupID, func(q *db.Queries) error {
		l := learner{service: s, queries: q, group: groupID, episodes: episodeIDs, place: placesOf(episodeIDs)}
		for _, id := range episodeIDs {
			l.learned = append(l.learned, Learned{EpisodeID: id, Facts: []LearnedFact{}, Entities: []Mentioned{}})
		}
		learned = l.learned
		return l.read(ctx)
	})
	return learned, wrapCoded(err, "read what was learned in %s", groupID)
}

// learner reads from one snapshot what was learned.
type learner struct {
	service  *Service
	queries  *db.Queries
	group    string
	episodes []uuid.UUID
	place    map[uuid.UUID]int
	learned  []Learned
}

// telling connects an episode with a fact that it states or ends.
type telling struct {
	episode, fact uuid.UUID
	role          string
}

func (l *learner) read(ctx context.Context) error {
	tellings, err := l.tellings(ctx)
	if err != nil {
		return err
	}
	ids := map[uuid.UUID]bool{}
	for _, t := range tellings {
		ids[t.fact] = true
	}
	facts, err := l.service.lastFacts(ctx, l.queries, l.group, slices.Collect(maps.Keys(ids)))
	if err != nil {
		return err
	}
	byID := make(map[uuid.UUID]graph.Fact, len(facts))
	for _, f := range facts {
		byID[f.ID] = f
	}
	for _, t := range tellings {
		if f, ok := byID[t.fact]; ok {
			at := &l.learned[l.place[t.episode]]
			at.Facts = append(at.Facts, LearnedFact{Role: t.role, Current: f.Recorded.Ongoing(), FactJSON: f.JSON()})
		}
	}
	mentioned, err := l.queries.ExploreMentioned(ctx, db.ExploreMentionedParams{GroupID: l.group, EpisodeIds: l.episodes, MaxRows: maxLearnedFacts})
	for _, m := range mentioned {
		at := &l.learned[l.place[m.EpisodeID]]
		at.Entities = append(at.Entities, Mentioned{m.ID, m.Name})
	}
	return err
}

// tellings lists the facts that rest on the episodes now, then those that no longer do.
func (l *learner) tellings(ctx context.Context) ([]telling, error) {
	rows, err := l.queries.ExploreLearned(ctx, db.ExploreLearnedParams{GroupID: l.group, EpisodeIds: l.episodes, MaxRows: maxLearnedFacts})
	if err != nil {
		return nil, fmt.Errorf("list their facts: %w", err)
	}
	var tellings []telling
	for _, r := range rows {
		tellings = append(tellings, telling{r.EpisodeID, r.FactID, string(r.Role)})
	}
	gone, err := l.queries.ExploreLearnedGone(ctx, db.ExploreLearnedGoneParams{GroupID: l.group, EpisodeIds: l.episodes, MaxRows: maxLearnedFacts})
	for _, r := range gone {
		tellings = append(tellings, telling{r.EpisodeID, r.FactID, "former"})
	}
	return tellings, err
}
