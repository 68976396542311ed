package rest

import (
	"context"
	"net/http"
	"time"

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
	add(a, op("search-agent-recall", "GET", oneAgentPath+"/recall", tags, "Search all that was said between an agent and its users"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Query string   `query:"query" maxLength:"8192" doc:"Left out: everything, the newest first"`
			Roles []string `query:"roles" enum:"user,assistant" doc:"Left out: both"`
			Since string   `query:"since" maxLength:"64" doc:"Said then or later"`
			Until string   `query:"until" maxLength:"64" doc:"Said before"`
			Skip  int      `query:"skip" minimum:"0" doc:"How many to leave out"`
			Limit int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
		},
		) (*body[saidPage], error) {
			q := agent.RecallQuery{Text: in.Query, Roles: in.Roles, Skip: in.Skip, Limit: in.Limit}
			var err error
			if q.Since, q.Until, err = between(in.Since, in.Until); err != nil {
				return nil, err
			}
			said, total, err := one.Recall(ctx, q)
			return answer(saidPage{some(said), total}, err)
		}))
	add(a, op("search-agent-archive", "GET", oneAgentPath+"/archive", tags, "Search an agent's archive and documents"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Query   string   `query:"query" maxLength:"8192"`
			Tags    []string `query:"tags" doc:"Passages with any of them"`
			AllTags bool     `query:"all_tags" doc:"None of the tags may be missing"`
			Skip    int      `query:"skip" minimum:"0" doc:"How many to leave out"`
			Limit   int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
		},
		) (*body[passagePage], error) {
			found, total, err := one.SearchArchive(ctx, agent.PassageQuery{
				Text: in.Query, Tags: in.Tags, AllTags: in.AllTags, Skip: in.Skip, Limit: in.Limit,
			})
			return answer(passagePage{some(found), total}, err)
		}))
	add(a, op("keep-passage", "POST", oneAgentPath+"/archive", tags, "Keep a passage in an agent's archive").answering(http.StatusNoContent),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Body newPassage
		},
		) (*struct{}, error) {
			return nil, one.Archive(ctx, in.Body.Content, in.Body.Tags...)
		}))
}

// agentDocuments adds the routes about an agent's documents.
func (a *api) agentDocuments(tags []string) {
	const documents = oneAgentPath + "/documents"
	add(a, op("list-documents", "GET", documents, tags, "List an agent's documents by name"),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *OneAgent) (*body[documentPage], error) {
			found, err := one.Files(ctx)
			return answer(documentPage{some(found)}, err)
		}))
	add(a, op("attach-document", "POST", oneAgentPath+"/documents", tags, "Give an agent a document to read").answering(http.StatusCreated),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Body newDocument
		},
		) (*body[agent.File], error) {
			return answer(one.Attach(ctx, in.Body.Name, in.Body.Text))
		}))
	add(a, op("detach-document", "DELETE", documents+"/{document}", tags, "Take a document away from an agent").answering(http.StatusNoContent),
		ofAgent(a, func(ctx context.Context, one *agent.Agent, in *struct {
			OneAgent
			Document string `path:"document" maxLength:"512" doc:"Its name"`
		},
		) (*struct{}, error) {
			return nil, one.Detach(ctx, in.Document)
		}))
}

// between reads the bounds of a time.
func between(since, until string) (from, to time.Time, err error) {
	if from, err = graph.ParseTime("since", since); err != nil {
		return from, to, err
	}
	to, err = graph.ParseTime("until", until)
	return from, to, err
}
