package v4

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// agentRoutes are about agents. An agent is a graph: its runs are episodes of it, from
// which skills are learned.
var agentRoutes = project.Routes{
	"POST /agents":                 with(addAgent),
	"POST /agents/list":            with(listAgents),
	"GET /agents/{agent}":          on(agentIn, getAgent),
	"DELETE /agents/{agent}":       onWith(agentIn, eraseAgent),
	"POST /agents/{agent}/context": onWith(agentIn, agentContext),
}

// agentIn finds the agent that the path names.
func agentIn(c *project.Call) (project.Graph, error) {
	g, err := memoryOf(c, "agent", c.PathValue("agent"))
	if err == nil && g.IsUser {
		err = project.NotFound("agent not found: " + c.PathValue("agent") + " is a user")
	}
	return g, err
}

// agentView is an agent on the wire.
type agentView struct {
	UUID        string `json:"uuid"`
	AgentID     string `json:"agent_id,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Status      string `json:"status"`
	Revision    int64  `json:"revision"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

func agentViewOf(c *project.Call, g annals.Group) agentView {
	v := c.GraphView(g)
	return agentView{v.UUID, v.GraphID, v.Name, v.Description, "active", revisionOf(g), v.CreatedAt, v.UpdatedAt}
}

// revisionOf is when an agent was last changed, which grows with each change.
func revisionOf(g annals.Group) int64 { return g.UpdatedAt.UnixMicro() }

// addAgent creates an agent. Nothing learns across agents, so that a security domain holds
// without being kept.
func addAgent(c *project.Call, in struct {
	AgentID     string  `json:"agent_id"`
	Name        string  `json:"name"`
	Domain      string  `json:"security_domain"`
	Description *string `json:"description"`
},
) (any, error) {
	if in.Name == "" {
		return nil, graph.Invalid("name", "is missing")
	}
	if in.Domain != "" {
		c.Ignore("security_domain")
	}
	g, err := c.MakeGraph(in.AgentID, project.GraphFields{Name: &in.Name, Description: in.Description})
	return created(agentViewOf(c, g), err)
}

func listAgents(c *project.Call, in struct {
	searched
	AgentID string `json:"agent_id"`
	Status  string `json:"status"`
},
) (any, error) {
	p, s, err := pageOver(c, in.Search, map[string]string{"created_at": "", "name": "name"})
	if err != nil {
		return nil, err
	}
	view := func(g annals.Group) agentView { return agentViewOf(c, g) }
	if in.Status != "" && in.Status != "active" {
		return among(s, nil, view), nil
	}
	if in.AgentID != "" {
		var found []annals.Group
		g, err := c.Graph(in.AgentID)
		if err == nil {
			found = append(found, g.Group)
		}
		return among(s, found, view), unlessAbsent(err)
	}
	agents, total, err := c.All().Graphs(c.Context(), p)
	return counted(s, agents, total, view), err
}

// unlessAbsent leaves out that something is not there.
func unlessAbsent(err error) error {
	if err != nil && project.ProblemOf(err).Status == 404 {
		return nil
	}
	return err
}

func getAgent(a project.Graph) (any, error) { return agentViewOf(a.Call, a.Group), nil }

func eraseAgent(a project.Graph, in revised) (any, error) {
	if err := in.check(revisionOf(a.Group)); err != nil {
		return nil, err
	}
	return finished("agent.delete", a.EraseAll())
}

// revised says which revision is to be deleted.
type revised struct {
	Revision *int64 `json:"expected_revision"`
}

// check fails where it is not the one that is there.
func (r revised) check(is int64) error {
	if r.Revision == nil {
		return graph.Invalid("expected_revision", "is missing")
	}
	return asExpected("expected_revision", r.Revision, is)
}

// asExpected fails where another number was expected; nil: any will do.
func asExpected(field string, want *int64, is int64) error {
	if want != nil && *want != is {
		return project.Conflicts(&annals.Error{Code: annals.CodeConflict, Field: field, Message: "is " + strconv.FormatInt(*want, 10) + ", and it is at " + strconv.FormatInt(is, 10)})
	}
	return nil
}

// snapshot is a skill that a context shows.
type snapshot struct {
	SkillUUID string    `json:"skill_uuid"`
	Version   int       `json:"version"`
	Rank      int       `json:"rank"`
	Counts    runsCount `json:"evidence_counts"`
	Citations []string  `json:"evidence_citations"`
}

type runsCount struct {
	Supporting    int `json:"supporting"`
	Contradicting int `json:"contradicting"`
	Neutral       int `json:"neutral"`
}

func agentContext(a project.Graph, in struct {
	Objective string `json:"objective"`
	TraceUUID string `json:"trace_uuid"`
	Most      *int   `json:"max_characters"`
},
) (any, error) {
	if in.Most != nil && *in.Most < 1 {
		return nil, graph.Invalid("max_characters", "is %d; it must be positive", *in.Most)
	}
	if in.TraceUUID != "" {
		t, err := traceBy(a, in.TraceUUID)
		if err != nil {
			return nil, err
		}
		if in.Objective == "" {
			in.Objective = t.view.Objective
		}
	}
	if in.Objective == "" {
		return nil, graph.Invalid("objective", "is missing; say what is to be done, or name a trace_uuid")
	}
	text, skills, cut, err := a.ForTask(in.Objective, project.OrZero(in.Most))
	if err != nil {
		return nil, err
	}
	out := map[string]any{"context": text, "objective": in.Objective, "truncated": cut}
	if in.TraceUUID != "" {
		out["trace_uuid"] = in.TraceUUID
	}
	shown := []snapshot{}
	for i, skill := range skills {
		versions, err := a.Service.SkillHistory(a.Ctx(), a.ID, skill.ID)
		if err != nil {
			return nil, err
		}
		shown = append(shown, snapshot{
			skill.ID.String(), len(versions), i + 1,
			runsCount{Supporting: skill.Successes, Contradicting: skill.Failures},
			each.Of(slices.Concat(skill.Worked, skill.Failed), uuid.UUID.String),
		})
	}
	out["snapshot"] = shown
	return out, nil
}
