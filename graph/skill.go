package graph

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
)

// Skill is a procedure for a task that worked in runs of agents, with the time during
// which it worked. It is derived from the runs alone; nobody writes it.
type Skill struct {
	ID            uuid.UUID   `json:"id"`
	GroupID       string      `json:"group_id"`
	SkillID       uuid.UUID   `json:"skill_id" doc:"All procedures of like tasks have the same"`
	Procedure     uuid.UUID   `json:"procedure" doc:"The procedure, by the tools and commands of its steps. It may hold, break, and hold again"`
	Name          string      `json:"name" doc:"What it does: the words of a model, else those in which the task was given most often"`
	Tasks         []string    `json:"tasks" doc:"The tasks that it is for, as they were given, at most five; with a model the first says in its words what it is for"`
	Steps         []string    `json:"steps" doc:"What to do, in order"`
	Pitfalls      []string    `json:"pitfalls" doc:"What went wrong on the way, and when, the latest first"`
	Preconditions []string    `json:"preconditions" doc:"What was the same of the environment whenever it worked"`
	Why           string      `json:"why" doc:"Why it is trusted less, or ended; empty: nothing speaks against it"`
	Reader        string      `json:"reader" doc:"Who worded it: offline, from the runs, or a model"`
	State         string      `json:"state" enum:"candidate,confirmed,rejected" doc:"Whether it was confirmed or rejected, by hand or by the group's policy"`
	Successes     int         `json:"successes"`
	Failures      int         `json:"failures"`
	RateLow       float64     `json:"rate_low" doc:"The rate of success is not lower, at 95 % (Wilson's interval)"`
	RateHigh      float64     `json:"rate_high"`
	Worked        []uuid.UUID `json:"worked" doc:"The runs in which it worked, the first first"`
	Failed        []uuid.UUID `json:"failed" doc:"The runs in which it failed, the first first"`
	ValidAt       time.Time   `json:"valid_at" doc:"When it worked first"`
	InvalidAt     *time.Time  `json:"invalid_at" doc:"The first of the failures that ended it; null: it holds"`
	KnownFrom     time.Time   `json:"known_from"`
	KnownUntil    *time.Time  `json:"known_until"`
	CreatedAt     time.Time   `json:"created_at"`
	Marks         *MarksJSON  `json:"marks,omitempty" doc:"How it was found"`
	Alike         float64     `json:"alike" doc:"How like its tasks are to the one asked for, 0 to 1; 0 where none was"`
}

// Markdown returns the skill as a page for an agent: the steps, the pitfalls and the
// evidence.
func (s Skill) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", line(s.Name), s.evidence())
	list := func(title string, items []string, bullet func(i int) string) {
		if len(items) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n", title)
		}
		for i, item := range items {
			fmt.Fprintf(&b, "%s %s\n", bullet(i), line(item))
		}
	}
	dash := func(int) string { return "-" }
	list("When to use it", s.Tasks, dash)
	list("Preconditions", s.Preconditions, dash)
	list("Steps", s.Steps, func(i int) string { return fmt.Sprintf("%d.", i+1) })
	list("Pitfalls", s.Pitfalls, dash)
	return b.String()
}

// evidence returns the skill's record in words: "Since 3 March 2025 it worked in 9 of
// 10 runs (at least 60 %). Confirmed."
func (s Skill) evidence() string {
	said := fmt.Sprintf("Since %s it worked in %d of %s (at least %.0f %%).", longDay(s.ValidAt), s.Successes, each.Count(s.Successes+s.Failures, "run"), 100*s.RateLow)
	if s.InvalidAt != nil {
		said += fmt.Sprintf(" It does not work any more since %s.", longDay(*s.InvalidAt))
	}
	if s.Why != "" {
		said += " Against it: " + line(s.Why) + "."
	}
	if m := s.Marks; m != nil {
		said += fmt.Sprintf(" Found useful by %d, wrong by %d, outdated by %d.", m.Useful, m.Wrong, m.Outdated)
	}
	switch s.State {
	case "candidate":
		return said + " Nobody has confirmed it."
	case "rejected":
		return said + " It was rejected."
	}
	return said + " Confirmed."
}

func longDay(t time.Time) string { return t.UTC().Format("2 January 2006") }

// line returns a text on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
