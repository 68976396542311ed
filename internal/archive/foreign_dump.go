package archive

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// moment is a time as other programs write it, with a zone or without. Null and
// the empty string are the zero time.
type moment struct{ time.Time }

// withoutSeconds is how Java writes a time that has no seconds.
const withoutSeconds = "2006-01-02T15:04Z07:00"

// UnmarshalJSON reads times of RFC 3339, of Java, which puts the name of the zone
// behind, and what [graph.ParseTime] reads.
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

// begun is where and when an edge began.
type begun struct {
	source uuid.UUID
	name   string
	at     time.Time
}

// endedBy returns the edge that gave another one its end, as far as the file shows
// it: the only one of the same node and name that began when that one ended. The
// other program does not say. Once it goes, the other one holds again.
func (s *spool) endedBy(e dumpedEdge) uuid.UUID {
	by := s.began[begun{e.Source, strings.ToUpper(e.Name), e.InvalidAt.UTC()}]
	if by == e.UUID {
		return uuid.Nil
	}
	return by
}

// orNull is an id, or null in place of none.
func orNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
