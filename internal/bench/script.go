package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// script answers in place of a language model, at once, since it knows the
// episodes. The measured time is thus that of everything but the model.
type script struct {
	world    world
	episodes map[string][]madeFact // by content
}

// newScript returns episodes and the script that answers about them.
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

// Name returns the analyst's name.
func (s *script) Name() string { return "bench:script" }

// ExtractEntities returns the ends of the episode's facts.
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

// ReviewEntities adds nothing.
func (s *script) ReviewEntities(context.Context, prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return prompts.ReviewedEntities{}, nil
}

// ResolveEntities chooses the candidate with the same name.
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

// ExtractFacts returns the episode's facts.
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

// ResolveFacts relates no fact to another.
func (s *script) ResolveFacts(context.Context, prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return prompts.ResolvedFacts{}, nil
}

// SummariseEntities returns the newest fact of each entity.
func (s *script) SummariseEntities(_ context.Context, q prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	var answer prompts.EntitySummaries
	for _, e := range q.Entities {
		answer.Summaries = append(answer.Summaries, prompts.EntitySummary{ID: e.ID, Summary: e.Facts[0].Fact})
	}
	return answer, nil
}

// ExtractDates returns none.
func (s *script) ExtractDates(context.Context, prompts.ExtractDates) (prompts.ExtractedDates, error) {
	return prompts.ExtractedDates{}, nil
}

// SummariseThread returns the number of messages.
func (s *script) SummariseThread(_ context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	return prompts.ThreadSummary{Summary: fmt.Sprintf("%d messages.", len(q.Messages))}, nil
}

// SummariseMembers returns the number of members.
func (s *script) SummariseMembers(_ context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	return prompts.Summary{Summary: fmt.Sprintf("%d members.", len(q.Members))}, nil
}

// CombineSummaries returns the first summary.
func (s *script) CombineSummaries(_ context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	return prompts.Summary{Summary: q.Summaries[0]}, nil
}

// NameCommunity returns the name of the first member.
func (s *script) NameCommunity(_ context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	return prompts.CommunityName{Name: q.Members[0]}, nil
}
