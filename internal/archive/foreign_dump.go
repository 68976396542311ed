package archive

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// moment is a time in another program's format, with or without a zone. Null and the empty string
// are the zero time.
type moment struct{ time.Time }

// withoutSeconds is Java's format for a time without seconds.
const withoutSeconds = "2006-01-02T15:04Z07:00"

// UnmarshalJSON parses times of RFC 3339, times of Java, which append the name of the zone, and
// those that [graph.ParseTime] accepts.
func (m *moment) UnmarshalJSON(text []byte) error {
	var written string
	err := json.Unmarshal(text, &written)
	if err != nil {
		return err
	}
	written, _, _ = strings.Cut(written, "[")
	for _, layout := range []string{time.RFC3339, withoutSeconds} {
		if t, err := time.Parse(layout, written); err == nil {
			m.Time = t
			return nil
		}
	}
	m.Time, err = graph.ParseTime("time", written)
	return err
}

type dumpedEpisode struct {
	UUID        uuid.UUID       `json:"uuid"`
	GroupID     string          `json:"group_id"`
	Name        string          `json:"name"`
	Content     string          `json:"content"`
	Source      string          `json:"source"`
	Description string          `json:"source_description"`
	Role        string          `json:"role"`
	RoleType    string          `json:"role_type"`
	ThreadID    string          `json:"thread_id"`
	Metadata    json.RawMessage `json:"metadata"`
	CreatedAt   moment          `json:"created_at"`
	ValidAt     moment          `json:"valid_at"`
}

type dumpedNode struct {
	UUID       uuid.UUID       `json:"uuid"`
	GroupID    string          `json:"group_id"`
	Name       string          `json:"name"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes"`
	CreatedAt  moment          `json:"created_at"`
	Episodes   []uuid.UUID     `json:"episodes"`
	Truncated  bool            `json:"episodes_truncated"`
}

type dumpedEdge struct {
	UUID       uuid.UUID       `json:"uuid"`
	GroupID    string          `json:"group_id"`
	Source     uuid.UUID       `json:"source_node_uuid"`
	Target     uuid.UUID       `json:"target_node_uuid"`
	Name       string          `json:"name"`
	Fact       string          `json:"fact"`
	Attributes json.RawMessage `json:"attributes"`
	Episodes   []uuid.UUID     `json:"episodes"`
	Hyperedge  uuid.UUID       `json:"hyperedge_uuid"`
	CreatedAt  moment          `json:"created_at"`
	ValidAt    moment          `json:"valid_at"`
	InvalidAt  moment          `json:"invalid_at"`
	ExpiredAt  moment          `json:"expired_at"`
}

type dumpedUser struct {
	UserID    string          `json:"user_id"`
	Email     string          `json:"email"`
	FirstName string          `json:"first_name"`
	LastName  string          `json:"last_name"`
	TimeZone  string          `json:"time_zone"`
	Metadata  json.RawMessage `json:"metadata"`
	Plain     bool            `json:"disable_default_ontology"`
	CreatedAt moment          `json:"created_at"`
}

type dumpedGraph struct {
	GraphID     string `json:"graph_id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	TimeZone    string `json:"time_zone"`
	CreatedAt   moment `json:"created_at"`
}

type dumpedThread struct {
	ThreadID  string `json:"thread_id"`
	CreatedAt moment `json:"created_at"`
}

// begun is the source, name and start of an edge.
type begun struct {
	source uuid.UUID
	name   string
	at     time.Time
}

// endedBy returns the edge that ended another one, as far as the file shows that: the only edge
// with the same source and name that began when the other one ended. The other program does not
// record it. If that edge is removed, the ended one holds again.
func (s *spool) endedBy(e dumpedEdge) uuid.UUID {
	by := s.began[begun{e.Source, strings.ToUpper(e.Name), e.InvalidAt.UTC()}]
	if by == e.UUID {
		return uuid.Nil
	}
	return by
}
