package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
)

type newDocument struct {
	Name string `json:"name" minLength:"1" maxLength:"512"`
	Text string `json:"text" minLength:"1"`
}

type documentPage struct {
	Documents []agent.File `json:"documents"`
}

type newPassage struct {
	Content string   `json:"content" minLength:"1"`
	Tags    []string `json:"tags,omitempty" maxItems:"20" doc:"Words to find it by"`
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
		OperationID: "keep-passage", Method: http.MethodPost, Path: oneAgentPath + "/archive", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Keep a passage in an agent's archive",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Body newPassage
	},
	) (*struct{}, error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		return nil, one.Archive(ctx, in.Body.Content, in.Body.Tags...)
	})
}

// agentDocuments are the routes about what an agent was given to read.
func (a *api) agentDocuments(tags []string) {
	const documents = oneAgentPath + "/documents"
	add(a, huma.Operation{
		OperationID: "list-documents", Method: http.MethodGet, Path: documents, Tags: tags, Summary: "List an agent's documents by name",
	}, func(ctx context.Context, in *OneAgent) (*body[documentPage], error) {
		one, err := a.oneAgent(ctx, *in)
		if err != nil {
			return nil, err
		}
		found, err := one.Files(ctx)
		return answer(documentPage{found}, err)
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
		OperationID: "detach-document", Method: http.MethodDelete, Path: documents + "/{document}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Take a document away from an agent",
	}, func(ctx context.Context, in *struct {
		OneAgent
		Document string `path:"document" maxLength:"512" doc:"Its name"`
	},
	) (*struct{}, error) {
		one, err := a.oneAgent(ctx, in.OneAgent)
		if err != nil {
			return nil, err
		}
		return nil, one.Detach(ctx, in.Document)
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
