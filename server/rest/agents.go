package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

// OneAgent is the part of a path that names an agent.
type OneAgent struct {
	InGroup
	Agent string `path:"agent" maxLength:"512" doc:"Its name or id"`
}

// OneBlock is the part of a path that names a block of an agent.
type OneBlock struct {
	OneAgent
	Label string `path:"label" maxLength:"512" doc:"What the agent calls the block" example:"human"`
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

type blockPage struct {
	Blocks []agent.Block `json:"blocks"`
}

type blockEdit struct {
	Value   string `json:"value" doc:"All that it is to say"`
	Version int64  `json:"version,omitempty" minimum:"0" doc:"Edit it only while it is in this version"`
	By      string `json:"by,omitempty" maxLength:"512" doc:"Who edits it, for its history"`
}

type newDocument struct {
	Name string `json:"name" minLength:"1" maxLength:"512"`
	Text string `json:"text" minLength:"1"`
}

type saidPage struct {
	Results []agent.Said `json:"results"`
	Total   int          `json:"total" doc:"How many were found; at most 200 with a query"`
}

type passagePage struct {
	Passages []agent.Passage `json:"passages"`
	Total    int             `json:"total" doc:"How many were found, at most 200"`
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
	a.agentMemoryRoutes(tags)
	a.agentBlockRoutes(tags)
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
	at, err := graph.ParseTime("occurred_at", in.Body.OccurredAt)
	if err != nil {
		return nil, err
	}
	one, err := a.oneAgent(ctx, in.OneAgent)
	if err != nil {
		return nil, err
	}
	turn, err := one.Tell(ctx, agent.Event{
		Kind: agent.Kind(in.Body.Kind), Content: in.Body.Content, Actor: in.Body.Actor, OccurredAt: at, ExternalID: in.Body.ExternalID,
	}, nil)
	return answer(turn, err)
}

func (a *api) agentMemoryRoutes(tags []string) {
	add(a, huma.Operation{
		OperationID: "search-agent-recall", Method: http.MethodGet, Path: oneAgentPath + "/recall", Tags: tags,
		Summary: "Search all that was said between an agent and its users",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Query string   `query:"query" maxLength:"8192" doc:"Left out: everything, the newest first"`
		Roles []string `query:"roles" enum:"user,assistant" doc:"Left out: both"`
		Since string   `query:"since" maxLength:"64" doc:"Said then or later"`
		Until string   `query:"until" maxLength:"64" doc:"Said before"`
		Skip  int      `query:"skip" minimum:"0" doc:"How many to leave out"`
		Limit int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
	},
	) (*body[saidPage], error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		q := agent.RecallQuery{Text: in.Query, Roles: in.Roles, Skip: in.Skip, Limit: in.Limit}
		if q.Since, q.Until, err = between(in.Since, in.Until); err != nil {
			return nil, err
		}
		said, total, err := one.Recall(ctx, q)
		return answer(saidPage{said, total}, err)
	})
	add(a, huma.Operation{
		OperationID: "search-agent-archive", Method: http.MethodGet, Path: oneAgentPath + "/archive", Tags: tags,
		Summary: "Search an agent's archive and documents",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Query   string   `query:"query" maxLength:"8192"`
		Tags    []string `query:"tags" doc:"Passages with any of them"`
		AllTags bool     `query:"all_tags" doc:"None of the tags may be missing"`
		Skip    int      `query:"skip" minimum:"0" doc:"How many to leave out"`
		Limit   int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
	},
	) (*body[passagePage], error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		found, total, err := one.SearchArchive(ctx, agent.PassageQuery{
			Text: in.Query, Tags: in.Tags, AllTags: in.AllTags, Skip: in.Skip, Limit: in.Limit,
		})
		return answer(passagePage{found, total}, err)
	})
	add(a, huma.Operation{
		OperationID: "attach-document", Method: http.MethodPost, Path: oneAgentPath + "/documents", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Give an agent a document to read",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Body newDocument
	},
	) (*body[agent.File], error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		return answer(one.Attach(ctx, in.Body.Name, in.Body.Text))
	})
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
}

// between reads the bounds of a time.
func between(since, until string) (from, to time.Time, err error) {
	if from, err = graph.ParseTime("since", since); err != nil {
		return from, to, err
	}
	to, err = graph.ParseTime("until", until)
	return from, to, err
}

func (a *api) agentBlockRoutes(tags []string) {
	const blocks = oneAgentPath + "/blocks"
	add(a, huma.Operation{
		OperationID: "list-blocks", Method: http.MethodGet, Path: blocks, Tags: tags, Summary: "List an agent's working context",
	}, func(ctx context.Context, in *struct {
		OneAgent
		AsOf string `query:"as_of" maxLength:"64" doc:"As it was at this time"`
	},
	) (*body[blockPage], error) {
		at, err := graph.ParseTime("as_of", in.AsOf)
		if err != nil {
			return nil, err
		}
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		if at.IsZero() {
			at = time.Now()
		}
		found, err := one.BlocksAt(ctx, at)
		return answer(blockPage{found}, err)
	})
	add(a, huma.Operation{
		OperationID: "edit-block", Method: http.MethodPut, Path: blocks + "/{label}", Tags: tags, Summary: "Have a block say something else",
	}, func(ctx context.Context, in *struct {
		OneBlock
		Body blockEdit
	},
	) (*body[agent.Block], error) {
		b, err := a.oneBlock(ctx, in.OneBlock)
		if err != nil {
			return nil, err
		}
		b.Value, b.Version, b.EditedBy = in.Body.Value, in.Body.Version, in.Body.By
		return answer(a.agentsOf(ctx).EditBlock(ctx, in.Group, b))
	})
	for name, change := range map[string]func(*agent.Agents, context.Context, string, uuid.UUID, string) (agent.Block, error){
		"undo": (*agent.Agents).Undo, "redo": (*agent.Agents).Redo,
	} {
		add(a, huma.Operation{
			OperationID: name + "-block", Method: http.MethodPost, Path: blocks + "/{label}/" + name, Tags: tags,
			Summary: fmt.Sprintf("%s an edit of a block", map[string]string{"undo": "Undo", "redo": "Redo"}[name]),
		}, func(ctx context.Context, in *OneBlock) (*body[agent.Block], error) {
			b, err := a.oneBlock(ctx, *in)
			if err != nil {
				return nil, err
			}
			return answer(change(a.agentsOf(ctx), ctx, in.Group, b.ID, "operator"))
		})
	}
	add(a, huma.Operation{
		OperationID: "get-block-history", Method: http.MethodGet, Path: blocks + "/{label}/history", Tags: tags, Summary: "List what a block said, the latest first",
	}, func(ctx context.Context, in *OneBlock) (*body[blockPage], error) {
		b, err := a.oneBlock(ctx, *in)
		if err != nil {
			return nil, err
		}
		versions, err := a.agentsOf(ctx).BlockHistory(ctx, in.Group, b.ID)
		return answer(blockPage{versions}, err)
	})
}

func (a *api) oneBlock(ctx context.Context, in OneBlock) (agent.Block, error) {
	one, err := a.oneAgent(ctx, in.OneAgent)
	if err != nil {
		return agent.Block{}, err
	}
	return one.Block(ctx, in.Label)
}
