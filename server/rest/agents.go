package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

// OneAgent is the part of a path that names an agent.
type OneAgent struct {
	InGroup
	Agent string `path:"agent" maxLength:"512" doc:"Its name or id"`
}

type agentPage struct {
	Agents     []*agent.Agent `json:"agents"`
	NextCursor string         `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// newAgent is what an agent is to be.
type newAgent struct {
	Name         string         `json:"name" minLength:"1" maxLength:"512"`
	Instructions string         `json:"instructions,omitempty" doc:"What it is told beside how its memory works"`
	Settings     agent.Settings `json:"settings,omitempty"`
	Blocks       []newBlock     `json:"blocks,omitempty" maxItems:"100" doc:"Its working context; left out: an empty persona and an empty human"`
}

type newBlock struct {
	Label       string `json:"label" minLength:"1" maxLength:"512"`
	Description string `json:"description,omitempty" doc:"What it is for; the agent is told"`
	Value       string `json:"value,omitempty"`
	Limit       int    `json:"limit,omitempty" minimum:"0" maximum:"100000" doc:"Characters of the value; left out: 2000"`
	ReadOnly    bool   `json:"read_only,omitempty" doc:"The agent may not edit it"`
}

// agentSettings are an agent's instructions and settings.
type agentSettings struct {
	Instructions string         `json:"instructions,omitempty" doc:"What it is told beside how its memory works; left out: nothing"`
	Settings     agent.Settings `json:"settings,omitempty" doc:"What is left out has its default"`
}

// newEvent is what an agent is told.
type newEvent struct {
	Kind       string `json:"kind,omitempty" enum:"message,login,upload,alert,heartbeat" doc:"Left out: message"`
	Content    string `json:"content,omitempty" doc:"What is said; a message and an alert have some"`
	Actor      string `json:"actor,omitempty" maxLength:"512" doc:"Who says it"`
	OccurredAt string `json:"occurred_at,omitempty" doc:"When; left out: now"`
	ExternalID string `json:"external_id,omitempty" maxLength:"512" doc:"Your own name for it: told twice it is heard once"`
}

type messagePage struct {
	Messages []agent.Message `json:"messages"`
}

// agentsOf are the agents as the caller may use them.
func (a *api) agentsOf(ctx context.Context) *agent.Agents { return a.agents.With(a.client(ctx)) }

// oneAgent finds the agent of a path.
func (a *api) oneAgent(ctx context.Context, in OneAgent) (*agent.Agent, error) {
	return a.agentsOf(ctx).Open(ctx, in.Group, in.Agent)
}

const (
	allAgents    = "/v1/groups/{group}/agents"
	oneAgentPath = allAgents + "/{agent}"
)

func (a *api) agentRoutes() {
	tags := []string{"agents"}
	add(a, huma.Operation{
		OperationID: "list-agents", Method: http.MethodGet, Path: allAgents, Tags: tags, Summary: "List the agents of a group by name",
	}, a.listAgents)
	add(a, huma.Operation{
		OperationID: "create-agent", Method: http.MethodPost, Path: allAgents, Tags: tags, Summary: "Make an agent that manages a memory of its own",
		DefaultStatus: http.StatusCreated,
	}, a.createAgent)
	add(a, huma.Operation{
		OperationID: "get-agent", Method: http.MethodGet, Path: oneAgentPath, Tags: tags, Summary: "Get an agent",
	}, func(ctx context.Context, in *OneAgent) (*body[*agent.Agent], error) {
		return answer(a.oneAgent(ctx, *in))
	})
	add(a, huma.Operation{
		OperationID: "configure-agent", Method: http.MethodPut, Path: oneAgentPath + "/settings", Tags: tags,
		Summary: "Give an agent other instructions and settings", Description: "They hold from its next step on.",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Body agentSettings
	},
	) (*body[*agent.Agent], error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		return answer(one, one.Configure(ctx, in.Body.Instructions, in.Body.Settings))
	})
	add(a, huma.Operation{
		OperationID: "delete-agent", Method: http.MethodDelete, Path: oneAgentPath, Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Remove an agent with its messages, archive and documents",
	}, func(ctx context.Context, in *OneAgent) (*struct{}, error) {
		one, err := a.oneAgent(ctx, *in)
		if err != nil {
			return nil, err
		}
		return nil, one.Delete(ctx)
	})
	add(a, huma.Operation{
		OperationID: "tell-agent", Method: http.MethodPost, Path: oneAgentPath + "/messages", Tags: tags,
		Summary: "Tell an agent something, and hear what it did", Description: "It answers when the agent rests. An unfinished turn is gone on with by /resume.",
	}, a.tellAgent)
	add(a, huma.Operation{
		OperationID: "resume-agent", Method: http.MethodPost, Path: oneAgentPath + "/resume", Tags: tags,
		Summary: "Go on with a turn that was not finished",
	}, func(ctx context.Context, in *OneAgent) (*body[agent.Turn], error) {
		one, err := a.oneAgent(ctx, *in)
		if err != nil {
			return nil, err
		}
		return answer(one.Resume(ctx, nil))
	})
	add(a, huma.Operation{
		OperationID: "list-agent-messages", Method: http.MethodGet, Path: oneAgentPath + "/messages", Tags: tags,
		Summary: "List all that an agent remembers, in order",
	}, func(ctx context.Context, in *struct {
		OneAgent
		First int64 `query:"first" minimum:"1" default:"1" doc:"The number of the first message"`
		Limit int   `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
	},
	) (*body[messagePage], error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		messages, err := one.MessagesFrom(ctx, in.First, in.Limit)
		return answer(messagePage{messages}, err)
	})
	a.agentStream(tags)
	a.agentMoving(tags)
	a.agentMemory(tags)
	a.agentDocuments(tags)
	a.agentBlocks(tags)
}

// agentMoving are the routes by which what an agent is goes elsewhere.
func (a *api) agentMoving(tags []string) {
	add(a, huma.Operation{
		OperationID: "export-agent", Method: http.MethodGet, Path: oneAgentPath + "/export", Tags: tags,
		Summary: "Get what an agent is: instructions, settings, blocks, documents, archive",
	}, func(ctx context.Context, in *OneAgent) (*body[json.RawMessage], error) {
		one, err := a.oneAgent(ctx, *in)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = one.Export(ctx, &out)
		return answer(json.RawMessage(out.Bytes()), err)
	})
	add(a, huma.Operation{
		OperationID: "import-agent", Method: http.MethodPost, Path: allAgents + "/import", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Make an agent of what was exported",
	}, func(ctx context.Context, in *struct {
		InGroup
		Name string          `query:"name" maxLength:"512" doc:"What it is called; left out: as it was"`
		Body json.RawMessage `doc:"What export-agent answered"`
	},
	) (*body[*agent.Agent], error) {
		return answer(a.agentsOf(ctx).Import(ctx, in.Group, in.Name, bytes.NewReader(in.Body)))
	})
}

func (a *api) listAgents(ctx context.Context, in *ListInput) (*body[agentPage], error) {
	after, err := parseCursor("agents", in.Cursor)
	if err != nil {
		return nil, err
	}
	var last string
	if after != nil {
		last = after.Name
	}
	rows, err := a.agentsOf(ctx).List(ctx, in.Group, last, in.Limit+1)
	agents, next := page(rows, in.Limit, func(one *agent.Agent) cursor { return cursor{List: "agents", Name: one.Name} })
	return answer(agentPage{Agents: agents, NextCursor: next}, err)
}

func (a *api) createAgent(ctx context.Context, in *struct {
	InGroup
	Body newAgent
},
) (*body[*agent.Agent], error) {
	spec := agent.Spec{GroupID: in.Group, Name: in.Body.Name, Instructions: in.Body.Instructions, Settings: in.Body.Settings}
	for _, b := range in.Body.Blocks {
		spec.Blocks = append(spec.Blocks, agent.Block{Label: b.Label, Description: b.Description, Value: b.Value, Limit: b.Limit, ReadOnly: b.ReadOnly})
	}
	return answer(a.agentsOf(ctx).Create(ctx, spec))
}

func (a *api) tellAgent(ctx context.Context, in *struct {
	OneAgent
	Body newEvent
},
) (*body[agent.Turn], error) {
	event, err := in.Body.event()
	if err != nil {
		return nil, err
	}
	one, err := a.oneAgent(ctx, in.OneAgent)
	if err != nil {
		return nil, err
	}
	return answer(one.Tell(ctx, event, nil))
}

func (e newEvent) event() (agent.Event, error) {
	at, err := graph.ParseTime("occurred_at", e.OccurredAt)
	return agent.Event{Kind: agent.Kind(e.Kind), Content: e.Content, Actor: e.Actor, OccurredAt: at, ExternalID: e.ExternalID}, err
}
