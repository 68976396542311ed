package db

import "github.com/annalsdb/annals/graph"

// Skill reads a row of skills.
func Skill(groupID string, r SkillListRow) graph.Skill {
	valid, recorded := Interval(r.Valid), Interval(r.Recorded)
	s := graph.Skill{
		GroupID: groupID, ID: r.ID, SkillID: r.SkillID, Procedure: r.Procedure, Name: r.Name, Tasks: r.Tasks, Steps: r.Steps, Pitfalls: r.Pitfalls,
		Preconditions: r.Preconditions, Why: r.Why, Reader: r.Reader, State: r.State, Successes: int(r.Succeeded), Failures: int(r.Failures),
		RateLow: r.Low, RateHigh: r.High, Worked: r.Worked, Failed: r.Failed, ValidAt: valid.Start, KnownFrom: recorded.Start, CreatedAt: r.CreatedAt.UTC(), Alike: r.Alike,
	}
	s.InvalidAt, s.KnownUntil = Nullable(valid.End), Nullable(recorded.End)
	return s
}
