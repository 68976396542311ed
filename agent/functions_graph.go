package agent

import (
	"context"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

const (
	graphTokens  = 600  // of an answer of the graph
	adviceTokens = 1000 // of an answer of another model
)

type graphArguments struct {
	Query string `json:"query" jsonschema:"what you want to know"`
}

type graphAsOfArguments struct {
	Query string `json:"query" jsonschema:"what you want to know"`
	At    string `json:"at" jsonschema:"when: what was true on this day or at this time, as 2024-05-01"`
	Known string `json:"known_at,omitempty" jsonschema:"as it was believed on this day or at this time; empty: as it is now"`
}

type adviceArguments struct {
	Message string `json:"message" jsonschema:"what to ask; it knows nothing of this conversation"`
}

func graphFunctions() []function {
	return []function{
		reads("memory_search", "Asks the knowledge graph, which is made of all conversations of this group: who and what there is, what holds between them, and since when.",
			func(ctx context.Context, t *turn, a graphArguments) (string, error) {
				return t.askGraph(ctx, annals.Query{Text: a.Query})
			}),
		reads("memory_as_of", "Asks the knowledge graph what was true at another time, or what was believed then.",
			func(ctx context.Context, t *turn, a graphAsOfArguments) (string, error) {
				at, _, err := readTime("at", a.At, t.zone)
				if err != nil {
					return "", err
				}
				known, err := lastOf("known_at", a.Known, t.zone)
				if err != nil {
					return "", err
				}
				return t.askGraph(ctx, annals.Query{Text: a.Query, ValidAt: at, KnownAt: known, Scopes: graphScopes[:1]})
			}),
		reads("message_chatgpt", "Asks another model, which has no memory, for what it knows.", askAnother),
	}
}

// lastOf parses a time; for a day it returns its last moment.
func lastOf(field, text string, zone *time.Location) (time.Time, error) {
	at, whole, err := readTime(field, text, zone)
	if whole {
		at = at.AddDate(0, 0, 1).Add(-time.Microsecond)
	}
	return at, err
}

// graphScopes are facts and entities. Queries as of another time get facts only, since summaries
// describe the present.
var graphScopes = []graph.Kind{graph.KindFact, graph.KindEntity}

func (t *turn) askGraph(ctx context.Context, q annals.Query) (string, error) {
	if q.Scopes == nil {
		q.Scopes = graphScopes
	}
	q.GroupID, q.AskedAt = t.agent.GroupID, t.now
	return t.agent.client().ContextAs(ctx, q, annals.Construction{Tokens: graphTokens})
}

func askAnother(ctx context.Context, t *turn, a adviceArguments) (string, error) {
	q := prompts.AgentAdvice{Question: cutToTokens(a.Message, t.settings.room()/2, " …")}
	answer, err := model.Ask[prompts.Advice](t.agent.onAccount(ctx), t.agent.agents.small, model.Question(q.Prompt()), nil)
	if err != nil {
		return "", &graph.Error{Code: graph.CodeUnavailable, Message: "the other model does not answer", Err: err}
	}
	return cutToTokens(answer.Answer, adviceTokens, " …"), nil
}
