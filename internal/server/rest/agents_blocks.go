package rest

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

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
