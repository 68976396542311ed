package graphiti

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/service"
)

// episodes lists the latest episodes, oldest first.
func (a *api) episodes(r *http.Request) (any, error) {
	last, err := parseNumber(r.URL.Query().Get("last_n"))
	if err != nil || last < 1 {
		return nil, graph.Invalid("last_n", "must be a positive number")
	}
	group := r.PathValue("group")
	client, err := a.server.ClientIn(r.Context(), group)
	if err != nil {
		return nil, err
	}
	episodes, err := client.Episodes(r.Context(), annals.EpisodeFilter{GroupID: group, Limit: min(int(last), annals.MaxRows)})
	if err != nil {
		return nil, err
	}
	edges, err := edgesOf(r.Context(), client, group, episodes)
	if err != nil {
		return nil, err
	}
	found, err := service.New(client).Annotate(r.Context(), annals.Query{GroupID: group}, service.Rows{Episodes: episodes})
	out := []map[string]any{}
	for _, e := range slices.Backward(found.Episodes) {
		out = append(out, map[string]any{
			"uuid": e.ID, "name": e.Name, "group_id": group, "labels": []string{}, "created_at": e.CreatedAt, "source": e.Source,
			"source_description": e.SourceDescription, "content": spoken(e), "valid_at": e.OccurredAt, "entity_edges": append([]uuid.UUID{}, edges[e.ID]...),
		})
	}
	return out, err
}

// spoken returns a message with its speaker, as Graphiti stores it. Graphiti has no field for what
// has become of a statement, so that note precedes the text.
func spoken(e annals.EpisodeHit) string {
	said := e.Content
	if e.Source == graph.SourceMessage {
		said = fence.Plain(e.Actor) + "(" + fence.Plain(e.Role) + "): " + said
	} else {
		said = fence.Opening(said)
	}
	return fence.Noted(said, e.Note(time.Now()))
}

// edgesOf returns the facts that each episode states.
func edgesOf(ctx context.Context, client *annals.Client, group string, episodes []annals.Episode) (map[uuid.UUID][]uuid.UUID, error) {
	edges := map[uuid.UUID][]uuid.UUID{}
	if len(episodes) == 0 {
		return edges, nil
	}
	l := service.List{GroupID: group, Limit: annals.MaxRows}
	for _, e := range episodes {
		l.EpisodeIDs = append(l.EpisodeIDs, e.ID)
	}
	for {
		facts, err := service.New(client).ListFacts(ctx, l)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			for _, id := range f.Episodes {
				edges[id] = append(edges[id], f.ID)
			}
		}
		if len(facts) < l.Limit {
			return edges, nil
		}
		l.After = facts[len(facts)-1].ID
	}
}

func (a *api) deleteEpisode(r *http.Request) (any, error) {
	client, group, id, err := a.holding(r.Context(), graph.KindEpisode, r.PathValue("uuid"))
	if err != nil {
		return nil, err
	}
	_, err = client.UndoAll(r.Context(), annals.Undoing{GroupID: group, EpisodeIDs: []uuid.UUID{id}, AnyReader: true})
	return result{"Episode deleted", true}, err
}

// message is the JSON form of a message.
type message struct {
	Content     string `json:"content"`
	UUID        string `json:"uuid"`
	Name        string `json:"name"`
	RoleType    string `json:"role_type"`
	Role        string `json:"role"`
	Timestamp   moment `json:"timestamp"`
	Description string `json:"source_description"`
}

func (a *api) addMessages(r *http.Request, in struct {
	GroupID  string    `json:"group_id"`
	Messages []message `json:"messages"`
},
) (any, error) {
	if in.Messages == nil {
		return nil, graph.Invalid("messages", "is missing; send a list")
	}
	client, err := a.server.ClientIn(r.Context(), in.GroupID)
	if err != nil {
		return nil, err
	}
	if len(in.Messages) == 0 { // Graphiti accepts that too
		return result{messagesAdded, true}, nil
	}
	episodes, err := each.Try(in.Messages, func(m message) (annals.Episode, error) { return m.episode(in.GroupID) })
	if err != nil {
		return nil, err
	}
	added, err := service.AddEach(r.Context(), client, episodes, nil)
	if err != nil {
		return nil, err
	}
	return result{messagesAdded + leftOut(added, len(episodes)), true}, nil
}

const messagesAdded = "Messages added to processing queue"

const maxNamed = 20 // messages that were left out, in one answer

// leftOut lists the messages that were left out because they were erased before.
func leftOut(added service.Added, given int) string {
	left := added.Left(given)
	if left == 0 {
		return ""
	}
	var said strings.Builder
	fmt.Fprintf(&said, "; %d left out, as they were erased:", left)
	for i, one := range added.Refused {
		if i == maxNamed {
			fmt.Fprintf(&said, " … and %d more", left-i)
			break
		}
		fmt.Fprintf(&said, " message %d", one.Line)
		if one.ExternalID != "" {
			fmt.Fprintf(&said, " (uuid %s)", one.ExternalID)
		}
	}
	return said.String()
}

// episode converts a message to an episode. Its uuid becomes the external id, so that sending it
// again changes nothing.
func (m message) episode(group string) (annals.Episode, error) {
	at, err := graph.ParseTime("timestamp", string(m.Timestamp))
	if err != nil {
		return annals.Episode{}, err
	}
	switch m.RoleType {
	case "user", "assistant", "system":
	default:
		return annals.Episode{}, graph.Invalid("role_type", "%q is not one of user, assistant, system", m.RoleType)
	}
	e := annals.Episode{
		GroupID: group, Source: graph.SourceMessage, Content: m.Content, Actor: m.Role, Role: m.RoleType, Name: m.Name,
		SourceDescription: m.Description, OccurredAt: at, ExternalID: m.UUID,
	}
	return e, nil
}
