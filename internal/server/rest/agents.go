package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
)

// OneAgent identifies an agent in a path.
type OneAgent struct {
	InGroup
	Agent string `path:"agent" maxLength:"512" doc:"Its name or id"`
}

// toAgent is a request with a body about an agent.
type toAgent[T any] struct {
	OneAgent
	Body T
}

type agentPage struct {
	Agents     []*agent.Agent `json:"agents"`
	NextCursor string         `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// newAgent describes an agent to create.
type newAgent struct {
	Name         string           `json:"name" minLength:"1" maxLength:"512"`
	Instructions string           `json:"instructions,omitempty" doc:"What it is told beside how its memory works"`
	Settings     agent.Settings   `json:"settings,omitempty"`
	Blocks       []input.NewBlock `json:"blocks,omitempty" maxItems:"100" doc:"Its working context; left out: an empty persona and an empty human"`
}

// agentSettings are the instructions and settings of an agent.
type agentSettings struct {
	Instructions string         `json:"instructions,omitempty" doc:"What it is told beside how its memory works; left out: nothing"`
	Settings     agent.Settings `json:"settings,omitempty" doc:"What is left out has its default"`
}

type messagePage struct {
	Messages []agent.Message `json:"messages"`
}

// agentsOf returns the agents that the caller may use.
func (a *api) agentsOf(ctx context.Context) *agent.Agents { return a.agents.With(a.client(ctx)) }

// oneAgent opens the agent of a path.
func (a *api) oneAgent(ctx context.Context, in OneAgent) (*agent.Agent, error) {
	return a.agentsOf(ctx).Open(ctx, in.Group, in.Agent)
}

// which returns the part of an input that identifies the agent.
func (in OneAgent) which() OneAgent { return in }

// ofAgent makes a handler that opens the agent of the path and passes it to do.
func ofAgent[In interface{ which() OneAgent }, Out any](
	a *api, do func(context.Context, *agent.Agent, *In) (*Out, error),
) func(context.Context, *In) (*Out, error) {
	return func(ctx context.Context, in *In) (*Out, error) {
		one, err := a.oneAgent(ctx, (*in).which())
		if err != nil {
			return nil, err
		}
		return do(ctx, one, in)
	}
}

const (
	allAgents    = "/v1/groups/{group}/agents"
	oneAgentPath = allAgents + "/{agent}"
)

func (a *api) agentRoutes() {
	tags := []string{"agents"}
	add(a, op("list-agents", "GET", allAgents, tags, "List the agents of a group by name"), a.listAgents)
	add(a, op("create-agent", "POST", allAgents, tags, "Make an agent that manages a memory of its own").answering(http.StatusCreated), a.createAgent)
	add(a, op("get-agent", "GET", oneAgentPath, tags, "Get an agent"),
		func(ctx context.Context, in *OneAgent) (*body[*agent.Agent], error) {
			return answer(a.oneAgent(ctx, *in))
		})
	add(a, op("get-agent-fill", "GET", oneAgentPath+"/fill", tags, "Tell how full an agent's context is"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, _ *OneAgent) (*body[agent.Fill], error) {
			return answer(one.Fill(ctx))
		}))
	add(a, op("configure-agent", "PUT", oneAgentPath+"/settings", tags, "Give an agent other instructions and settings",
		"They hold from its next step on."),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *toAgent[agentSettings]) (*body[*agent.Agent], error) {
			return answer(one, one.Configure(ctx, in.Body.Instructions, in.Body.Settings))
		}))
	addWithHeaders(a, op("delete-agent", "DELETE", oneAgentPath, tags, "Remove an agent with its messages, archive and documents").answering(http.StatusNoContent),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *OneAgent) (*struct{}, error) {
			return nil, one.Delete(ctx)
		}))
	add(a, op("tell-agent", "POST", oneAgentPath+"/messages", tags, "Tell an agent something, and hear what it did",
		"It answers when the agent rests. An unfinished turn is gone on with by /resume."), calling(a.tellAgent))
	add(a, op("resume-agent", "POST", oneAgentPath+"/resume", tags, "Go on with a turn that was not finished"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *OneAgent) (*body[agent.Turn], error) {
			return answer(one.Resume(ctx, nil))
		}))
	add(a, op("list-agent-messages", "GET", oneAgentPath+"/messages", tags, "List all that an agent remembers, in order"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			First int64 `query:"first" minimum:"1" default:"1" doc:"The number of the first message"`
			Limit int   `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
		},
		) (*body[messagePage], error) {
			messages, err := one.MessagesFrom(ctx, in.First, in.Limit)
			return answer(messagePage{some(messages)}, err)
		}))
	a.agentStream(tags)
	a.agentMoving(tags)
	a.agentMemory(tags)
	a.agentDocuments(tags)
	a.agentBlocks(tags)
}

// agentMoving adds the routes that export and import an agent.
func (a *api) agentMoving(tags []string) {
	add(a, op("export-agent", "GET", oneAgentPath+"/export", tags, "Get what an agent is: instructions, settings, blocks, documents, archive"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *OneAgent) (*body[json.RawMessage], error) {
			var out bytes.Buffer
			err := one.Export(ctx, &out)
			return answer(json.RawMessage(out.Bytes()), err)
		}))
	add(a, op("import-agent", "POST", allAgents+"/import", tags, "Make an agent of what was exported").answering(http.StatusCreated),
		func(ctx context.Context, in *struct {
			InGroup
			Name string          `query:"name" maxLength:"512" doc:"What it is called; left out: as it was"`
			Body json.RawMessage `doc:"What export-agent answered"`
		},
		) (*body[*agent.Agent], error) {
			return answer(a.agentsOf(ctx).Import(ctx, in.Group, in.Name, bytes.NewReader(in.Body)))
		})
}

var agentList = paging.List[*agent.Agent]{
	Name: "agents",
	Mark: func(one *agent.Agent) cursor { return cursor{Name: one.Name} },
	Row:  func(c cursor) *agent.Agent { return &agent.Agent{Name: c.Name} },
}

func (a *api) listAgents(ctx context.Context, in *ListInput) (*body[agentPage], error) {
	agents, next, err := pageOf(agentList, itself, in.Page, func(after **agent.Agent, limit int) ([]*agent.Agent, error) {
		name := ""
		if after != nil {
			name = (*after).Name
		}
		return a.agentsOf(ctx).List(ctx, in.Group, name, limit)
	})
	return answer(agentPage{agents, next}, err)
}

func (a *api) createAgent(ctx context.Context, in *toGroup[newAgent]) (*body[*agent.Agent], error) {
	spec := agent.Spec{GroupID: in.Group, Name: in.Body.Name, Instructions: in.Body.Instructions, Settings: in.Body.Settings}
	for _, b := range in.Body.Blocks {
		block, err := input.Read(b, agent.Block{})
		if err != nil {
			return nil, err
		}
		spec.Blocks = append(spec.Blocks, block)
	}
	return answer(a.agentsOf(ctx).Create(ctx, spec))
}

func (a *api) tellAgent(ctx context.Context, in *toAgent[input.NewEvent], event agent.Event) (turn agent.Turn, err error) {
	one, err := a.oneAgent(ctx, in.OneAgent)
	if err != nil {
		return turn, err
	}
	return one.Tell(ctx, event, nil)
}
