package v4

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// skillRoutes are the routes for skills: how an agent's tasks are done, as its runs show.
var skillRoutes = project.Routes{
	"POST /agents/{agent}/skills/list":                      project.OnWith(agentIn, listSkills),
	"POST /agents/{agent}/skills/search":                    project.OnWith(agentIn, searchSkills),
	"GET /agents/{agent}/skills/{skill}":                    project.On(skillIn, getSkill),
	"POST /agents/{agent}/skills/{skill}/approve":           project.OnWith(skillIn, approveSkill),
	"POST /agents/{agent}/skills/{skill}/retire":            project.OnWith(skillIn, retireSkill),
	"GET /agents/{agent}/skills/{skill}/evidence":           project.On(skillIn, listEvidence),
	"GET /agents/{agent}/skills/{skill}/versions":           project.On(skillIn, listVersions),
	"GET /agents/{agent}/skills/{skill}/versions/{version}": project.On(skillIn, getVersion),
	"POST /agents/{agent}/skills/{skill}/versions/compare":  project.OnWith(skillIn, compareVersions),
}

const (
	procedure   = "procedure" // the kind of all skills
	established = 0.6         // the trust from which a skill counts as established
)

// maturity returns Zep's name for how well a skill is proven.
func maturity(s annals.Skill) string {
	switch {
	case s.RateLow >= established:
		return "established"
	case s.Successes > 1:
		return "corroborated"
	}
	return "provisional"
}

func hitOf(s annals.Skill) map[string]any {
	return map[string]any{
		"uuid": s.ID, "name": s.Name, "description": describe(s), "kind": procedure, "task_family": s.SkillID,
		"environments": s.Preconditions, "maturity": maturity(s), "trust": s.RateLow,
	}
}

// describe returns the description of a skill: its first task.
func describe(s annals.Skill) string { return strings.Join(s.Tasks[:min(1, len(s.Tasks))], "") }

// chosen filters a list of skills.
type chosen struct {
	Kind       string `json:"kind"`
	TaskFamily string `json:"task_family"`
}

func (in chosen) skills(a project.Graph, task string, view func(annals.Skill) map[string]any) (any, error) {
	var err error
	f := annals.SkillFilter{GroupID: a.ID, Task: task, Limit: annals.MaxRows}
	if in.TaskFamily != "" {
		if f.SkillID, err = uuid.Parse(in.TaskFamily); err != nil {
			return nil, graph.Invalid("task_family", "%q is none that a skill has", in.TaskFamily)
		}
	}
	var skills []annals.Skill
	if in.Kind == "" || in.Kind == procedure {
		if skills, err = a.Client.Skills(a.Ctx(), f); err != nil {
			return nil, err
		}
	}
	return among(a.Call, ownPage, skills, view)
}

func listSkills(a project.Graph, in chosen) (any, error) { return in.skills(a, "", hitOf) }

func searchSkills(a project.Graph, in struct {
	chosen
	Query    string `json:"query"`
	Markdown bool   `json:"include_markdown"`
},
) (any, error) {
	if strings.TrimSpace(in.Query) == "" {
		return nil, graph.Invalid("query", "is empty; say what is to be done")
	}
	return in.skills(a, in.Query, func(s annals.Skill) map[string]any {
		hit := hitOf(s)
		if in.Markdown {
			hit["markdown"] = s.Markdown()
		}
		return hit
	})
}

// skill is a skill of an agent with all its versions. The last version is the current one.
type skill struct {
	project.Graph
	versions []annals.Skill
}

func (s skill) now() annals.Skill { return s.versions[len(s.versions)-1] }

func skillIn(c *project.Call) (s skill, err error) {
	if s.Graph, err = agentIn(c); err != nil {
		return s, err
	}
	id, err := uuidIn(c, "skill")
	if err != nil {
		return s, err
	}
	if s.versions, err = s.Service.SkillHistory(s.Ctx(), s.ID, id); err != nil {
		return s, project.OrAbsent(err, "skill", id.String())
	}
	if s.now().KnownUntil == nil {
		return s, nil
	}
	now, err := s.Client.Skills(s.Ctx(), annals.SkillFilter{GroupID: s.ID, ID: id, State: "all", Ended: true})
	if err == nil && len(now) == 0 {
		err = project.NotFound("skill not found: " + id.String() + ": the runs that it rested on are gone")
	}
	s.versions = append(s.versions, now...) // there are more between, which no list shows
	return s, err
}

func getSkill(s skill) (any, error) {
	now := s.now()
	view := map[string]any{
		"uuid": now.ID.String(), "kind": procedure, "task_family": now.SkillID.String(), "current_version": len(s.versions), "status": now.State,
		"searchable": now.State != "rejected" && now.InvalidAt == nil, "created_at": project.Stamp(now.CreatedAt), "updated_at": project.Stamp(now.KnownFrom),
	}
	switch {
	case now.State == "rejected":
		view["unavailable_reason"] = "it was rejected"
	case now.InvalidAt != nil:
		view["unavailable_reason"] = cmp.Or(now.Why, "it does not work any more")
	}
	return view, nil
}

// decided names the version that a decision is about.
type decided struct {
	Version *int64 `json:"expected_version"`
}

// decide approves or rejects the current version, which must be the expected one.
func (s skill) decide(in decided, do string) (skill, error) {
	if in.Version == nil {
		return s, graph.Invalid("expected_version", "is missing; skill.get tells current_version")
	}
	if err := asExpected("expected_version", in.Version, int64(len(s.versions))); err != nil {
		return s, err
	}
	if _, err := s.Service.DecideSkill(s.Ctx(), s.ID, s.now().ID, do); err != nil {
		return s, project.Conflicts(err)
	}
	return skillIn(s.Call)
}

func approveSkill(s skill, in decided) (any, error) {
	after, err := s.decide(in, "approve")
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"decision": after.now().State, "mode": "manual", "skill_version": len(after.versions), "created_at": project.Stamp(after.now().KnownFrom),
	}, nil
}

func retireSkill(s skill, in decided) (any, error) {
	after, err := s.decide(in, "reject")
	if err != nil {
		return nil, err
	}
	return getSkill(after)
}

// listEvidence lists the runs that support a skill and those that contradict it.
func listEvidence(s skill) (any, error) {
	now := s.now()
	runs, err := s.Service.EpisodesByID(s.Ctx(), s.ID, slices.Concat(now.Worked, now.Failed))
	if err != nil {
		return nil, err
	}
	return among(s.Call, rowsPage, runs, func(e annals.Episode) map[string]any {
		view := map[string]any{
			"trace_uuid": e.ID, "polarity": "supporting", "source_kind": "trace", "occurred_at": project.Stamp(e.OccurredAt), "created_at": project.Stamp(e.CreatedAt),
		}
		if slices.Contains(now.Failed, e.ID) {
			view["polarity"] = "contradicting"
		}
		return view
	})
}

// definitionOf returns the content of a version of a skill.
func definitionOf(s annals.Skill) map[string]any {
	under := func(key string, texts []string) []map[string]string {
		return each.Of(texts, func(text string) map[string]string { return map[string]string{key: text} })
	}
	return map[string]any{
		"name": s.Name, "description": describe(s), "kind": procedure, "task_family": s.SkillID, "use_when": s.Tasks, "preconditions": s.Preconditions,
		"procedure": under("instruction", s.Steps), "failures": under("when", s.Pitfalls),
	}
}

// versionView is the JSON form of a version of a skill; versions count from 1.
type versionView struct {
	Version    int            `json:"version"`
	CreatedAt  string         `json:"created_at"`
	Definition map[string]any `json:"definition"`
	Markdown   string         `json:"markdown"`
}

// numbered is a version of a skill with its number from 1.
type numbered struct {
	annals.Skill
	version int
}

func (n numbered) view() versionView {
	return versionView{n.version, project.Stamp(n.KnownFrom), definitionOf(n.Skill), n.Markdown()}
}

// version returns a version by its number, or an error if there is none.
func (s skill) version(field string, n int) (view versionView, err error) {
	if n < 1 || n > len(s.versions) {
		return view, project.NotFound(fmt.Sprintf("%s not found: the skill has 1 to %d", field, len(s.versions)))
	}
	return numbered{s.versions[n-1], n}.view(), nil
}

func listVersions(s skill) (any, error) {
	all := make([]numbered, len(s.versions))
	for i, v := range s.versions {
		all[i] = numbered{v, i + 1}
	}
	return among(s.Call, rowsPage, all, numbered.view)
}

func getVersion(s skill) (any, error) {
	var r project.Reader
	n := r.Whole("version", s.Call.PathValue("version"), 0, 1, 1<<30)
	if r.Err != nil {
		return nil, r.Err
	}
	if s.Call.URL.Query().Get("include") != "" {
		s.Call.Ignore("include")
	}
	return s.version("version", n)
}

func compareVersions(s skill, in struct {
	From int `json:"from_version"`
	To   int `json:"to_version"`
},
) (any, error) {
	from, err := s.version("from_version", in.From)
	if err != nil {
		return nil, err
	}
	to, err := s.version("to_version", in.To)
	changed := []string{}
	for field := range to.Definition {
		if !reflect.DeepEqual(from.Definition[field], to.Definition[field]) {
			changed = append(changed, field)
		}
	}
	slices.Sort(changed)
	return map[string]any{"from": from, "to": to, "changed_fields": changed}, err
}
