package rest

import (
	"context"
	"net/http"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/input"
)

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
