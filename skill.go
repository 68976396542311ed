package annals

import (
	"context"
	"fmt"

	"github.com/google/uuid"

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

// SkillHistory lists every version of a skill, by its ID, the first first. It fails with
// [CodeNotFound] where there never was one.
func (c *Client) SkillHistory(ctx context.Context, groupID string, id uuid.UUID) ([]Skill, error) {
	if err := c.admit(groupID); err != nil {
		return nil, err
	}
	versions, err := read(ctx, c, groupID, func(ctx context.Context, from source) ([]Skill, error) {
		return from.searcher.SkillHistory(ctx, groupID, id)
	})
	if err == nil && len(versions) == 0 {
		err = &Error{Code: CodeNotFound, Field: "skill", Message: fmt.Sprintf("group %s never had %s; 'annals skills' lists them", groupID, id)}
	}
	return versions, err
}
