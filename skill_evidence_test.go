package annals_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// unjudged records a run without an outcome: tools, of which one that ends in ! failed.
func (a *agents) unjudged(task string, tools ...string) uuid.UUID {
	a.Helper()
	run := annals.Run{Task: task}
	for _, tool := range tools {
		name, failed := strings.CutSuffix(tool, "!")
		step := annals.RunStep{Tool: name}
		if failed {
			step.Error = "timed out"
		}
		run.Steps = append(run.Steps, step)
	}
	return a.record(run)
}

// by marks rows with a key, and expects an error code.
func (a *agents) by(key string, authority graph.Authority, mark graph.Mark, want graph.Code, ids ...uuid.UUID) {
	a.Helper()
	ctx := annals.WithOrigin(a.Context(), annals.Origin{Door: "rest", Key: key, Cap: authority})
	if _, err := service.New(a.client).Mark(ctx, a.group, service.MarkChange{IDs: ids, Mark: mark}); graph.CodeOf(err) != want {
		a.Errorf("%s marks %s: %v, want %q", key, mark, err, want)
	}
}

func (a *agents) prove(successes int) {
	a.Helper()
	if err := service.New(a.client).SetTrustPolicy(a.Context(), a.group, graph.TrustPolicy{SkillProof: successes}); err != nil {
		a.Fatal(err)
	}
}

// Nothing is learned from an unjudged run until it is judged, and no more once the judgement is taken
// back.
func TestRunsAreJudgedLater(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	good := a.unjudged("Deploy billing to staging", "test", "deploy")
	a.expect("nobody judged it", annals.SkillFilter{})
	a.mark(good, graph.MarkUseful, "")
	a.expect("it was useful", annals.SkillFilter{}, "deploy 1/0 candidate")
	bad := a.unjudged("Deploy billing to staging", "test", "deploy!")
	a.mark(bad, graph.MarkWrong, "")
	a.expect("another was wrong", annals.SkillFilter{}, "deploy 1/1 candidate")
	if why := a.all()[0].Why; !strings.Contains(why, "timed out") {
		t.Errorf("why is %q", why)
	}
	a.mark(bad, graph.MarkUnjudged, "")
	a.mark(good, graph.MarkUnjudged, "")
	a.expect("both were taken back", annals.SkillFilter{})
}

// A run that failed at its first step counts against that step as well.
func TestARunFailsAtItsFirstStep(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.record(annals.Run{Task: "Deploy billing", Outcome: "success", Steps: []annals.RunStep{{Tool: "deploy"}}})
	a.mark(a.unjudged("Deploy billing", "deploy!"), graph.MarkWrong, "")
	a.expect("it was judged wrong", annals.SkillFilter{}, "deploy 1/1 candidate")
	a.mark(a.unjudged("Deploy billing", "deploy!"), graph.MarkUseful, "")
	a.expect("what did nothing was of no use", annals.SkillFilter{}, "deploy 1/1 candidate")
}

// The judgements of the highest authority count, however many others there are.
func TestTheHighestAuthorityJudgesRuns(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	run := a.unjudged("Paint the fence", "brush")
	a.by("bot", graph.AuthorityAssistant, graph.MarkUseful, "", run)
	a.expect("an assistant finds it useful", annals.SkillFilter{}, "brush 1/0 candidate")
	a.by("eva", graph.AuthorityPerson, graph.MarkWrong, "", run)
	a.expect("a person says it is wrong", annals.SkillFilter{})
	a.by("another bot", graph.AuthorityAssistant, graph.MarkUseful, "", run)
	a.expect("a second assistant finds it useful", annals.SkillFilter{})
	a.by("adam", graph.AuthorityPerson, graph.MarkUseful, "", run)
	a.expect("two persons differ", annals.SkillFilter{})
	a.by("eva", graph.AuthorityPerson, graph.MarkUseful, "", run)
	a.expect("and agree", annals.SkillFilter{}, "brush 1/0 candidate")
}

// Assistants can judge runs, but their judgements confirm no skill.
func TestAssistantsProveNothingByMarks(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	first, second := a.unjudged("Wipe the laptop", "wipe"), a.unjudged("Wipe the laptop", "wipe")
	a.prove(2)
	a.by("bot", graph.AuthorityAssistant, graph.MarkUseful, "", first, second)
	a.expect("an assistant says that both worked", annals.SkillFilter{}, "wipe 2/0 candidate")
	a.by("eva", graph.AuthorityUser, graph.MarkUseful, "", first)
	a.expect("a user says it of one", annals.SkillFilter{}, "wipe 2/0 candidate")
	a.by("eva", graph.AuthorityUser, graph.MarkUseful, "", second)
	a.expect("and of the other", annals.SkillFilter{}, "wipe 2/0 confirmed")
}

// A mark with less authority than the decision about a skill does not lower its rank.
func TestDecidedSkillsAreNotLoweredFromBelow(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.did("Deploy billing to staging", "git pull", "./deploy.sh")
	skill := a.all()[0].ID
	a.by("bot", graph.AuthorityAssistant, graph.MarkWrong, "", skill)
	a.by("bot", graph.AuthorityAssistant, graph.MarkUnjudged, "", skill)
	if _, err := service.New(a.client).DecideSkill(t.Context(), a.group, skill, "approve"); err != nil {
		t.Fatal(err)
	}
	a.by("bot", graph.AuthorityAssistant, graph.MarkWrong, graph.CodeForbidden, skill)
	a.by("bot", graph.AuthorityUser, graph.MarkOutdated, graph.CodeForbidden, skill)
	a.by("bot", graph.AuthorityAssistant, graph.MarkUseful, "", skill)
	a.by("eva", graph.AuthorityPerson, graph.MarkWrong, "", skill)
}

// Imported skills were written by somebody, and prove nothing however often they are imported.
func TestImportsProveNothing(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	run := annals.Run{Task: "Deploy billing", Outcome: "success", Steps: []annals.RunStep{{Tool: "deploy"}}, Environment: map[string]string{"imported from": "deploy/SKILL.md"}}
	a.record(run)
	a.prove(1)
	a.record(run)
	a.expect("imported twice", annals.SkillFilter{}, "deploy 2/0 candidate")
	run.Environment = nil
	a.record(run)
	a.expect("done once", annals.SkillFilter{}, "deploy 3/0 confirmed")
}
