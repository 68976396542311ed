// Package skills measures the learning of skills from runs of agents, in a world of tasks
// whose tools change. It measures whether the right procedure is known at each time, how
// soon a broken one is dropped, and whether a reworded task finds its skill.
package skills_test

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
)

//go:embed testdata/*.json
var worlds embed.FS

// World is a set of recurring tasks.
type World struct {
	Name  string
	Tasks []Task
	Other []string // tasks that nobody ever did
}

// Task is a recurring task. In the second half of the time, the step with the tool or
// command Broken fails, and Instead replaces it.
type Task struct {
	Name    string
	Said    []string // the wordings given to agents
	Asked   []string // new wordings for questions
	Far     string   // a new wording with hardly a known word
	Steps   [][2]string
	Broken  string
	Instead *[2]string
	Error   string
	Changed map[string]string // of the environment
}

// readWorld reads the world of a name: operations or office.
func readWorld(name string) (World, error) {
	var w World
	data, err := worlds.ReadFile("testdata/" + name + ".json")
	if err != nil {
		return w, err
	}
	return w, json.Unmarshal(data, &w)
}

const (
	runs  = 300
	group = "world"

	// The shares of runs that fail by chance, have an extra step of inspection, or end
	// with an unknown outcome.
	byChance, looking, unjudged = 0.06, 0.3, 0.05
)

var (
	begins = time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)
	breaks = begins.AddDate(0, 6, 0)
	ends   = begins.AddDate(1, 0, 0)
)

// Report holds the results.
type Report struct {
	Runs, Skills int

	Checked, Right int            // procedures of a task at a time, afterwards; and how many were the right ones
	Wrong          []string       // what was wrong with others
	Fell           map[string]int // failures by which a broken procedure fell, by task

	Asked, Found, Correct int // tasks in other words; for how many a skill was found; and the right one
	Far                   int // tasks asked for with hardly a word that was used; for how many the right one was found
	Strange, Mistaken     int // tasks that nobody did; and for how many a skill was found
}

// Precision is the share of found skills that are those of the task.
func (r Report) Precision() float64 { return float64(r.Correct) / float64(max(1, r.Found+r.Mistaken)) }

// Recall is the share of tasks whose skill was found.
func (r Report) Recall() float64 { return float64(r.Correct) / float64(max(1, r.Asked)) }

// live simulates the agents of a world. Each asks for the known procedure, follows it,
// and records the outcome. live then queries the learned skills.
func live(ctx context.Context, client *annals.Client, w World, seed uint64) (Report, error) {
	l := life{client: client, world: w, random: rand.New(rand.NewPCG(seed, 1)), report: Report{Fell: map[string]int{}}}
	if err := l.work(ctx); err != nil {
		return l.report, err
	}
	for _, look := range []func(context.Context) error{l.lookBack, l.ask} {
		if err := look(ctx); err != nil {
			return l.report, err
		}
	}
	return l.report, nil
}

type life struct {
	client *annals.Client
	world  World
	random *rand.Rand
	report Report
	moved  map[string]time.Time // when a task was first done in the new way
	tried  map[string][]try
}

// try is a judged run of a task.
type try struct {
	at     time.Time
	worked bool
	old    bool
}

// work performs all runs. An agent uses the new way of a task only if memory has no
// working one.
func (l *life) work(ctx context.Context) error {
	l.moved, l.tried = map[string]time.Time{}, map[string][]try{}
	for i := range runs {
		at := begins.Add(time.Duration(i) * (ends.Sub(begins) / runs))
		task := l.world.Tasks[i%len(l.world.Tasks)]
		said := task.Said[l.random.IntN(len(task.Said))]
		known, err := l.client.Skills(ctx, annals.SkillFilter{GroupID: group, Task: said, ValidAt: at, Limit: 1})
		if err != nil {
			return err
		}
		old := task.Instead == nil || at.Before(breaks) || len(known) > 0 && task.uses(known[0], task.brokenStep())
		run := l.run(task, said, at, old)
		episode, err := run.Episode(group, at)
		if err != nil {
			return err
		}
		if _, err := l.client.Add(ctx, episode); err != nil {
			return err
		}
		if err := l.client.Process(ctx, group, nil); err != nil {
			return err
		}
		l.report.Runs++
		if run.Outcome != "unknown" {
			l.tried[task.Name] = append(l.tried[task.Name], try{at, run.Outcome == "success", old})
		}
		if task.Instead != nil && !at.Before(breaks) && old && run.Outcome == "failure" {
			l.report.Fell[task.Name]++
		}
		if run.Outcome == "success" && !old && l.moved[task.Name].IsZero() {
			l.moved[task.Name] = at
		}
	}
	return nil
}

// run performs a task, in the old way or the new one.
func (l *life) run(task Task, said string, at time.Time, old bool) annals.Run {
	run := annals.Run{Task: said, Agent: "worker", Outcome: "success", JudgedBy: "test", Environment: map[string]string{"repository": l.world.Name}}
	for name, value := range task.Changed {
		run.Environment[name] = "1.0"
		if !at.Before(breaks) {
			run.Environment[name] = value
		}
	}
	chance := -1
	if l.random.Float64() < byChance {
		chance = l.random.IntN(len(task.Steps))
	}
	for i, s := range task.Steps {
		broken := task.Instead != nil && s == task.brokenStep()
		if broken && !old {
			s = *task.Instead
		}
		step := stepOf(s)
		switch {
		case broken && old && !at.Before(breaks):
			step.Error = task.Error
		case i == chance:
			step.Error = "timed out after 30 s"
		}
		run.Steps = append(run.Steps, step)
		if step.Error != "" {
			run.Outcome = "failure"
			break
		}
		if l.random.Float64() < looking {
			run.Steps = append(run.Steps, stepOf([2]string{"shell", "ls -la"}))
		}
	}
	if run.Outcome == "success" && l.random.Float64() < unjudged {
		run.Outcome = "unknown"
	}
	return run
}

func stepOf(s [2]string) annals.RunStep {
	arguments, err := json.Marshal(map[string]string{"command": s[1]})
	if err != nil {
		panic(err) // of two strings it cannot fail
	}
	return annals.RunStep{Tool: s[0], Arguments: arguments, Result: "ok"}
}

// brokenStep returns the step of a task that breaks.
func (t Task) brokenStep() [2]string {
	i := slices.IndexFunc(t.Steps, func(s [2]string) bool { return strings.HasPrefix(s[0]+" "+s[1], t.Broken) })
	return t.Steps[i]
}

func (t Task) uses(skill annals.Skill, step [2]string) bool {
	return slices.Contains(skill.Steps, step[0]+" "+step[1])
}

// is reports whether a skill is that of a task.
func (t Task) is(skill annals.Skill) bool {
	return slices.ContainsFunc(skill.Tasks, func(s string) bool { return slices.Contains(t.Said, s) })
}

// lookBack queries the procedure of each task as of the end of each month.
func (l *life) lookBack(ctx context.Context) error {
	all, err := l.client.Skills(ctx, annals.SkillFilter{GroupID: group, Ended: true, Limit: annals.MaxRows})
	if err != nil {
		return err
	}
	skills := map[string]bool{}
	for _, s := range all {
		skills[s.SkillID.String()] = true
	}
	l.report.Skills = len(skills)
	for at := begins.AddDate(0, 1, 0); at.Before(ends); at = at.AddDate(0, 1, 0) {
		for _, task := range l.world.Tasks {
			known, err := l.client.Skills(ctx, annals.SkillFilter{GroupID: group, Task: task.Said[0], ValidAt: at, Limit: 1})
			if err != nil {
				return err
			}
			l.report.Checked++
			if wrong := l.wrong(task, at, known); wrong != "" {
				l.report.Wrong = append(l.report.Wrong, fmt.Sprintf("%s on %s: %s", task.Name, at.Format(time.DateOnly), wrong))
				continue
			}
			l.report.Right++
		}
	}
	return nil
}

// proof is the number of successes in a row that confirm a procedure in these worlds.
const proof = 3

// wrong describes the fault of the known procedure of a task at a time; empty: none.
func (l *life) wrong(task Task, at time.Time, known []annals.Skill) string {
	moved, broke := l.moved[task.Name], task.Instead != nil && !at.Before(breaks)
	if broke && (moved.IsZero() || at.Before(moved)) {
		if len(known) > 0 && task.is(known[0]) && task.uses(known[0], task.brokenStep()) && l.failedBy(task, at) {
			return "the broken procedure is taken for one that works"
		}
		return ""
	}
	if len(known) == 0 {
		if l.worked(task, at) {
			return "nothing is known"
		}
		return ""
	}
	skill := known[0]
	for i, s := range task.Steps {
		if broke && s == task.brokenStep() {
			s = *task.Instead
		}
		if !task.uses(skill, s) {
			return fmt.Sprintf("step %d, %v, is not among %q", i+1, s, skill.Steps)
		}
	}
	if skill.State != "confirmed" && l.proven(task, at, !broke) {
		return "it is not confirmed: " + skill.Markdown()
	}
	return ""
}

// failedBy reports whether the broken procedure had been tried by a time.
func (l *life) failedBy(task Task, at time.Time) bool {
	return l.report.Fell[task.Name] > 0 && at.After(breaks.AddDate(0, 1, 0))
}

// proven reports whether a way of doing a task had the required successes in a row by a
// time.
func (l *life) proven(task Task, at time.Time, old bool) bool {
	n := 0
	for _, t := range l.tried[task.Name] {
		switch {
		case t.old != old || !t.at.Before(at):
		case !t.worked:
			n = 0
		default:
			if n++; n == proof {
				return true
			}
		}
	}
	return false
}

// worked reports whether a task had ever succeeded by a time.
func (l *life) worked(task Task, at time.Time) bool {
	return slices.ContainsFunc(l.tried[task.Name], func(t try) bool { return t.worked && t.at.Before(at) })
}

// ask queries each task in new words, and tasks that nobody performed.
func (l *life) ask(ctx context.Context) error {
	find := func(task string) ([]annals.Skill, error) {
		return l.client.Skills(ctx, annals.SkillFilter{GroupID: group, Task: task, ValidAt: ends, Limit: 1})
	}
	for _, task := range l.world.Tasks {
		for _, asked := range task.Asked {
			known, err := find(asked)
			if err != nil {
				return err
			}
			l.report.Asked++
			if len(known) > 0 {
				l.report.Found++
				if task.is(known[0]) {
					l.report.Correct++
				} else {
					l.report.Wrong = append(l.report.Wrong, fmt.Sprintf("%q found %q", asked, known[0].Name))
				}
			} else {
				l.report.Wrong = append(l.report.Wrong, fmt.Sprintf("%q found nothing", asked))
			}
		}
	}
	for _, task := range l.world.Tasks {
		known, err := find(task.Far)
		if err != nil {
			return err
		}
		if len(known) > 0 && task.is(known[0]) {
			l.report.Far++
		}
	}
	for _, other := range l.world.Other {
		known, err := find(other)
		if err != nil {
			return err
		}
		l.report.Strange++
		if len(known) > 0 {
			l.report.Mistaken++
			l.report.Wrong = append(l.report.Wrong, fmt.Sprintf("%q found %q", other, known[0].Name))
		}
	}
	return nil
}
