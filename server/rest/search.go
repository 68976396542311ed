package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Query is what is searched for, in full. It is exported, as all that is
// embedded in inputs, because what reads requests sees nothing else.
type Query struct {
	Query        string         `json:"query" maxLength:"8192" doc:"Any text" example:"Where does Alice live?"`
	Limit        int            `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"Hits of each scope at the most; left out: 10"`
	Recipe       string         `json:"recipe,omitempty" maxLength:"100" doc:"A named way of searching: scopes, methods and rerankers"`
	Scopes       []graph.Kind   `json:"scopes,omitempty" maxItems:"10" enum:"fact,entity,episode,community,thread" doc:"What to look for; left out: all but threads"`
	Methods      []string       `json:"methods,omitempty" maxItems:"10" enum:"bm25,cosine,bfs" doc:"How to look; left out: bm25 and cosine"`
	Rerank       []string       `json:"rerank,omitempty" maxItems:"10" enum:"mmr,mentions,salience,node_distance,cross_encoder" doc:"How to put what was found into another order"`
	Lambda       float64        `json:"lambda,omitempty" minimum:"0" maximum:"1" doc:"Of mmr: 1 is relevance alone, 0 stands for the default, 0.5"`
	Seeds        []uuid.UUID    `json:"seeds,omitempty" maxItems:"100" doc:"Entities that bfs starts from; left out: those of the first hits"`
	SeedRecent   int            `json:"seed_recent,omitempty" minimum:"0" maximum:"100" doc:"Start bfs also from the entities of so many of the latest episodes"`
	Hops         int            `json:"hops,omitempty" minimum:"1" maximum:"4" doc:"How far bfs goes; left out: 2"`
	Center       string         `json:"center,omitempty" maxLength:"512" doc:"The entity that node_distance measures from, by its id or name"`
	AsOf         string         `json:"as_of,omitempty" maxLength:"64" doc:"Only facts that held at this time; left out: those that have not ended"`
	KnownAt      string         `json:"known_at,omitempty" maxLength:"64" doc:"As we believed it at this time"`
	AskedAt      string         `json:"asked_at,omitempty" maxLength:"64" doc:"When the question is asked; left out: now"`
	IncludeEnded bool           `json:"include_ended,omitempty" doc:"Also facts that have ended"`
	AlsoIn       []string       `json:"also_in,omitempty" maxItems:"19" doc:"Further groups to search, which the key has to open too"`
	Filter       map[string]any `json:"filter,omitempty" doc:"What narrows the search; docs/search.md has its form"`
	MinScore     float64        `json:"min_score,omitempty" doc:"Leave out hits whose score is less"`
	Explain      bool           `json:"explain,omitempty" doc:"Tell where each method ranked each hit, and how long each step took"`
}

// QueryParameters is what a GET can ask.
type QueryParameters struct {
	InGroup
	Query        string       `query:"query" required:"true" maxLength:"8192" doc:"Any text" example:"Where does Alice live?"`
	Limit        int          `query:"limit" minimum:"1" maximum:"1000" default:"10" doc:"Hits of each scope at the most"`
	Recipe       string       `query:"recipe" maxLength:"100" doc:"A named way of searching"`
	Scopes       []graph.Kind `query:"scopes" maxItems:"10" enum:"fact,entity,episode,community,thread" doc:"What to look for; left out: all but threads"`
	Methods      []string     `query:"methods" maxItems:"10" enum:"bm25,cosine,bfs" doc:"How to look; left out: bm25 and cosine"`
	AsOf         string       `query:"as_of" maxLength:"64" doc:"Only facts that held at this time"`
	KnownAt      string       `query:"known_at" maxLength:"64" doc:"As we believed it at this time"`
	IncludeEnded bool         `query:"include_ended" doc:"Also facts that have ended"`
	AlsoIn       []string     `query:"also_in" maxItems:"19" doc:"Further groups to search, which the key has to open too"`
}

func (p QueryParameters) query() Query {
	return Query{
		Query: p.Query, Limit: p.Limit, Recipe: p.Recipe, Scopes: p.Scopes, Methods: p.Methods, AsOf: p.AsOf, KnownAt: p.KnownAt,
		IncludeEnded: p.IncludeEnded, AlsoIn: p.AlsoIn,
	}
}

// found is what a search gives, the best of each scope first.
type found struct {
	Facts       []factHit           `json:"facts"`
	Entities    []entityHit         `json:"entities"`
	Episodes    []episodeHit        `json:"episodes"`
	Communities []communityHit      `json:"communities"`
	Threads     []threadHit         `json:"threads" doc:"Conversations, where the scopes name them"`
	Explanation *annals.Explanation `json:"explanation,omitempty"`
}

// What is found says which group it is of: several may be searched.
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
	add(a, huma.Operation{
		OperationID: "search", Method: http.MethodPost, Path: path, Tags: tags, Summary: "Find facts, entities, episodes and communities",
	}, func(ctx context.Context, in *struct {
		InGroup
		Body Query
	},
	) (*body[found], error) {
		return answer(a.find(ctx, in.Group, in.Body))
	})
	add(a, huma.Operation{
		OperationID: "search-simply", Method: http.MethodGet, Path: path, Tags: tags, Summary: "Find by the settings that a URL can hold",
	}, func(ctx context.Context, in *QueryParameters) (*body[found], error) {
		return answer(a.find(ctx, in.Group, in.query()))
	})
	add(a, huma.Operation{
		OperationID: "get-context", Method: http.MethodPost, Path: contextPath, Tags: tags, Summary: "Put what is relevant into words for a model's prompt",
	}, func(ctx context.Context, in *struct {
		InGroup
		Body contextQuery
	},
	) (*body[contextAnswer], error) {
		return answer(a.context(ctx, in.Group, in.Body.Query, in.Body.Construction))
	})
	add(a, huma.Operation{
		OperationID: "get-context-simply", Method: http.MethodGet, Path: contextPath, Tags: tags, Summary: "The same by the settings that a URL can hold",
	}, func(ctx context.Context, in *struct {
		QueryParameters
		Tokens    int  `query:"tokens" minimum:"0" doc:"The most tokens it may have; 0: no limit"`
		Citations bool `query:"citations" doc:"Say behind each line where it is from"`
	},
	) (*body[contextAnswer], error) {
		return answer(a.context(ctx, in.Group, in.query(), Construction{Tokens: in.Tokens, Citations: in.Citations}))
	})
}

// Construction says what the words are like.
type Construction struct {
	Tokens       int    `json:"tokens,omitempty" minimum:"0" doc:"The most tokens it may have; left out: no limit"`
	Citations    bool   `json:"citations,omitempty" doc:"Say behind each line where it is from"`
	DatesInWords bool   `json:"dates_in_words,omitempty" doc:"since 8 March 2024, instead of 2024-03-08 – present"`
	Encoding     string `json:"encoding,omitempty" enum:"o200k_base,cl100k_base" doc:"How tokens are counted; left out: o200k_base"`
}

type contextQuery struct {
	Query
	Construction
}

type contextAnswer struct {
	Context string `json:"context"`
}

func (a *api) context(ctx context.Context, group string, q Query, as Construction) (contextAnswer, error) {
	built, err := a.query(ctx, group, q)
	if err != nil {
		return contextAnswer{}, err
	}
	client, err := a.server.ClientOver(ctx, append([]string{group}, q.AlsoIn...))
	if err != nil {
		return contextAnswer{}, err
	}
	text, err := client.ContextAs(ctx, built, annals.Construction{
		Tokens: as.Tokens, Citations: as.Citations, Words: as.DatesInWords, Encoding: as.Encoding,
	})
	return contextAnswer{text}, err
}

func (a *api) find(ctx context.Context, group string, q Query) (found, error) {
	built, err := a.query(ctx, group, q)
	if err != nil {
		return found{}, err
	}
	client, err := a.server.ClientOver(ctx, append([]string{group}, q.AlsoIn...))
	if err != nil {
		return found{}, err
	}
	result, err := client.Search(ctx, built)
	if err != nil {
		return found{}, err
	}
	out := found{
		Facts: []factHit{}, Entities: []entityHit{}, Episodes: []episodeHit{}, Communities: []communityHit{},
		Threads: views(result.Threads, func(h annals.ThreadHit) threadHit { return threadHit(h) }), Explanation: result.Explanation,
	}
	for _, h := range result.Facts {
		j := h.JSON()
		j.Score = &h.Score
		out.Facts = append(out.Facts, factHit{h.GroupID, j})
	}
	for _, h := range result.Entities {
		j := h.JSON()
		j.Score = &h.Score
		out.Entities = append(out.Entities, entityHit{h.GroupID, j})
	}
	for _, h := range result.Episodes {
		j := h.JSON()
		j.Score = &h.Score
		out.Episodes = append(out.Episodes, episodeHit{h.GroupID, j})
	}
	for _, h := range result.Communities {
		j := h.JSON()
		j.Score = &h.Score
		out.Communities = append(out.Communities, communityHit{h.GroupID, j})
	}
	return out, nil
}

// query is the library's of what was asked.
func (a *api) query(ctx context.Context, group string, q Query) (annals.Query, error) {
	built := annals.Query{
		GroupID: group, Text: q.Query, Limit: q.Limit, Lambda: q.Lambda, Seeds: q.Seeds, SeedRecent: q.SeedRecent, Hops: q.Hops,
		IncludeEnded: q.IncludeEnded, MinScore: q.MinScore, Explain: q.Explain, AlsoIn: q.AlsoIn,
	}
	var err error
	if q.Recipe != "" {
		if built, err = built.With(q.Recipe); err != nil {
			return built, err
		}
	}
	if len(q.Scopes) > 0 {
		built.Scopes = q.Scopes
	}
	if len(q.Methods) > 0 {
		built.Methods = views(q.Methods, func(m string) annals.Method { return annals.Method(m) })
	}
	if len(q.Rerank) > 0 {
		built.Rerank = views(q.Rerank, func(r string) annals.Rerank { return annals.Rerank(r) })
	}
	if built.Filter, err = parseFilter(q.Filter); err != nil {
		return built, err
	}
	if err := q.times(&built); err != nil {
		return built, err
	}
	if q.Center != "" {
		center, err := a.client(ctx).EntityAt(ctx, group, q.Center, built.KnownAt)
		if err != nil {
			return built, err
		}
		built.Center = center.ID
	}
	return built, nil
}

func (q Query) times(built *annals.Query) error {
	for _, at := range []struct {
		name, from string
		to         *time.Time
	}{{"as_of", q.AsOf, &built.ValidAt}, {"known_at", q.KnownAt, &built.KnownAt}, {"asked_at", q.AskedAt, &built.AskedAt}} {
		var err error
		if *at.to, err = graph.ParseTime(at.name, at.from); err != nil {
			return err
		}
	}
	return nil
}

// parseFilter reads a filter as the command line does.
func parseFilter(filter map[string]any) (annals.Filter, error) {
	var f annals.Filter
	if len(filter) == 0 {
		return f, nil
	}
	text, err := json.Marshal(filter)
	if err != nil {
		return f, graph.Invalid("filter", "cannot be read: %v", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, graph.Invalid("filter", "cannot be read: %v; docs/search.md shows one", err)
	}
	return f, nil
}
