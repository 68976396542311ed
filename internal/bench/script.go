package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// script answers for a language model at once, from what it knows of the
// episodes beforehand, so that what is timed is everything but the model.
type script struct {
	world    world
	episodes map[string][]madeFact // by content
}

// newScript makes episodes and what is to be answered about them.
func newScript(w world, r *rand.Rand, group string, episodes int) (*script, []graph.Episode) {
	s := &script{world: w, episodes: map[string][]madeFact{}}
	made := make([]graph.Episode, episodes)
	for i := range made {
		content := ""
		var facts []madeFact
		for range factsPerEpisode {
			f := w.fact(r)
			content += f.sentence + " "
			facts = append(facts, f)
		}
		s.episodes[content] = facts
		made[i] = graph.Episode{
			GroupID: group, Source: graph.SourceMessage, Content: content, ThreadID: fmt.Sprintf("thread-%d", i/20), OccurredAt: facts[0].begin,
		}
	}
	return s, made
}

// Name says who answers.
func (s *script) Name() string { return "bench:script" }

// ExtractEntities names the ends of the episode's facts.
func (s *script) ExtractEntities(_ context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	var answer prompts.ExtractedEntities
	seen := map[int]bool{}
	for _, f := range s.episodes[q.Episode.Content] {
		for _, entity := range []int{f.source, f.target} {
			if !seen[entity] {
				seen[entity] = true
				answer.Entities = append(answer.Entities, prompts.ExtractedEntity{Name: s.world.name(entity), Label: "Person"})
			}
		}
	}
	return answer, nil
}

// ReviewEntities finds nothing missing.
func (s *script) ReviewEntities(context.Context, prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return prompts.ReviewedEntities{}, nil
}

// ResolveEntities takes the candidate of the same name.
func (s *script) ResolveEntities(_ context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	var answer prompts.ResolvedEntities
	for _, e := range q.Entities {
		for _, c := range e.Candidates {
			if c.Name == e.Name {
				answer.Resolutions = append(answer.Resolutions, prompts.EntityResolution{ID: e.ID, Candidate: c.ID})
				break
			}
		}
	}
	return answer, nil
}

// ExtractFacts states the episode's facts.
func (s *script) ExtractFacts(_ context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	ids := map[string]int{}
	for _, e := range q.Entities {
		ids[e.Name] = e.ID
	}
	var answer prompts.ExtractedFacts
	for _, f := range s.episodes[q.Episode.Content] {
		answer.Facts = append(answer.Facts, prompts.ExtractedFact{
			Source: ids[s.world.name(f.source)], Target: ids[s.world.name(f.target)], Predicate: f.predicate, Fact: f.sentence,
		})
	}
	return answer, nil
}

// ResolveFacts finds every fact new.
func (s *script) ResolveFacts(context.Context, prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return prompts.ResolvedFacts{}, nil
}

// SummariseEntities tells the newest fact.
func (s *script) SummariseEntities(_ context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	var answer prompts.EntitySummaries
	for _, e := range q.Entities {
		answer.Summaries = append(answer.Summaries, prompts.EntitySummary{ID: e.ID, Summary: e.Facts[0].Fact})
	}
	return answer, nil
}

// ExtractDates finds none.
func (s *script) ExtractDates(context.Context, prompts.ExtractDates) (prompts.ExtractedDates, error) {
	return prompts.ExtractedDates{}, nil
}

// SummariseThread says how many messages there were.
func (s *script) SummariseThread(_ context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	return prompts.ThreadSummary{Summary: fmt.Sprintf("%d messages.", len(q.Messages))}, nil
}

// SummariseMembers says how many members there are.
func (s *script) SummariseMembers(_ context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	return prompts.Summary{Summary: fmt.Sprintf("%d members.", len(q.Members))}, nil
}

// CombineSummaries keeps the first.
func (s *script) CombineSummaries(_ context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	return prompts.Summary{Summary: q.Summaries[0]}, nil
}

// NameCommunity names it after its first member.
func (s *script) NameCommunity(_ context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	return prompts.CommunityName{Name: q.Members[0]}, nil
}
