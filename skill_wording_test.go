package annals_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// told returns everything that skills say or said.
func (a *agents) told() string {
	a.Helper()
	var told strings.Builder
	for _, s := range a.all() {
		versions, err := service.New(a.client).SkillHistory(a.Context(), a.group, s.ID)
		if err != nil {
			a.Fatal(err)
		}
		for _, v := range append(versions, s) {
			told.WriteString(v.Markdown())
		}
	}
	return told.String()
}

// wordedBy returns agents whose skills a model words.
func wordedBy(t *testing.T, word func(modeltest.Request) modeltest.Reply) *agents {
	t.Helper()
	client, _ := openScripted(t, script{"word_skill": word}, nil)
	return &agents{T: t, client: client, group: "ops"}
}

// A model words a skill, in one call for each change of what the runs say. Statements about content
// that was not shown are dropped; steps and times stay. When the words of the runs change, they are
// shown until the model was asked again.
func TestAModelWordsSkills(t *testing.T) {
	t.Parallel()
	name := "Deploy a service"
	calls := 0
	a := wordedBy(t, func(r modeltest.Request) modeltest.Reply {
		calls++
		if !strings.Contains(r.User, "- shell git pull") {
			t.Errorf("the model is not shown the steps:\n%s", r.User)
		}
		return modeltest.Reply{JSON: prompts.WordedSkill{
			Name: name, When: "When a service is to be deployed.", Preconditions: []string{"helm is in version 4.0."},
			Pitfalls: []prompts.WordedPitfall{{ID: 1, Says: "The cluster may time out."}, {ID: 9, Says: "It may explode."}},
		}}
	})
	record := func(failure string) {
		run := annals.Run{Task: "Deploy billing", Outcome: "success", Environment: map[string]string{"helm": "4.0"}}
		run.Steps = []annals.RunStep{{Tool: "shell", Arguments: []byte(`"git pull"`)}, {Tool: "deploy", Error: failure}}
		if failure != "" {
			run.Outcome = "failure"
		}
		a.record(run)
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
	usage, err := a.client.Usage(t.Context(), a.group)
	if err != nil || len(usage) != 2 || usage[1].Prompt != "word_skill" || usage[1].Calls != 3 {
		t.Errorf("the calls are not counted: %+v (%v)", usage, err)
	}
	offline := newAgents(t)
	offline.did("Deploy billing", "git pull")
	if s := offline.all()[0]; s.Reader != "offline" || s.Name != "Deploy billing" {
		t.Errorf("without a model the skill is %+v", s)
	}
}

// When a run is erased, none of a model's words about its content stay, wherever the content is in
// the run.
func TestWordsOfAModelGoWithTheirRuns(t *testing.T) {
	t.Parallel()
	worked := annals.Run{Task: "Deploy billing", Outcome: "success", Steps: []annals.RunStep{{Tool: "shell", Arguments: []byte(`"helm upgrade"`)}}}
	worked.Environment = map[string]string{"customer": "Initech"}
	failed := worked
	failed.Outcome = "failure"
	for where, tell := range map[string]func() annals.Run{
		"the environment of one that failed": func() annals.Run {
			run := failed
			run.Environment = map[string]string{"customer": "Globex"}
			return run
		},
		"an error": func() annals.Run {
			run := failed
			run.Steps = []annals.RunStep{{Tool: "shell", Arguments: []byte(`"helm upgrade"`), Error: "no such customer: Globex"}}
			return run
		},
		"the error of the whole": func() annals.Run { run := failed; run.Error = "Globex complained"; return run },
		"arguments": func() annals.Run {
			run := worked
			run.Score = new(1.0)
			run.Steps = []annals.RunStep{{Tool: "shell", Arguments: []byte(`"helm upgrade --set customer=Globex"`)}}
			return run
		},
		"a task":             func() annals.Run { run := worked; run.Task = "Deploy billing of Globex"; return run },
		"a number in a task": func() annals.Run { run := worked; run.Task = "Deploy billing 4Globex2"; return run },
	} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			a := wordedBy(t, func(r modeltest.Request) modeltest.Reply {
				said := "Deploy a service"
				if strings.Contains(r.User, "Globex") || strings.Contains(r.User, "2025-01-02") {
					said = "Deploy a service, not for Globex"
				}
				return modeltest.Reply{JSON: prompts.WordedSkill{Name: said, When: said + ".", Pitfalls: []prompts.WordedPitfall{{ID: 1, Says: said}}}}
			})
			a.add(worked)
			id := a.record(tell()) // the first question is about both
			if told := a.told(); !strings.Contains(told, "Globex") && where != "a number in a task" {
				t.Errorf("nothing is told of it:\n%s", told)
			}
			if _, err := a.client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EpisodeIDs: []uuid.UUID{id}}); err != nil {
				t.Fatal(err)
			}
			if told := a.told(); strings.Contains(told, "Globex") {
				t.Errorf("what was erased is still told:\n%s", told)
			}
		})
	}
}

// A skill that the model refuses or answers unusably is asked about once, and the others are still
// worded. If the model does not answer, it is asked again later.
func TestOneUnwordableSkillStopsNoOther(t *testing.T) {
	t.Parallel()
	for what, reply := range map[string]modeltest.Reply{
		"no JSON":     {Text: "I cannot help with that."},
		"a refusal":   {Raw: `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"","refusal":"I cannot help with that."}}]}`},
		"a filter":    {Status: http.StatusBadRequest, Text: "The prompt triggered the content filter."},
		"no answer":   {Status: http.StatusServiceUnavailable, Text: "Overloaded."},
		"a wrong key": {Status: http.StatusUnauthorized, Text: "No such key."},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			calls, up := map[bool]int{}, false
			a := wordedBy(t, func(r modeltest.Request) modeltest.Reply {
				bomb := strings.Contains(r.User, "bomb")
				if calls[bomb]++; bomb && !up {
					return reply
				}
				return modeltest.Reply{JSON: prompts.WordedSkill{Name: "Do it", When: "When it is to be done."}}
			})
			for i := range 6 { // more than are worded at a time
				run := annals.Run{Task: []string{"Defuse a bomb", "Draw big bombers", "Throw bombastic parties", "Sink one bombard", "Paint the bombsite", "Water all plants"}[i]}
				run.Outcome, run.Steps = "success", []annals.RunStep{{Tool: fmt.Sprintf("tool%d", i)}}
				a.add(run)
			}
			process := func() {
				a.record(annals.Run{Task: "Play chess", Steps: []annals.RunStep{{Tool: "chess"}}})
			}
			for range 4 {
				process()
			}
			readers := map[string]int{}
			for _, s := range a.all() {
				readers[s.Reader]++
			}
			if outage := reply.Status > http.StatusBadRequest; !outage && (calls[true] != 5 || readers["offline"] != 5 || readers["openai:main"] != 1) {
				t.Errorf("the model was asked %v times; %v", calls, readers)
			} else if outage && readers["offline"] < 5 {
				t.Errorf("the words of whom does not answer: %v", readers)
			}
			up = true
			process()
			process()
			readers = map[string]int{}
			for _, s := range a.all() {
				readers[s.Reader]++
			}
			if want := map[bool]int{false: 1, true: 6}[reply.Status > http.StatusBadRequest]; readers["openai:main"] != want {
				t.Errorf("when the model answers again %v of 6 are worded, want %d", readers, want)
			}
		})
	}
}

// Arguments, numbers and times differ in every run: a model is asked once for all of them, each run
// makes one version, and the words stay current. The model is not asked about rejected or ended
// skills, and no question is long.
func TestAModelIsAskedSeldom(t *testing.T) {
	t.Parallel()
	calls, longest := 0, 0
	a := wordedBy(t, func(r modeltest.Request) modeltest.Reply {
		calls++
		longest = max(longest, len(r.User))
		return modeltest.Reply{JSON: prompts.WordedSkill{
			Name: "Deploy a service", When: "When a service is to be deployed.", Pitfalls: []prompts.WordedPitfall{{ID: 1, Says: "It may time out."}},
		}}
	})
	record := func(failure string, more ...annals.RunStep) {
		run := annals.Run{Task: fmt.Sprintf("Deploy build %d", a.day), Outcome: "success", Steps: more}
		if failure != "" {
			run.Outcome = "failure"
		}
		run.Steps = append(run.Steps, annals.RunStep{Tool: "helm", Arguments: json.RawMessage(fmt.Sprintf(`{"tag":%d}`, a.day))}, annals.RunStep{Tool: "check", Error: failure})
		a.record(run)
	}
	for range 8 {
		record("")
	}
	versions, err := service.New(a.client).SkillHistory(t.Context(), a.group, a.all()[0].ID)
	if s := a.all()[0]; err != nil || calls != 1 || len(versions) != 9 || s.Name != "Deploy a service" || s.Tasks[1] != "Deploy build 7" || s.Steps[0] != `helm {"tag": 7}` {
		t.Errorf("after 8 runs: %d calls, %d versions, %+v (%v)", calls, len(versions), s, err)
	}
	record("timed out")
	record("timed out")
	if s := a.all()[0]; calls != 2 || len(s.Pitfalls) != 1 || s.Pitfalls[0] != "It may time out (2 times, 2025-01-09 to 2025-01-10)" || s.Tasks[1] != "Deploy build 9" {
		t.Errorf("after the same error twice: %d calls, %q, %q", calls, s.Pitfalls, s.Tasks)
	}
	if _, err := service.New(a.client).DecideSkill(t.Context(), a.group, a.all()[0].ID, "reject"); err != nil {
		t.Fatal(err)
	}
	record("no space left")
	if s := a.all()[0]; calls != 2 || s.State != "rejected" || s.Reader != "offline" || len(s.Pitfalls) != 2 {
		t.Errorf("what is rejected is asked about: %d calls, %+v", calls, s)
	}
	if _, err := service.New(a.client).DecideSkill(t.Context(), a.group, a.all()[0].ID, "leave"); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		record(fmt.Sprintf("broken in way %d", i))
	}
	if s := a.all()[0]; s.InvalidAt == nil || s.Reader != "offline" {
		t.Errorf("what has ended is asked about: %d calls, %+v", calls, s)
	}
	var steps []annals.RunStep
	for i := range 490 {
		steps = append(steps, annals.RunStep{Action: fmt.Sprintf("%c%c %s", 'a'+i/26, 'a'+i%26, strings.Repeat("é", 200))})
	}
	a.record(annals.Run{Task: "Water " + strings.Repeat("all plants ", 150), Outcome: "success", Steps: steps})
	if longest < 10_000 || longest > 20_000 {
		t.Errorf("the longest question has %d bytes", longest)
	}
}

// Erasing removes a former version with a name that only the model had said.
func TestFormerNamesOfSkillsAreErased(t *testing.T) {
	t.Parallel()
	name := "Deploy for Globex"
	client, _ := openScripted(t, script{
		"word_skill": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.WordedSkill{Name: name, When: "When it is to be deployed."}}
		},
		"extract_entities": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Globex", Label: "Company"}}}}
		},
	}, nil)
	a := &agents{T: t, client: client, group: "ops"}
	a.record(annals.Run{Task: "Deploy billing", Outcome: "success", Steps: []annals.RunStep{{Tool: "deploy"}}})
	name = "Deploy a service"
	a.record(annals.Run{Task: "Deploy billing", Outcome: "failure", Steps: []annals.RunStep{{Tool: "deploy", Error: "late"}}})
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: a.group, Source: graph.SourceText, Content: "Globex is a company."}); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), a.group, nil); err != nil {
		t.Fatal(err)
	}
	if told := a.told(); !strings.Contains(told, "Globex") {
		t.Fatalf("no version names it:\n%s", told)
	}
	globex, err := client.Entities(t.Context(), annals.EntityFilter{GroupID: a.group})
	if err != nil || len(globex) != 1 {
		t.Fatalf("%v (%v)", globex, err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EntityID: globex[0].ID}); err != nil {
		t.Fatal(err)
	}
	if told := a.told(); strings.Contains(told, "Globex") || !strings.Contains(told, "Deploy a service") {
		t.Errorf("after the erasure skills say:\n%s", told)
	}
}
