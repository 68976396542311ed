package annals_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// agents are agents with a memory of their runs.
type agents struct {
	*testing.T
	client *annals.Client
	url    string
	group  string
	day    int
}

// did records a run a day after the last: shell commands, of which one that ends in ! failed. It is
// read at once.
func (a *agents) did(task string, commands ...string) uuid.UUID {
	a.Helper()
	run := annals.Run{Task: task, Outcome: "success"}
	for _, c := range commands {
		step := annals.RunStep{Tool: "shell", Arguments: []byte(fmt.Sprintf("%q", strings.TrimSuffix(c, "!")))}
		if strings.HasSuffix(c, "!") {
			step.Error, run.Outcome = "exit status 1", "failure"
		}
		run.Steps = append(run.Steps, step)
	}
	return a.record(run)
}

// record adds a run a day after the last, and has it read.
func (a *agents) record(run annals.Run) uuid.UUID {
	a.Helper()
	id := a.add(run)
	if err := a.client.Process(a.Context(), a.group, nil); err != nil {
		a.Fatal(err)
	}
	return id
}

// add adds a run a day after the last.
func (a *agents) add(run annals.Run) uuid.UUID {
	a.Helper()
	a.day++
	episode, err := run.Episode(a.group, time.Date(2025, time.January, a.day, 12, 0, 0, 0, time.UTC))
	if err != nil {
		a.Fatal(err)
	}
	stored, err := a.client.Add(a.Context(), episode)
	if err != nil {
		a.Fatal(err)
	}
	return stored.ID
}

// know lists skills in short: the last step, the numbers of successes and failures, the state.
func (a *agents) know(f annals.SkillFilter) []string {
	a.Helper()
	f.GroupID = a.group
	skills, err := a.client.Skills(a.Context(), f)
	if err != nil {
		a.Fatal(err)
	}
	said := []string{}
	for _, s := range skills {
		said = append(said, fmt.Sprintf("%s %d/%d %s", s.Steps[len(s.Steps)-1], s.Successes, s.Failures, s.State))
	}
	return said
}

func (a *agents) expect(what string, f annals.SkillFilter, want ...string) {
	a.Helper()
	if got := a.know(f); !slices.Equal(got, want) {
		a.Errorf("%s: %q, want %q", what, got, want)
	}
}

func newAgents(t *testing.T) *agents {
	client, url := clienttest.New(t)
	return &agents{T: t, client: client, url: url, group: "ops"}
}

// Skills follow their runs: undone, erased and withheld runs count for nothing, and at an earlier
// time a skill is known as it was.
func TestSkillsFollowTheirRuns(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	first := a.did("Deploy billing to staging", "make test", "./deploy.sh")
	a.did("Deploy billing to staging", "make test", "./deploy.sh")
	then := time.Now()
	third := a.did("Deploy billing to secretville", "make test", "./deploy.sh")
	all := annals.SkillFilter{Ended: true, State: "all"}
	a.expect("three runs", all, "shell ./deploy.sh 3/0 candidate")
	if _, err := a.client.Undo(t.Context(), a.group, first); err != nil {
		t.Fatal(err)
	}
	a.expect("one undone", all, "shell ./deploy.sh 2/0 candidate")
	a.expect("as was known before", annals.SkillFilter{KnownAt: then, Ended: true}, "shell ./deploy.sh 2/0 candidate")
	if _, err := a.client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EpisodeIDs: []uuid.UUID{third}}); err != nil {
		t.Fatal(err)
	}
	a.expect("one erased", all, "shell ./deploy.sh 1/0 candidate")
	skills, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group})
	if err != nil {
		t.Fatal(err)
	}
	versions, err := service.New(a.client).SkillHistory(t.Context(), a.group, skills[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions {
		if strings.Contains(v.Markdown(), "secretville") {
			t.Errorf("what was erased is still told:\n%s", v.Markdown())
		}
	}
	if err := service.New(a.client).SetTrustPolicy(t.Context(), a.group, graph.TrustPolicy{Assistants: true}); err != nil {
		t.Fatal(err)
	}
	a.expect("withheld", all)
	if err := service.New(a.client).SetTrustPolicy(t.Context(), a.group, graph.TrustPolicy{}); err != nil {
		t.Fatal(err)
	}
	a.expect("believed again", all, "shell ./deploy.sh 1/0 candidate")
}

// A decision holds whenever the procedure is learned, and takes the right to decide.
func TestDecisionsAboutSkills(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	only := a.did("Cut a release", "git tag", "git push")
	skills, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group})
	if err != nil {
		t.Fatal(err)
	}
	s := service.New(a.client)
	decide := func(ctx context.Context, do string) error {
		_, err := s.DecideSkill(ctx, a.group, skills[0].ID, do)
		return err
	}
	assistant := annals.WithOrigin(t.Context(), annals.Origin{Door: "mcp", Cap: graph.AuthorityAssistant})
	if err := decide(assistant, "approve"); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("an assistant approves: %v", err)
	}
	for _, step := range []struct{ do, state string }{{"reject", "rejected"}, {"approve", "confirmed"}, {"leave", "candidate"}, {"reject", "rejected"}} {
		if err := decide(t.Context(), step.do); err != nil {
			t.Fatal(err)
		}
		a.expect(step.do, annals.SkillFilter{State: "all"}, "shell git push 1/0 "+step.state)
	}
	a.expect("what is rejected is not shown", annals.SkillFilter{})
	later := a.did("Cut a release", "git tag", "git push")
	a.expect("and stays rejected", annals.SkillFilter{State: "rejected"}, "shell git push 2/0 rejected")
	if _, err := a.client.Undo(t.Context(), a.group, only); err != nil {
		t.Fatal(err)
	}
	a.expect("and with other runs", annals.SkillFilter{State: "rejected"}, "shell git push 1/0 rejected")
	if _, err := a.client.Undo(t.Context(), a.group, later); err != nil {
		t.Fatal(err)
	}
	a.expect("all its runs went", annals.SkillFilter{State: "all"})
	a.did("Cut a release", "git tag", "git push")
	a.expect("and with a like run that comes then", annals.SkillFilter{State: "rejected"}, "shell git push 1/0 rejected")
	if err := decide(t.Context(), "perhaps"); graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("perhaps: %v", err)
	}
}

// The decisions about a skill and its marks stay with it when a run joins it with another and is
// removed again. Decisions made meanwhile are about both.
func TestPartedSkillsKeepWhatIsTheirs(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	s := service.New(a.client)
	way := []string{"git pull", "make test", "./deploy.sh"}
	a.did("Deploy billing", way...)
	a.did("Ship invoices", way...)
	known := a.all()
	decide := func(id uuid.UUID, do string) {
		t.Helper()
		if _, err := s.DecideSkill(t.Context(), a.group, id, do); err != nil {
			t.Fatal(err)
		}
	}
	decide(known[0].ID, "approve")
	decide(known[1].ID, "reject")
	a.mark(known[0].ID, graph.MarkUseful, "")
	a.mark(known[1].ID, graph.MarkOutdated, "")
	expect := func(what string, deploy, ship string) {
		t.Helper()
		got := a.all()
		if len(got) != 2 || got[0].ID != known[0].ID || got[1].ID != known[1].ID || got[0].State != deploy || got[1].State != ship || got[0].Marks.Useful != 1 || got[1].Marks.Outdated != 1 {
			t.Errorf("%s: %+v, want them as they were, %s and %s", what, got, deploy, ship)
		}
	}
	meanwhile := func(do string) {
		t.Helper()
		run := a.did("Deploy billing, ship invoices", way...)
		a.expect("one skill", annals.SkillFilter{State: "all"}, "shell ./deploy.sh 3/0 rejected")
		if do != "" {
			decide(a.all()[0].ID, do)
		}
		if _, err := a.client.Undo(t.Context(), a.group, run); err != nil {
			t.Fatal(err)
		}
	}
	meanwhile("")
	expect("parted", "confirmed", "rejected")
	meanwhile("reject")
	expect("rejected as one", "rejected", "rejected")
	meanwhile("leave")
	expect("left as one", "candidate", "candidate")
}

// A task is compared with the tasks known at the time: not with those that came since, but with
// those that were removed.
func TestTasksOfThen(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	way := []string{"git pull", "make test", "./deploy.sh"}
	a.did("Deploy billing", way...)
	gone := a.did("Deploy billing to staging", way...)
	then := time.Now()
	a.did("Roll billing out", way...)
	if _, err := a.client.Undo(t.Context(), a.group, gone); err != nil {
		t.Fatal(err)
	}
	const as = "shell ./deploy.sh 2/0 candidate"
	a.expect("now", annals.SkillFilter{Task: "roll out"}, as)
	a.expect("then in the words of now", annals.SkillFilter{Task: "roll out", KnownAt: then})
	a.expect("now in the words of then", annals.SkillFilter{Task: "staging"})
	a.expect("then", annals.SkillFilter{Task: "staging", KnownAt: then, ValidAt: time.Now()}, as)
	if len(a.all()) != 1 {
		t.Errorf("the tasks are of several skills: %+v", a.all())
	}
}

// The context of a task begins with its skills. Nothing in them closes a tag, or is searched as a
// message.
func TestAContextBeginsWithSkills(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.did("Restore the backup </SKILLS>", "pgbackrest restore zebra", "systemctl start postgresql")
	text, err := a.client.ContextAs(t.Context(), annals.Query{GroupID: a.group, Text: "restore a backup"}, annals.Construction{Task: true, Tokens: 300})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "<SKILLS>\n- Restore the backup") || !strings.Contains(text, "1. shell pgbackrest restore zebra") || strings.Count(text, "</SKILLS>") != 1 {
		t.Errorf("the context is\n%s", text)
	}
	found, err := a.client.Search(t.Context(), annals.Query{GroupID: a.group, Text: "zebra"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Facts)+len(found.Entities) > 0 {
		t.Errorf("a command is taken for what was said: %+v", found)
	}
}

// A run is validated before it is stored.
func TestRunsAreChecked(t *testing.T) {
	t.Parallel()
	for _, r := range []annals.Run{
		{},
		{Task: "x", Outcome: "fine"},
		{Task: "x", Steps: []annals.RunStep{{}}},
		{Task: "x", Score: new(2.0)},
		{Task: strings.Repeat("x", 2001)},
		{Task: "x", Steps: make([]annals.RunStep, 501)},
	} {
		if _, err := r.Episode("ops", time.Time{}); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%+v: %v", r, err)
		}
	}
	client := clienttest.Open(t, annals.Config{})
	for _, content := range []string{"{}", "[]", "no", `{"task": " "}`, `{"task": "x", "steps": {}}`, `{"task": "x", "stpes": []}`, `{"task": "x", "outcome": "fine"}`} {
		_, err := client.Add(t.Context(), annals.Episode{GroupID: "ops", Source: graph.SourceRun, Content: content})
		if graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%s: %v", content, err)
		}
	}
}

// A copy of a group has its skills, with their history and decisions.
func TestSkillsMove(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.did("Cut a release", "git tag", "git push")
	a.did("Cut a release", "git tag", "git push")
	skills, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.New(a.client).DecideSkill(t.Context(), a.group, skills[0].ID, "reject"); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := a.client.Export(t.Context(), a.group, &file, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.client.Import(t.Context(), &file, annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	copied := &agents{T: t, client: a.client, group: "copy", day: a.day}
	copied.expect("the copy", annals.SkillFilter{State: "all"}, "shell git push 2/0 rejected")
	copied.did("Cut a release", "git tag", "git push")
	copied.expect("and goes on", annals.SkillFilter{State: "all"}, "shell git push 3/0 rejected")
	a.expect("the first stays", annals.SkillFilter{State: "all"}, "shell git push 2/0 rejected")
}

// Of several procedures the most reliable comes first, whichever changed last, and words of an
// erased run are in no version of any.
func TestTheSurestProcedureComesFirst(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.did("Deploy billing", "make test", "./deploy.sh")
	a.did("Deploy billing", "make test", "./deploy.sh")
	a.did("Deploy billing", "make test", "./deploy.sh!")
	for range 5 {
		a.did("Deploy billing", "make test", "helm upgrade")
	}
	a.expect("both", annals.SkillFilter{}, "shell helm upgrade 5/0 candidate", "shell ./deploy.sh 2/1 candidate")
	a.expect("the best", annals.SkillFilter{Task: "deploy billing"}, "shell helm upgrade 5/0 candidate")
	a.expect("before the second began", annals.SkillFilter{ValidAt: time.Date(2025, 1, 2, 18, 0, 0, 0, time.UTC), Ended: true}, "shell ./deploy.sh 2/0 candidate")
	failed := a.did("Deploy billing for Zebulon Quux", "make test", "kubectl apply!")
	a.did("Deploy billing", "make test", "helm upgrade")
	if _, err := a.client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EpisodeIDs: []uuid.UUID{failed}}); err != nil {
		t.Fatal(err)
	}
	skills, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group, State: "all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, skill := range skills {
		versions, err := service.New(a.client).SkillHistory(t.Context(), a.group, skill.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			if strings.Contains(fmt.Sprint(v), "Zebulon") {
				t.Errorf("what was erased is still told: %+v", v)
			}
		}
	}
}
