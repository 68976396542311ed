package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// A model words what was learned, in one call for each change of what the runs say. What
// it says of what was not shown is dropped; steps and times stay as they are. When the
// words of the runs change, they are shown until it was asked again.
func TestAModelWordsSkills(t *testing.T) {
	t.Parallel()
	name := "Deploy a service"
	calls := 0
	client, _ := openScripted(t, script{"word_skill": func(r modeltest.Request) modeltest.Reply {
		calls++
		if !strings.Contains(r.User, "- shell git pull") {
			t.Errorf("the model is not shown the steps:\n%s", r.User)
		}
		return modeltest.Reply{JSON: prompts.WordedSkill{
			Name: name, When: "When a service is to be deployed.", Preconditions: []string{"helm is in version 4.0."},
			Pitfalls: []prompts.WordedPitfall{{ID: 1, Says: "The cluster may time out."}, {ID: 9, Says: "It may explode."}},
		}}
	}}, nil)
	a := &agents{T: t, client: client, group: "ops"}
	record := func(failure string) {
		a.day++
		run := annals.Run{Task: "Deploy billing", Outcome: "success", Environment: map[string]string{"helm": "4.0"}}
		run.Steps = []annals.RunStep{{Tool: "shell", Arguments: []byte(`"git pull"`)}, {Tool: "deploy", Error: failure}}
		if failure != "" {
			run.Outcome = "failure"
		}
		e, err := run.Episode(a.group, time.Date(2025, 1, a.day, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if err := client.Process(t.Context(), a.group, nil); err != nil {
			t.Fatal(err)
		}
	}
	record("")
	if s := a.all()[0]; s.Name != name || s.Reader != "openai:main" || s.Tasks[0] != "When a service is to be deployed." || s.Preconditions[0] != "helm is in version 4.0." || len(s.Steps) != 2 {
		t.Errorf("the skill is %+v", s)
	}
	record("")
	if calls != 1 || a.all()[0].Successes != 2 || a.all()[0].Name != name {
		t.Errorf("after a run that says nothing new the model was asked %d times: %+v", calls, a.all()[0])
	}
	record("timed out")
	if s := a.all()[0]; calls != 2 || len(s.Pitfalls) != 1 || s.Pitfalls[0] != "The cluster may time out (2025-01-03)" {
		t.Errorf("after %d calls the pitfalls are %q", calls, s.Pitfalls)
	}
	name = strings.Repeat("x", 101)
	record("no space left")
	if s := a.all()[0]; calls != 3 || s.Name != "Deploy billing" || s.Reader != "offline" || len(s.Pitfalls) != 2 {
		t.Errorf("what cannot be used is: %d calls, %+v", calls, s)
	}
	record("")
	if s := a.all()[0]; calls != 3 || s.Reader != "offline" {
		t.Errorf("a model is asked again about what it had no words for: %d calls, %+v", calls, s)
	}
	usage, err := client.Usage(t.Context(), a.group)
	if err != nil || len(usage) != 2 || usage[1].Prompt != "word_skill" || usage[1].Calls != 3 {
		t.Errorf("the calls are not counted: %+v (%v)", usage, err)
	}
	offline := newAgents(t)
	offline.did("Deploy billing", "git pull")
	if s := offline.all()[0]; s.Reader != "offline" || s.Name != "Deploy billing" {
		t.Errorf("without a model the skill is %+v", s)
	}
}
