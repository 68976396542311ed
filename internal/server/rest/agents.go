package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
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
	after, limit := new(&agent.Agent{}), 0
	agents, next, err := pageOf(agentList, itself, in.Page, &after, &limit, func() ([]*agent.Agent, error) {
		return a.agentsOf(ctx).List(ctx, in.Group, (*after).Name, limit)
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

// OneBlock identifies a block of an agent.
type OneBlock struct {
	OneAgent
	Label string `path:"label" maxLength:"512" doc:"What the agent calls the block" example:"human"`
}

type blockPage struct {
	Blocks []agent.Block `json:"blocks"`
}

// agentBlocks adds the routes for blocks, an agent's working context.
func (a *api) agentBlocks(tags []string) {
	const blocks = oneAgentPath + "/blocks"
	add(a, op("list-blocks", "GET", blocks, tags, "List an agent's working context"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			AsOf string `query:"as_of" maxLength:"64" doc:"As it was at this time"`
		},
		) (*body[blockPage], error) {
			at, err := graph.ParseTime("as_of", in.AsOf)
			if err != nil {
				return nil, err
			}
			if at.IsZero() { // not BlocksAt(now): this clock may be behind the database's
				found, err := one.Blocks(ctx)
				return answer(blockPage{some(found)}, err)
			}
			found, err := one.BlocksAt(ctx, at)
			return answer(blockPage{some(found)}, err)
		}))
	add(a, op("edit-block", "PUT", blocks+"/{label}", tags, "Write a block anew"),
		func(ctx context.Context, in *struct {
			OneBlock
			Body input.BlockEdit
		},
		) (*body[agent.Block], error) {
			b, err := a.oneBlock(ctx, in.OneBlock)
			if err != nil {
				return nil, err
			}
			b.Value, b.Version, b.EditedBy = in.Body.Value, in.Body.Version, in.Body.By // also if they are empty
			return answer(a.agentsOf(ctx).EditBlock(ctx, in.Group, b))
		})
	for name, change := range map[string]func(*agent.Agents, context.Context, string, uuid.UUID, string) (agent.Block, error){
		"undo": (*agent.Agents).Undo, "redo": (*agent.Agents).Redo,
	} {
		add(a, op(name+"-block", "POST", blocks+"/{label}/"+name, tags, fmt.Sprintf("%s an edit of a block", map[string]string{"undo": "Undo", "redo": "Redo"}[name])),
			func(ctx context.Context, in *OneBlock) (*body[agent.Block], error) {
				b, err := a.oneBlock(ctx, *in)
				if err != nil {
					return nil, err
				}
				return answer(change(a.agentsOf(ctx), ctx, in.Group, b.ID, "operator"))
			})
	}
	add(a, op("get-block-history", "GET", blocks+"/{label}/history", tags, "List what a block said, the latest first"),
		func(ctx context.Context, in *OneBlock) (*body[blockPage], error) {
			b, err := a.oneBlock(ctx, *in)
			if err != nil {
				return nil, err
			}
			versions, err := a.agentsOf(ctx).BlockHistory(ctx, in.Group, b.ID)
			return answer(blockPage{some(versions)}, err)
		})
}

func (a *api) oneBlock(ctx context.Context, in OneBlock) (agent.Block, error) {
	one, err := a.oneAgent(ctx, in.OneAgent)
	if err != nil {
		return agent.Block{}, err
	}
	return one.Block(ctx, in.Label)
}

type documentPage struct {
	Documents []agent.File `json:"documents"`
}

type saidPage struct {
	Results []agent.Said `json:"results"`
	Total   int          `json:"total" doc:"How many were found; at most 200 with a query"`
}

type passagePage struct {
	Passages []agent.Passage `json:"passages"`
	Total    int             `json:"total" doc:"How many were found, at most 200"`
}

func (a *api) agentMemory(tags []string) {
	add(a, op("search-agent-recall", "GET", oneAgentPath+"/recall", tags, "Search all that was said between an agent and its users"),
		calling(func(ctx context.Context, in *struct {
			OneAgent
			input.Recall
		}, q agent.RecallQuery,
		) (page saidPage, err error) {
			one, err := a.oneAgent(ctx, in.OneAgent)
			if err != nil {
				return page, err
			}
			said, total, err := one.Recall(ctx, q)
			return saidPage{some(said), total}, err
		}))
	add(a, op("search-agent-archive", "GET", oneAgentPath+"/archive", tags, "Search an agent's archive and documents"),
		calling(func(ctx context.Context, in *struct {
			OneAgent
			input.Passages
		}, q agent.PassageQuery,
		) (page passagePage, err error) {
			one, err := a.oneAgent(ctx, in.OneAgent)
			if err != nil {
				return page, err
			}
			found, total, err := one.SearchArchive(ctx, q)
			return passagePage{some(found), total}, err
		}))
	addWithHeaders(a, op("keep-passage", "POST", oneAgentPath+"/archive", tags, "Keep a passage in an agent's archive").answering(http.StatusNoContent),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *toAgent[input.NewPassage]) (*struct{}, error) {
			return nil, one.Archive(ctx, in.Body.Content, in.Body.Tags...)
		}))
}

// agentDocuments adds the routes for an agent's documents.
func (a *api) agentDocuments(tags []string) {
	const documents = oneAgentPath + "/documents"
	add(a, op("list-documents", "GET", documents, tags, "List an agent's documents by name"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *OneAgent) (*body[documentPage], error) {
			found, err := one.Files(ctx)
			return answer(documentPage{some(found)}, err)
		}))
	add(a, op("attach-document", "POST", oneAgentPath+"/documents", tags, "Give an agent a document to read").answering(http.StatusCreated),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *toAgent[input.NewDocument]) (*body[agent.File], error) {
			return answer(one.Attach(ctx, in.Body.Name, in.Body.Text))
		}))
	addWithHeaders(a, op("detach-document", "DELETE", documents+"/{document}", tags, "Take a document away from an agent").answering(http.StatusNoContent),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Document string `path:"document" maxLength:"512" doc:"Its name"`
		},
		) (*struct{}, error) {
			return nil, one.Detach(ctx, in.Document)
		}))
}
