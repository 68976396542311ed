package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

type (
	// Run is what an agent did about a task, and how that ended. [graph.Run] has its fields.
	// [graph.Run.Episode] makes an episode of it, which is added as any other.
	Run = graph.Run
	// RunStep is one thing that an agent did in a run. [graph.RunStep] has its fields.
	RunStep = graph.RunStep
	// Skill is how a task is done, as runs have shown. [graph.Skill] has its fields.
	Skill = graph.Skill
	// SkillFilter chooses skills. [retrieval.SkillFilter] has its fields.
	SkillFilter = retrieval.SkillFilter
)

// Skills lists how tasks are done: of a task the best procedure of each skill that is
// like it, confirmed ones before others, those that worked most surely first; without a
// task all procedures. They are learned from runs as these are read.
func (c *Client) Skills(ctx context.Context, f SkillFilter) ([]Skill, error) {
	if err := c.admit(f.GroupID); err != nil {
		return nil, err
	}
	return read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Skill, error) {
		return from.searcher.Skills(ctx, f)
	})
}
