package graphiti

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

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
