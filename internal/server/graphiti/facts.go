package graphiti

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// fact is the JSON form of an edge.
type fact struct {
	UUID      string     `json:"uuid"`
	Name      string     `json:"name"`
	Fact      string     `json:"fact"`
	ValidAt   *time.Time `json:"valid_at"`
	InvalidAt *time.Time `json:"invalid_at"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiredAt *time.Time `json:"expired_at"`

	SourceID uuid.UUID   `json:"source_node_uuid"`
	TargetID uuid.UUID   `json:"target_node_uuid"`
	Episodes []uuid.UUID `json:"episodes"` // the episodes that state it
}

// factOf returns a fact in Graphiti's form. Graphiti has no field for disputes, so the text of the
// fact says so.
func factOf(f annals.FactHit) fact {
	shown := f.JSON()
	return fact{
		UUID: f.ID.String(), Name: f.Predicate, Fact: fence.Noted(f.Told(), f.Caveat(time.Now())), ValidAt: shown.ValidAt, InvalidAt: shown.InvalidAt,
		CreatedAt: f.CreatedAt, ExpiredAt: shown.ExpiredAt, SourceID: f.SourceID, TargetID: f.TargetID, Episodes: append([]uuid.UUID{}, f.Episodes...),
	}
}

func (a *api) edge(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindFact, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	f, err := client.Fact(r.Context(), group, id)
	if err != nil && annals.CodeOf(err) == annals.CodeNotFound { // it was removed meanwhile
		return nil, absent(id.String())
	}
	if err != nil {
		return nil, err
	}
	found, err := service.New(client).Annotate(r.Context(), annals.Query{GroupID: group}, service.Rows{Facts: []annals.Fact{f}})
	if err != nil {
		return nil, err
	}
	return factOf(found.Facts[0]), nil
}

func (a *api) deleteEdge(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindFact, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	return result{"Entity Edge deleted", true}, client.WithdrawFact(r.Context(), group, id)
}

const defaultFacts = 10

func (a *api) search(r *http.Request, in struct {
	GroupIDs []string `json:"group_ids"`
	GroupID  string   `json:"group_id"`
	Query    string   `json:"query"`
	MaxFacts number   `json:"max_facts"`
},
) (any, error) {
	if in.GroupID != "" {
		in.GroupIDs = append(in.GroupIDs, in.GroupID)
	}
	if len(in.GroupIDs) == 0 {
		in.GroupIDs = opened(server.CallerOf(r.Context()))
	}
	if len(in.GroupIDs) == 0 {
		return nil, graph.Invalid("group_ids", "is empty; name the groups to search, as this key opens more than it names")
	}
	return a.facts(r.Context(), annals.Query{GroupID: in.GroupIDs[0], AlsoIn: in.GroupIDs[1:], Text: in.Query, Limit: int(in.MaxFacts)})
}

// opened returns the groups that a key names: a search without groups searches these. It is empty
// if the key opens only namespaces, or all groups.
func opened(c server.Caller) []string {
	return slices.DeleteFunc(c.Groups(), func(g string) bool { _, namespace := graph.NamespaceOf(g); return namespace })
}

// foundFacts is the answer to a search.
type foundFacts struct {
	Facts   []fact `json:"facts"`
	without string // the models that did not answer; empty: none
}

func (a *api) facts(ctx context.Context, q annals.Query) (any, error) {
	if q.Limit == 0 {
		q.Limit = defaultFacts
	}
	client, err := a.server.ClientOver(ctx, append([]string{q.GroupID}, q.AlsoIn...))
	if err != nil {
		return nil, err
	}
	q.Scopes, q.IncludeEnded, q.Changes = []graph.Kind{graph.KindFact}, true, true
	found, err := client.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	without := found.SearchedWithout()
	found = found.WithAgainst()
	facts := make([]fact, min(len(found.Facts), q.Limit)) // a disputed fact follows the fact that disputes it
	for i := range facts {
		facts[i] = factOf(found.Facts[i])
	}
	return foundFacts{facts, without}, nil
}

func (a *api) memory(r *http.Request, in struct {
	GroupID  string    `json:"group_id"`
	MaxFacts number    `json:"max_facts"`
	Center   string    `json:"center_node_uuid"`
	Messages []message `json:"messages"`
},
) (any, error) {
	q := annals.Query{GroupID: in.GroupID, Conversation: true, Limit: int(in.MaxFacts)}
	if in.Center != "" {
		var err error
		if q.Center, err = uuid.Parse(in.Center); err != nil {
			return nil, graph.Invalid("center_node_uuid", "%q is no UUID", in.Center)
		}
		q.Rerank = []annals.Rerank{annals.RerankDistance}
	}
	var said strings.Builder
	for _, m := range in.Messages {
		said.WriteString(m.Content + "\n")
	}
	q.Text = said.String()
	return a.facts(r.Context(), q)
}
