package v4

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/zep/project"
)

// agentRoutes are the routes for agents. An agent is a graph: its runs are episodes in it, and
// skills are learned from them.
var agentRoutes = project.Routes{
	"POST /agents":                 project.With(addAgent),
	"POST /agents/list":            project.With(listAgents),
	"GET /agents/{agent}":          project.On(agentIn, getAgent),
	"DELETE /agents/{agent}":       project.OnWith(agentIn, eraseAgent),
	"POST /agents/{agent}/context": project.OnWith(agentIn, agentContext),
}

// agentIn returns the agent of the path.
func agentIn(c *project.Call) (project.Graph, error) {
	g, err := graphOf(c, "agent", c.PathValue("agent"))
	if err == nil && g.IsUser {
		err = project.NotFound("agent not found: " + c.PathValue("agent") + " is a user")
	}
	return g, err
}

// agentView is the JSON form of an agent. Its revision is the time of its last change.
type agentView struct {
	project.GraphView
	AgentID  string `json:"agent_id,omitempty"`
	GraphID  string `json:"graph_id,omitempty"` // never set: it hides the embedded graph_id
	Status   string `json:"status"`
	Revision int64  `json:"revision"`
}

func agentViewOf(c *project.Call, g annals.Group) agentView {
	v := agentView{GraphView: c.GraphView(g), Status: "active", Revision: revisionOf(g)}
	v.AgentID, v.GraphView.TimeZone = v.GraphView.GraphID, ""
	return v
}

func revisionOf(g annals.Group) int64 { return g.UpdatedAt.UnixMicro() }

// addAgent creates an agent. A security domain needs no storage: nothing is learned across agents.
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
},
) (any, error) {
	view := func(g annals.Group) agentView { return agentViewOf(c, g) }
	if in.AgentID == "" {
		return over(c, in.page(c), graphOrders, c.All().Graphs, view)
	}
	g, err := c.Graph(in.AgentID)
	if err != nil && project.ProblemOf(err).Status == http.StatusNotFound {
		return among(c, ownPage, nil, view)
	}
	if err != nil {
		return nil, err
	}
	return among(c, ownPage, []annals.Group{g.Group}, view)
}

func getAgent(a project.Graph) (any, error) { return agentViewOf(a.Call, a.Group), nil }

func eraseAgent(a project.Graph, in revised) (any, error) {
	if err := in.check(revisionOf(a.Group)); err != nil {
		return nil, err
	}
	return finished("agent.delete", a.EraseAll())
}

// revised names the revision that is to be deleted.
type revised struct {
	Revision *int64 `json:"expected_revision"`
}

// check returns an error unless the named revision is the current one.
func (r revised) check(is int64) error {
	if r.Revision == nil {
		return graph.Invalid("expected_revision", "is missing")
	}
	return asExpected("expected_revision", r.Revision, is)
}

// asExpected returns an error if the expected number differs; nil: any number is right.
func asExpected(field string, want *int64, is int64) error {
	if want != nil && *want != is {
		return conflict(field, "is %d, and it is at %d", *want, is)
	}
	return nil
}

// conflict returns an error with the status for which the clients have a type.
func conflict(field, format string, args ...any) error {
	return project.Conflicts(&annals.Error{Code: annals.CodeConflict, Field: field, Message: fmt.Sprintf(format, args...)})
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
		in.Objective = cmp.Or(in.Objective, t.Objective)
	}
	if in.Objective == "" {
		return nil, graph.Invalid("objective", "is missing; say what is to be done, or name a trace_uuid")
	}
	text, skills, cut, err := a.ForTask(in.Objective, project.OrZero(in.Most))
	if err != nil {
		return nil, err
	}
	shown := []map[string]any{}
	for i, skill := range skills {
		shown = append(shown, map[string]any{
			"skill_uuid": skill.ID, "rank": i + 1, "evidence_citations": slices.Concat(skill.Worked, skill.Failed),
			"evidence_counts": map[string]int{"supporting": skill.Successes, "contradicting": skill.Failures, "neutral": 0},
		})
	}
	out := map[string]any{"context": text, "objective": in.Objective, "truncated": cut, "snapshot": shown}
	if in.TraceUUID != "" {
		out["trace_uuid"] = in.TraceUUID
	}
	return out, nil
}
