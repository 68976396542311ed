package v4

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// skillRoutes are about skills: how the agent's tasks are done, as its runs have shown.
var skillRoutes = project.Routes{
	"POST /agents/{agent}/skills/list":                      onWith(agentIn, listSkills),
	"POST /agents/{agent}/skills/search":                    onWith(agentIn, searchSkills),
	"GET /agents/{agent}/skills/{skill}":                    on(skillIn, getSkill),
	"POST /agents/{agent}/skills/{skill}/approve":           onWith(skillIn, approveSkill),
	"POST /agents/{agent}/skills/{skill}/retire":            onWith(skillIn, retireSkill),
	"GET /agents/{agent}/skills/{skill}/evidence":           on(skillIn, listEvidence),
	"GET /agents/{agent}/skills/{skill}/versions":           on(skillIn, listVersions),
	"GET /agents/{agent}/skills/{skill}/versions/{version}": on(skillIn, getVersion),
	"POST /agents/{agent}/skills/{skill}/versions/compare":  onWith(skillIn, compareVersions),
}

// skillHit is a skill in a list.
type skillHit struct {
	UUID         string   `json:"uuid"`
	Name         string   `json:"name"`
	Description  string   `json:"description,omitempty"`
	Kind         string   `json:"kind"`
	TaskFamily   string   `json:"task_family"`
	Environments []string `json:"environments"`
	Maturity     string   `json:"maturity"`
	Trust        float64  `json:"trust"`
	Markdown     string   `json:"markdown,omitempty"`
}

const (
	procedure   = "procedure" // what all skills are
	established = 0.6         // trust from which a skill is
)

// maturity is how far a skill is proven, as Zep says it.
func maturity(s annals.Skill) string {
	switch {
	case s.RateLow >= established:
		return "established"
	case s.Successes > 1:
		return "corroborated"
	}
	return "provisional"
}

func hitOf(s annals.Skill) skillHit {
	return skillHit{
		UUID: s.ID.String(), Name: s.Name, Description: describe(s), Kind: procedure, TaskFamily: s.SkillID.String(),
		Environments: append([]string{}, s.Preconditions...), Maturity: maturity(s), Trust: s.RateLow,
	}
}

// describe says what a skill is for: its first task.
func describe(s annals.Skill) string { return strings.Join(s.Tasks[:min(1, len(s.Tasks))], "") }

// chosen narrows a list of skills.
type chosen struct {
	Kind       string `json:"kind"`
	TaskFamily string `json:"task_family"`
}

func (in chosen) skills(a project.Graph, task string, view func(annals.Skill) skillHit) (any, error) {
	s, err := stretchOf(a.Call, ownPage, maxPage-1)
	if err != nil {
		return nil, err
	}
	f := annals.SkillFilter{GroupID: a.ID, Task: task, Limit: annals.MaxRows}
	if in.TaskFamily != "" {
		if f.SkillID, err = uuid.Parse(in.TaskFamily); err != nil {
			return nil, graph.Invalid("task_family", "%q is none that a skill has", in.TaskFamily)
		}
	}
	if in.Kind != "" && in.Kind != procedure {
		return among(s, nil, view), nil
	}
	skills, err := a.Client.Skills(a.Ctx(), f)
	return among(s, skills, view), err
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
	return in.skills(a, in.Query, func(s annals.Skill) skillHit {
		hit := hitOf(s)
		if in.Markdown {
			hit.Markdown = s.Markdown()
		}
		return hit
	})
}

// skill is a skill of an agent with all its versions, of which the last is the current one.
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
	s.versions, err = s.Service.SkillHistory(s.Ctx(), s.ID, id)
	if err == nil && s.now().KnownUntil != nil {
		return s, project.NotFound("skill not found: " + id.String() + ": the runs that it rested on are gone")
	}
	return s, project.OrAbsent(err, "skill", id.String())
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

// decided is a decision about a skill.
type decided struct {
	Version *int64 `json:"expected_version"`
}

// decide approves or rejects the current version, which must be the one that is expected.
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

// evidenceView is a run that speaks for or against a skill.
type evidenceView struct {
	TraceUUID    string `json:"trace_uuid"`
	Polarity     string `json:"polarity"`
	Source       string `json:"source_kind"`
	Verification string `json:"verification,omitempty"`
	OccurredAt   string `json:"occurred_at"`
	CreatedAt    string `json:"created_at"`
}

func listEvidence(s skill) (any, error) {
	part, err := stretchOf(s.Call, rowsPage, maxPage)
	if err != nil {
		return nil, err
	}
	now := s.now()
	runs, err := s.Service.EpisodesByID(s.Ctx(), s.ID, slices.Concat(now.Worked, now.Failed))
	return among(part, runs, func(e annals.Episode) evidenceView {
		_, rest, _, _ := closedTrace(e) // of a run that cannot be read it is only not told who judged it
		view := evidenceView{e.ID.String(), "supporting", "trace", rest.Verification, project.Stamp(e.OccurredAt), project.Stamp(e.CreatedAt)}
		if slices.Contains(now.Failed, e.ID) {
			view.Polarity = "contradicting"
		}
		return view
	}), err
}

// definition is what a version of a skill says.
type definition struct {
	Name          string        `json:"name"`
	Description   string        `json:"description,omitempty"`
	Kind          string        `json:"kind"`
	TaskFamily    string        `json:"task_family"`
	UseWhen       []string      `json:"use_when"`
	Preconditions []string      `json:"preconditions"`
	Procedure     []instruction `json:"procedure"`
	Failures      []pitfall     `json:"failures"`
}

type instruction struct {
	Instruction string `json:"instruction"`
}

type pitfall struct {
	When string `json:"when"`
}

func definitionOf(s annals.Skill) definition {
	return definition{
		Name: s.Name, Description: describe(s), Kind: procedure, TaskFamily: s.SkillID.String(), UseWhen: append([]string{}, s.Tasks...),
		Preconditions: append([]string{}, s.Preconditions...),
		Procedure:     each.Of(s.Steps, func(step string) instruction { return instruction{step} }),
		Failures:      each.Of(s.Pitfalls, func(went string) pitfall { return pitfall{went} }),
	}
}

// versionView is a version of a skill on the wire, by its place from 1.
type versionView struct {
	Version    int        `json:"version"`
	CreatedAt  string     `json:"created_at"`
	Definition definition `json:"definition"`
	Markdown   string     `json:"markdown"`
}

// ignoreForm notes that the form of a version is not chosen: there is one.
func (s skill) ignoreForm() {
	for _, field := range []string{"markdown_format", "include"} {
		if s.Call.URL.Query().Get(field) != "" {
			s.Call.Ignore(field)
		}
	}
}

// version shows a version; it fails where there is none of that number.
func (s skill) version(field string, n int) (view versionView, err error) {
	if n < 1 || n > len(s.versions) {
		return view, project.NotFound(field + " not found: the skill has 1 to " + strconv.Itoa(len(s.versions)))
	}
	v := s.versions[n-1]
	return versionView{n, project.Stamp(v.KnownFrom), definitionOf(v), v.Markdown()}, nil
}

func listVersions(s skill) (any, error) {
	part, err := stretchOf(s.Call, rowsPage, maxPage)
	if err != nil {
		return nil, err
	}
	s.ignoreForm()
	views := make([]versionView, len(s.versions))
	for i := range views {
		if views[i], err = s.version("version", i+1); err != nil {
			return nil, err
		}
	}
	return among(part, views, same), nil
}

func getVersion(s skill) (any, error) {
	n, err := project.Whole("version", s.Call.PathValue("version"), 0, 1, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	s.ignoreForm()
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
	if err != nil {
		return nil, err
	}
	changed, err := changedFields(from.Definition, to.Definition)
	return map[string]any{"from": from, "to": to, "changed_fields": changed}, err
}

// changedFields names the fields of a definition that differ between two.
func changedFields(from, to definition) ([]string, error) {
	var fields [2]map[string]any
	for i, d := range []definition{from, to} {
		text, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &fields[i]); err != nil {
			return nil, err
		}
	}
	changed := []string{}
	for name := range fields[1] {
		if !reflect.DeepEqual(fields[0][name], fields[1][name]) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed, nil
}
