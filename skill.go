package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

type (
	// Run is what an agent did for a task, and how it ended. [graph.Run] has its fields.
	// [graph.Run.Episode] makes an episode of it, which is added like any other.
	Run = graph.Run
	// RunStep is one step of a run. [graph.RunStep] has its fields.
	RunStep = graph.RunStep
	// Skill is a procedure for a task, learned from runs. [graph.Skill] has its fields.
	Skill = graph.Skill
	// SkillFilter selects skills. [retrieval.SkillFilter] has its fields.
	SkillFilter = retrieval.SkillFilter
)

// Skills lists procedures, which are learned from runs when these are read. For a task it returns
// the best procedure of each similar skill, confirmed ones first, then by how reliably they worked.
// Without a task it returns all procedures.
func (c *Client) Skills(ctx context.Context, f SkillFilter) ([]Skill, error) {
	if err := c.admit(f.GroupID); err != nil {
		return nil, err
	}
	return read(ctx, c, f.GroupID, func(ctx context.Context, from source) ([]Skill, error) {
		return from.searcher.Skills(ctx, f)
	})
}
