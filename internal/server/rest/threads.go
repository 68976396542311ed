package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

// threadJSON is the JSON form of a thread.
type threadJSON struct {
	ID           string    `json:"id"`
	Summary      string    `json:"summary" doc:"What was said in it, in short; empty: it is not yet long enough"`
	Messages     int       `json:"messages"`
	Unsummarised int       `json:"unsummarised" doc:"Messages since the summary"`
	LastAt       time.Time `json:"last_at"`

	Metadata  json.RawMessage `json:"metadata" doc:"Yours"`
	CreatedAt *time.Time      `json:"created_at,omitempty" doc:"When it was made; left out: it is known by its messages alone"`
}

func threadOf(t annals.Thread) threadJSON {
	return threadJSON{
		ID: t.ID, Summary: t.Summary, Messages: t.Messages, Unsummarised: t.Unsummarised, LastAt: t.LastAt, Metadata: t.Metadata,
		CreatedAt: orNull(t.CreatedAt),
	}
}

type threadPage struct {
	Threads    []threadJSON `json:"threads"`
	NextCursor string       `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// OneThread identifies a thread in a path.
type OneThread struct {
	InGroup
	Thread string `path:"thread" maxLength:"512" doc:"Your own name for the conversation"`
}

type acceptedMessages struct {
	Messages []accepted        `json:"messages"`
	Refused  int               `json:"refused,omitempty" doc:"Messages that are left out because they were erased"`
	Left     []service.Refused `json:"refused_messages,omitempty" doc:"Those one by one; line is their place in the request, from 1"`
	Context  string            `json:"context,omitempty" doc:"What was known before them that is relevant to the last of them"`
}

type summary struct {
	ID      string `json:"id"`
	Summary string `json:"summary"`
}

func (a *api) threads() {
	tags := []string{"threads"}
	const one = "/v1/groups/{group}/threads/{thread}"
	add(a, op("list-threads", "GET", "/v1/groups/{group}/threads", tags, "List conversations, the latest first"), a.listThreads)
	add(a, op("get-thread", "GET", one, tags, "Get a conversation and its summary"),
		func(ctx context.Context, in *OneThread) (*body[threadJSON], error) {
			t, err := a.client(ctx).Thread(ctx, in.Group, in.Thread)
			return answer(threadOf(t), err)
		})
	add(a, op("list-messages", "GET", one+"/messages", tags, "List what was said, the latest first"),
		func(ctx context.Context, in *struct {
			OneThread
			input.Page
		},
		) (*body[episodePage], error) {
			return answer(a.episodePage(ctx, annals.EpisodeFilter{GroupID: in.Group, ThreadID: in.Thread, Source: graph.SourceMessage}, in.Page))
		})
	add(a, op("add-messages", "POST", one+"/messages", tags, "Add what was said, all or nothing",
		"A message that was erased is left out, counted and named; only where all of them were is that a problem.").answering(http.StatusAccepted), a.addMessages)
	add(a, op("summarise-thread", "POST", one+"/summary", tags, "Extend a conversation's summary by what was said since",
		"Reading messages does so by itself every twenty of them."),
		func(ctx context.Context, in *OneThread) (*body[summary], error) {
			if _, err := a.client(ctx).Thread(ctx, in.Group, in.Thread); err != nil {
				return nil, err
			}
			text, err := a.client(ctx).SummariseThread(ctx, in.Group, in.Thread)
			return answer(summary{in.Thread, text}, err)
		})
}

func (a *api) listThreads(ctx context.Context, in *ListInput) (*body[threadPage], error) {
	return threadsOf(ctx, a.client(ctx), in.Group, in.Page)
}

func threadsOf(ctx context.Context, client *annals.Client, group string, in input.Page) (*body[threadPage], error) {
	filter := annals.ThreadFilter{GroupID: group}
	threads, next, err := pageOf(paging.Threads, threadOf, in, &filter.After, &filter.Limit, func() ([]annals.Thread, error) { return client.Threads(ctx, filter) })
	return answer(threadPage{threads, next}, err)
}

func (a *api) addMessages(ctx context.Context, in *struct {
	OneThread
	Body input.NewMessages
},
) (*body[acceptedMessages], error) {
	if len(in.Body.Messages) == 0 { // null passes the check of minItems
		return nil, graph.Invalid("messages", "are none; send at least one")
	}
	episodes := make([]annals.Episode, len(in.Body.Messages))
	for i, m := range in.Body.Messages {
		var err error
		episodes[i], err = input.Read(m, annals.Episode{GroupID: in.Group, ThreadID: in.Thread, Source: graph.SourceMessage})
		if err != nil {
			return nil, err
		}
	}
	out := acceptedMessages{}
	if in.Body.ReturnContext {
		said := strings.TrimSpace(in.Body.Messages[len(in.Body.Messages)-1].Content)
		about, err := a.context(ctx, in.Group, annals.QueryInput{Query: said}, input.Construction{})
		if err != nil {
			return nil, err
		}
		out.Context = about.Context
	}
	err := a.addOnce(ctx, episodes, func(added service.Added) (int, string, any) {
		out.Messages, out.Refused, out.Left = make([]accepted, len(added.Stored)), added.Left(len(episodes)), added.Refused
		for i, s := range added.Stored {
			out.Messages[i] = acceptedOf(added.Episodes[i], s)
		}
		return http.StatusAccepted, "", out
	})
	return answer(out, err)
}
