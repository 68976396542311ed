package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

func (d *door) skills() {
	addOne(d, tool{
		name: "find_skills", title: "Find skills", reads: true,
		about: "How a task was done before, and how often it worked.",
	}, d.findSkills)
	addOne(d, tool{
		name: "record_run", title: "Record a run",
		about: "Record how a task went.",
	}, d.recordRun)
}

type findSkillsInput struct {
	OfGroup
	Task string `json:"task,omitempty"`
}

type skillsOutput struct {
	Skills []annals.Skill `json:"skills"`
}

func (d *door) findSkills(ctx context.Context, c client, in findSkillsInput) (skillsOutput, error) {
	skills, err := c.Skills(ctx, annals.SkillFilter{GroupID: c.group, Task: in.Task})
	return skillsOutput{skills}, err
}

func (o skillsOutput) say() string {
	if len(o.Skills) == 0 {
		return "No skill is known for this"
	}
	safe := fence.New()
	return section("", "skills", each.Of(o.Skills, func(s annals.Skill) string { return safe.Text(s.Markdown()) + "[" + s.ID.String() + "]" }))
}

// recordRunInput is the part of a run that a model knows of itself: each argument costs
// every conversation tokens. Where a run failed, it did so at its last step.
type recordRunInput struct {
	OfGroup
	Task    string   `json:"task" maxLength:"2000"`
	Outcome string   `json:"outcome" enum:"success,failure,unknown"`
	Steps   []string `json:"steps,omitempty" maxItems:"500" maxLength:"4000" doc:"shell: git push"`
}

// run reads each step as the tool and what it was called with, or else as what was done.
func (in recordRunInput) run() annals.Run {
	run := annals.Run{Task: in.Task, Outcome: in.Outcome}
	for _, said := range in.Steps {
		tool, arguments, called := strings.Cut(said, ": ")
		if !called || strings.ContainsAny(tool, " \t") {
			run.Steps = append(run.Steps, annals.RunStep{Action: said})
			continue
		}
		step := annals.RunStep{Tool: tool}
		step.Arguments, _ = json.Marshal(arguments) // of a text it cannot fail
		run.Steps = append(run.Steps, step)
	}
	return run
}

type recordRunOutput struct {
	Message string `json:"message"`
	UUID    string `json:"uuid"`
	New     bool   `json:"new" jsonschema:"false: it was there already"`
}

func (d *door) recordRun(ctx context.Context, c client, in recordRunInput) (recordRunOutput, error) {
	episode, err := in.run().Episode(c.group, time.Time{})
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
