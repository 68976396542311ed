package mcp

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/input"
)

func (d *door) skills() {
	addOne(d, tool{
		name: "find_skills", title: "Find out how a task is done", reads: true,
		about: "Find out how a task was done with success before: steps, preconditions, what went wrong, and how often it worked. Call it before " +
			"you begin with a task. Without a task it lists all skills.",
	}, d.findSkills)
	addOne(d, tool{
		name: "record_run", title: "Record how a task went",
		about: "Record what you did about a task, step by step, and how that ended: memory learns from it how the task is done. Call it once a " +
			"task is over, whether it worked or not; say who judged that.",
	}, d.recordRun)
}

type findSkillsInput struct {
	OfGroup
	input.ListSkills
}

type skillsOutput struct {
	Skills []annals.Skill `json:"skills"`
}

func (d *door) findSkills(ctx context.Context, c client, in findSkillsInput) (skillsOutput, error) {
	filter, err := input.Read(in.ListSkills, annals.SkillFilter{GroupID: c.group})
	if err != nil {
		return skillsOutput{}, err
	}
	skills, err := c.Skills(ctx, filter)
	return skillsOutput{skills}, err
}

func (o skillsOutput) say() string {
	if len(o.Skills) == 0 {
		return "No skill is known for this"
	}
	safe := fence.New()
	return section("", "skills", each.Of(o.Skills, func(s annals.Skill) string { return safe.Text(s.Markdown()) + "[" + s.ID.String() + "]" }))
}

type recordRunInput struct {
	OfGroup
	input.NewRun
}

type recordRunOutput struct {
	Message string `json:"message"`
	UUID    string `json:"uuid"`
	New     bool   `json:"new" jsonschema:"false: it was there already"`
}

func (d *door) recordRun(ctx context.Context, c client, in recordRunInput) (recordRunOutput, error) {
	episode, err := in.Episode(c.group)
	if err != nil {
		return recordRunOutput{}, err
	}
	stored, err := d.memory.add(ctx, c.Client, episode)
	if err != nil {
		return recordRunOutput{}, err
	}
	out := recordRunOutput{Message: fmt.Sprintf("The run is recorded in group '%s'", c.group), UUID: stored.ID.String(), New: stored.New}
	if !stored.New {
		out.Message = fmt.Sprintf("The run is in group '%s' already; nothing was changed", c.group)
	}
	return out, nil
}

func (o recordRunOutput) say() string { return o.Message + " [" + o.UUID + "]" }
