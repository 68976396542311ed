package rest

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

// Query is the body of a search. Like all types embedded in inputs it is exported, because huma
// sees only exported fields.
type Query struct{ annals.QueryInput }

// QueryParameters are the parameters of a search in a URL, without a filter.
type QueryParameters struct {
	InGroup
	annals.QueryInput
}

// found describes the JSON of an [annals.Result]; each list has the best hits first.
type found struct {
	Facts        []factHit               `json:"facts"`
	Entities     []entityHit             `json:"entities"`
	Episodes     []episodeHit            `json:"episodes"`
	Communities  []communityHit          `json:"communities"`
	Observations []graph.ObservationJSON `json:"observations" doc:"What several facts show, where the scopes name it"`
	Threads      []threadHit             `json:"threads" doc:"Conversations, where the scopes name them"`
	Without      []string                `json:"without,omitempty" doc:"Models that did not answer, so that it was searched without them, in words"`
	Explanation  *annals.Explanation     `json:"explanation,omitempty"`
}

// Hits carry their group, because a search may cover several.
type (
	factHit struct {
		GroupID string `json:"group_id"`
		graph.FactJSON
	}
	entityHit struct {
		GroupID string `json:"group_id"`
		graph.EntityJSON
	}
	episodeHit struct {
		GroupID string `json:"group_id"`
		graph.EpisodeJSON
	}
	communityHit struct {
		GroupID string `json:"group_id"`
		graph.CommunityJSON
	}
	threadHit struct {
		GroupID string  `json:"group_id"`
		ID      string  `json:"id"`
		Score   float64 `json:"score"`
	}
)

func (a *api) search() {
	tags := []string{"search"}
	const path, contextPath = "/v1/groups/{group}/search", "/v1/groups/{group}/context"
	add(a, op("search", "POST", path, tags, "Find facts, entities, episodes and communities"),
		func(ctx context.Context, in *toGroup[Query]) (*body[annals.Result], error) {
			return answer(a.find(ctx, in.Group, in.Body.QueryInput))
		})
	add(a, op("search-simply", "GET", path, tags, "Find by the settings that a URL can hold"),
		func(ctx context.Context, in *QueryParameters) (*body[annals.Result], error) {
			return answer(a.find(ctx, in.Group, in.QueryInput))
		})
	add(a, op("explain-search", "POST", path+"/why", tags, "Tell why a search finds something, or does not",
		"Where each fact, entity or episode that was expected came in every method, and what hid it. The search is asked several times."),
		func(ctx context.Context, in *toGroup[whyQuery]) (*body[whyAnswer], error) {
			return answer(a.why(ctx, in.Group, in.Body))
		})
	add(a, op("get-context", "POST", contextPath, tags, "Put what is relevant into words for a model's prompt"),
		func(ctx context.Context, in *toGroup[contextQuery]) (*body[contextAnswer], error) {
			return answer(a.context(ctx, in.Group, in.Body.QueryInput, in.Body.Construction))
		})
	add(a, op("get-context-simply", "GET", contextPath, tags, "The same by the settings that a URL can hold"),
		func(ctx context.Context, in *struct {
			QueryParameters
			Hits      int  `query:"hits" minimum:"0" doc:"The most facts, entities, communities and episodes it may show in all; 0: no limit"`
			Tokens    int  `query:"tokens" minimum:"0" doc:"The most tokens it may have; 0: no limit"`
			Citations bool `query:"citations" doc:"Say behind each line where it is from"`
			Task      bool `query:"task" doc:"The query is a task: begin with how it was done, the skills for it"`
		},
		) (*body[contextAnswer], error) {
			return answer(a.context(ctx, in.Group, in.QueryInput, input.Construction{Hits: in.Hits, Tokens: in.Tokens, Citations: in.Citations, Task: in.Task}))
		})
}

type whyQuery struct {
	annals.QueryInput
	Expected []uuid.UUID `json:"expected" minItems:"1" maxItems:"20" doc:"Ids of facts, entities or episodes"`
}

type whyAnswer struct {
	Expected []service.Expected `json:"expected" doc:"In the order of the ids"`
}

func (a *api) why(ctx context.Context, group string, q whyQuery) (whyAnswer, error) {
	client, built, err := a.query(ctx, group, q.QueryInput)
	if err != nil {
		return whyAnswer{}, err
	}
	expected, err := service.New(client).Why(ctx, built, q.Expected)
	return whyAnswer{expected}, err
}

type contextQuery struct {
	annals.QueryInput
	input.Construction
}

type contextAnswer struct {
	Context string `json:"context"`
	Tokens  int    `json:"tokens" doc:"How many it has"`
}

func (a *api) context(ctx context.Context, group string, q annals.QueryInput, as input.Construction) (contextAnswer, error) {
	client, built, err := a.query(ctx, group, q)
	if err != nil {
		return contextAnswer{}, err
	}
	form, err := input.Read(as, annals.Construction{})
	if err != nil {
		return contextAnswer{}, err
	}
	text, err := client.ContextAs(ctx, built, form)
	if err != nil {
		return contextAnswer{}, err
	}
	size, err := annals.CountTokens(text, as.Encoding)
	return contextAnswer{text, size}, err
}

func (a *api) find(ctx context.Context, group string, q annals.QueryInput) (annals.Result, error) {
	client, built, err := a.query(ctx, group, q)
	if err != nil {
		return annals.Result{}, err
	}
	built.Changes = true
	return client.Search(ctx, built)
}

// query converts a request to a query of the library, with a client of all groups that it names.
func (a *api) query(ctx context.Context, group string, q annals.QueryInput) (*annals.Client, annals.Query, error) {
	built, err := q.In(group, func(name string, knownAt time.Time) (uuid.UUID, error) {
		entity, err := a.client(ctx).EntityAt(ctx, group, name, knownAt)
		return entity.ID, err
	})
	if err != nil {
		return nil, built, err
	}
	client, err := a.server.ClientOver(ctx, append([]string{group}, q.AlsoIn...))
	return client, built, err
}

// AskingQuery is the body of a question. It may have all fields of a search.
type AskingQuery struct {
	annals.QueryInput
	input.Asking
}

func (a *api) asking() {
	add(a, op("ask", "POST", "/v1/groups/{group}/ask", []string{"search"}, "Answer a question from what the memory has, with citations"),
		func(ctx context.Context, in *toGroup[AskingQuery]) (*body[annals.Answer], error) {
			return answer(a.ask(ctx, in.Group, in.Body))
		})
}

func (a *api) ask(ctx context.Context, group string, in AskingQuery) (found annals.Answer, err error) {
	client, built, err := a.query(ctx, group, in.QueryInput)
	if err != nil {
		return found, err
	}
	q, err := input.Read(in.Asking, annals.Question{Query: built})
	if err != nil {
		return found, err
	}
	return client.Ask(ctx, q)
}
