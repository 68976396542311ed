package agent

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Event is something that an agent is told.
type Event struct {
	// Kind is one of KindMessage, KindLogin, KindUpload, KindAlert and
	// KindHeartbeat. Empty: KindMessage.
	Kind Kind

	// Content is what is said. It may be empty except for a message and an alert.
	Content string

	// Actor is who says it; may be empty.
	Actor string

	// OccurredAt is when it was said. Zero: now.
	OccurredAt time.Time

	// ExternalID is the sender's own name for it: told twice, it changes nothing.
	// With one a sender that does not know whether it got through tells it
	// again. Empty: none.
	ExternalID string
}

var defaultContent = map[Kind]string{
	KindLogin:     "The user logged in.",
	KindUpload:    "The user attached a document.",
	KindHeartbeat: "Time has passed. You may think, tidy up your memory, or say something.",
}

// message validates an event and makes a message of it.
func (e Event) message(now time.Time) (Message, error) {
	if e.Kind == "" {
		e.Kind = KindMessage
	}
	role := roleSystem
	switch e.Kind {
	case KindMessage:
		role = roleUser
	case KindLogin, KindUpload, KindHeartbeat:
		if strings.TrimSpace(e.Content) == "" {
			e.Content = defaultContent[e.Kind]
		}
	case KindAlert:
	default:
		return Message{}, graph.Invalid("kind", "%q is no event; it is one of message, login, upload, alert, heartbeat", e.Kind)
	}
	if e.OccurredAt.IsZero() {
		e.OccurredAt = now
	}
	// What holds for an episode holds here: the message becomes one.
	episode := graph.Episode{
		GroupID: "g", Content: e.Content, Actor: e.Actor, OccurredAt: e.OccurredAt, ExternalID: e.ExternalID, Source: graph.SourceMessage,
	}
	if err := episode.Validate(); err != nil {
		return Message{}, err
	}
	return Message{
		ID: uuid.Must(uuid.NewV7()), Role: role, Kind: e.Kind, Actor: e.Actor, Content: e.Content, OccurredAt: e.OccurredAt.UTC().Truncate(time.Microsecond),
		externalID: e.ExternalID,
	}, nil
}
