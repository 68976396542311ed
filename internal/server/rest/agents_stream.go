package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
)

// agentRest is the last event of a stream that ends without an error.
type agentRest struct {
	Stopped bool `json:"stopped" doc:"The turn had as many steps as it may have"`
}

// agentStream adds the route that gives an event to an agent and streams its steps. Invalid
// requests are refused before the stream begins; a later error is the last event.
func (a *api) agentStream(tags []string) {
	op := huma.Operation{
		OperationID: "stream-agent", Method: http.MethodPost, Path: oneAgentPath + "/stream", Tags: tags,
		Summary: "Tell an agent something, and hear what it does while it does it",
		Description: "Server-sent events: a step as soon as it is kept; rest when the agent rests, or error with a problem, which ends the stream. " +
			"Leaving the stream leaves the turn unfinished, for /resume.",
		BodyReadTimeout: time.Minute, MaxBodyBytes: -1, Middlewares: huma.Middlewares{a.onlyKnownAgents},
	}
	kinds := map[string]any{"step": agent.Step{}, "rest": agentRest{}, "error": server.Problem{}}
	sse.Register(a.huma, op, kinds, func(ctx context.Context, in *struct {
		OneAgent
		Body input.NewEvent
	}, send sse.Sender,
	) {
		if err := a.stream(ctx, in.OneAgent, in.Body, send); err != nil {
			var p *server.Problem
			if errors.As(a.problem(ctx, op, err), &p) {
				_ = send.Data(p) // the caller may have disconnected
			}
		}
	})
}

// onlyKnownAgents refuses requests for agents that do not exist, before the stream begins.
func (a *api) onlyKnownAgents(ctx huma.Context, next func(huma.Context)) {
	_, err := a.oneAgent(ctx.Context(), OneAgent{InGroup{ctx.Param("group")}, ctx.Param("agent")})
	var p *server.Problem
	if err != nil && errors.As(a.problem(ctx.Context(), *ctx.Operation(), err), &p) {
		a.write(ctx, p)
		return
	}
	next(ctx)
}

func (a *api) stream(ctx context.Context, which OneAgent, told input.NewEvent, send sse.Sender) error {
	event, err := input.Read(told, agent.Event{})
	if err != nil {
		return err
	}
	one, err := a.oneAgent(ctx, which)
	if err != nil {
		return err
	}
	stopped := false
	for step, err := range one.Stream(ctx, event) {
		if err != nil {
			return err
		}
		stopped = stopped || step.Kind == agent.StepStopped
		if err := send.Data(step); err != nil {
			return err
		}
	}
	return send.Data(agentRest{stopped})
}
