package input

import (
	"time"

	"github.com/annalsdb/annals/graph"
)

// NewRun is the record of what an agent did.
type NewRun struct {
	graph.Run
	OccurredAt string `json:"occurred_at,omitempty" to:"-" maxLength:"64" doc:"When it began; left out: now" example:"2025-03-15T09:30:00Z"`
	ThreadID   string `json:"thread_id,omitempty" to:"-" maxLength:"512" doc:"The conversation that it belongs to"`
	ExternalID string `json:"external_id,omitempty" to:"-" maxLength:"512" doc:"Your own name for it, unique in the group: adding it again changes nothing"`
	Metadata   Object `json:"metadata,omitzero" to:"-" doc:"Kept as it is"`
}

// ListSkills selects skills.
type ListSkills struct {
	Times
	Task         string `query:"task" maxLength:"8192" doc:"For this task: of each skill that is like it the best procedure, the likest first; left out: all procedures" example:"Deploy billing to staging"`
	Skill        string `query:"skill" to:"SkillID" maxLength:"64" doc:"Only the procedures of this skill, by skill_id"`
	State        string `query:"state" enum:"candidate,confirmed,rejected,all" doc:"Only those in this state; left out: all but rejected ones"`
	IncludeEnded bool   `query:"include_ended" to:"Ended" doc:"Also those that do not work any more"`
	Limit        int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
}

// SkillDecision is a decision about a skill.
type SkillDecision struct {
	Do string `json:"decision" flag:"-" to:"-" enum:"approve,reject,leave" doc:"approve: confirm it. reject: it stays rejected. leave: take the decision back"`
}

// Episode returns the episode that records the run in a group.
func (in NewRun) Episode(group string) (graph.Episode, error) {
	kept, err := in.Run.Episode(group, time.Time{})
	if err != nil {
		return graph.Episode{}, err
	}
	return graph.EpisodeInput{
		Content: kept.Content, Source: kept.Source, Actor: kept.Actor, OccurredAt: in.OccurredAt, ThreadID: in.ThreadID, ExternalID: in.ExternalID,
		Metadata: in.Metadata.RawMessage,
	}.Episode(group)
}
