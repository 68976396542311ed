package annals_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// mark marks a row, and expects an error code.
func (a *agents) mark(id uuid.UUID, mark graph.Mark, want graph.Code) {
	a.Helper()
	change := service.MarkChange{IDs: []uuid.UUID{id}, Mark: mark}
	if mark == graph.MarkExpires {
		change.ExpiresAt = time.Now().Add(time.Hour)
	}
	if _, err := service.New(a.client).Mark(a.Context(), a.group, change); graph.CodeOf(err) != want {
		a.Errorf("%s: %v, want %q", mark, err, want)
	}
}

func (a *agents) all() []annals.Skill {
	a.Helper()
	skills, err := a.client.Skills(a.Context(), annals.SkillFilter{GroupID: a.group, State: "all", Ended: true})
	if err != nil {
		a.Fatal(err)
	}
	return skills
}

// Users of a skill judge it: of two equally proven procedures the one marked as useful comes first,
// and its marks are shown. They can be taken back.
func TestSkillsAreJudged(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	for range 2 {
		a.did("Deploy billing to staging", "git pull", "./deploy.sh")
		a.did("Deploy billing to staging", "terraform plan", "helm upgrade")
	}
	task := annals.SkillFilter{Task: "Deploy billing to staging"}
	first := a.know(task)
	var other annals.Skill
	for _, s := range a.all() {
		if !strings.HasPrefix(first[0], s.Steps[len(s.Steps)-1]) {
			other = s
		}
	}
	a.mark(other.ID, graph.MarkUseful, "")
	if got := a.know(task); slices.Equal(got, first) {
		t.Errorf("what was found useful does not come first: %q", got)
	}
	then := time.Now()
	found, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group, Task: task.Task})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Marks == nil || found[0].Marks.Useful != 1 || !strings.Contains(found[0].Markdown(), "Found useful by 1, wrong by 0, outdated by 0.") {
		t.Errorf("how it was found is not shown: %+v", found)
	}
	a.mark(other.ID, graph.MarkWrong, "")
	a.expect("what was found wrong comes last", task, first...)
	if got := a.know(annals.SkillFilter{Task: task.Task, KnownAt: then}); slices.Equal(got, first) {
		t.Errorf("as was known then it does not come first: %q", got)
	}
	a.mark(other.ID, graph.MarkUnjudged, "")
	if s := a.all(); s[0].Marks != nil || s[1].Marks != nil {
		t.Errorf("what was taken back is still shown: %+v", s)
	}
	for _, mark := range []graph.Mark{graph.MarkPinned, graph.MarkExpires} {
		a.mark(other.ID, mark, graph.CodeInvalid)
	}
	a.mark(uuid.New(), graph.MarkUseful, graph.CodeNotFound)
	cited, err := a.client.ContextAs(t.Context(), annals.Query{GroupID: a.group, Text: task.Task}, annals.Construction{Task: true, Citations: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(cited, "["+a.all()[0].ID.String()+"]") && !strings.Contains(cited, "["+a.all()[1].ID.String()+"]") {
		t.Errorf("a context with citations does not name the skill, so that nobody can judge it:\n%s", cited)
	}
}

// Erasing the runs of a skill removes its marks.
func TestErasingRemovesJudgements(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	run := a.did("Cut a release", "git tag", "git push")
	a.mark(a.all()[0].ID, graph.MarkUseful, "")
	if _, err := a.client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EpisodeIDs: []uuid.UUID{run}}); err != nil {
		t.Fatal(err)
	}
	marks, err := service.New(a.client).Marks(t.Context(), service.MarkFilter{GroupID: a.group})
	if err != nil || len(marks) > 0 {
		t.Errorf("marks of what was erased are left: %+v, %v", marks, err)
	}
}

// Pitfalls have the times at which they occurred.
func TestPitfallsHaveTimes(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.did("Cut a release", "git tag", "git push")
	a.did("Cut a release", "git tag", "git push!")
	a.did("Cut a release", "git tag", "git push")
	a.did("Cut a release", "git tag!", "git push")
	a.did("Cut a release", "git tag", "git push!")
	want := []string{"shell git push: exit status 1 (2 times, 2025-01-02 to 2025-01-05)", "shell git tag: exit status 1 (2025-01-04)"}
	if got := a.all()[0].Pitfalls; !slices.Equal(got, want) {
		t.Errorf("pitfalls are %q, want %q", got, want)
	}
}

// A skill that is used every hour does not grow with each run: its latest runs count, and it still
// holds since the first.
func TestManyRunsOfASkill(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	a := newAgents(t)
	var episodes []annals.Episode
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 230 {
		run := annals.Run{Task: "Deploy billing to staging", Outcome: "success", Steps: []annals.RunStep{{Tool: "shell", Arguments: []byte(`"./deploy.sh"`)}}}
		if i%10 == 9 {
			run.Outcome, run.Steps[0].Error = "failure", fmt.Sprintf("attempt %d timed out", i)
		}
		e, err := run.Episode(a.group, begin.Add(time.Duration(i)*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, e)
	}
	if _, err := a.client.AddAll(t.Context(), episodes); err != nil {
		t.Fatal(err)
	}
	if err := a.client.Process(t.Context(), a.group, nil); err != nil {
		t.Fatal(err)
	}
	s := a.all()[0]
	if s.Successes != 180 || s.Failures != 20 || !s.ValidAt.Equal(begin) || s.InvalidAt != nil {
		t.Errorf("it worked %d times and failed %d times since %s until %v; want 180, 20 and %s", s.Successes, s.Failures, s.ValidAt, s.InvalidAt, begin)
	}
	a.expect("as of its first day", annals.SkillFilter{Task: "Deploy billing to staging", ValidAt: begin.Add(time.Hour)}, "shell ./deploy.sh 0/0 candidate")
}

// Learning checks no run for being withheld if the group withholds nothing, and marks other than an
// expiry make nothing be learned.
func TestLearningCostsNothingThatIsNotNeeded(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	for range 5 {
		a.did("Cut a release", "git tag", "git push")
	}
	plan := a.plan("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT * FROM annals_internal.proving_runs('ops') r WHERE r.skill_id = '" + a.all()[0].SkillID.String() + "'")
	if !regexp.MustCompile(`InitPlan(.|\n)*Filter: \(\(NOT (\$\d+|\(InitPlan \d+\)\.col1)\) OR`).MatchString(plan) {
		t.Errorf("what a group that withholds nothing withholds is looked for at each run:\n%s", plan)
	}
	before := clienttest.Count(t, a.url, "SELECT count(*) FROM annals_internal.skills_history")
	a.mark(a.all()[0].ID, graph.MarkUseful, "")
	if learned := a.written("UPDATE annals.marks SET until = NULL WHERE group_id = 'ops'"); learned > 0 {
		t.Errorf("a mark of what is no episode has %d skills learned", learned)
	}
	a.mark(a.all()[0].Worked[0], graph.MarkExpires, "")
	a.expect("what is to expire teaches nothing", annals.SkillFilter{}, "shell git push 4/0 candidate")
	a.mark(a.all()[0].Worked[0], graph.MarkExpires, "")
	if after := clienttest.Count(t, a.url, "SELECT count(*) FROM annals_internal.skills_history"); after != before+2 {
		t.Errorf("%d versions became former ones, want 2", after-before)
	}
}

// When many runs are judged at once, their skill is learned once.
func TestManyRunsAreJudgedAtOnce(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	for range 10 {
		a.unjudged("Paint the fence", "brush")
	}
	for _, mark := range []string{"useful", "wrong", "useful", "unjudged"} {
		if learned := a.written("SELECT annals.mark('ops', ARRAY(SELECT e.id FROM annals.episodes e WHERE e.group_id = 'ops'), '" + mark + "')"); learned > 2 {
			t.Errorf("%s: the skill is written %d times", mark, learned)
		}
		if mark == "useful" {
			a.expect(mark, annals.SkillFilter{}, "brush 10/0 candidate")
		} else {
			a.expect(mark, annals.SkillFilter{})
		}
	}
}

// written returns how often a statement writes skills.
func (a *agents) written(statement string) (times int) {
	a.Helper()
	tx, err := clienttest.Dial(a.T, a.url).Begin(a.Context())
	if err == nil {
		_, err = tx.Exec(a.Context(), statement)
	}
	if err == nil {
		err = tx.QueryRow(a.Context(), "SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_all_tables WHERE relid = 'annals.skills'::regclass").Scan(&times)
	}
	if err == nil {
		err = tx.Commit(a.Context())
	}
	if err != nil {
		a.Fatal(err)
	}
	return times
}

func (a *agents) plan(query string) string {
	a.Helper()
	rows, err := clienttest.Dial(a.T, a.url).Query(a.Context(), query)
	if err != nil {
		a.Fatal(err)
	}
	var lines []string
	var line string
	for rows.Next() {
		if err := rows.Scan(&line); err != nil {
			a.Fatal(err)
		}
		lines = append(lines, line)
	}
	if rows.Err() != nil {
		a.Fatal(rows.Err())
	}
	return strings.Join(lines, "\n")
}
