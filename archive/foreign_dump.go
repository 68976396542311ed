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

// UnmarshalJSON reads times of RFC 3339, and what [graph.ParseTime] reads.
func (m *moment) UnmarshalJSON(text []byte) error {
	var written string
	err := json.Unmarshal(text, &written)
	if err != nil {
		return err
	}
	if t, err := time.Parse(time.RFC3339, written); err == nil {
		m.Time = t
		return nil
	}
	m.Time, err = graph.ParseTime("time", written)
	return err
}

// dump is a file of either program. Both use the same names; Zep's JavaScript
// client writes them in camel case. Only Zep has users and threads.
type dump struct {
	User     *dumpedUser     `json:"user"`
	Graph    *dumpedGraph    `json:"graph"`
	Threads  []dumpedThread  `json:"threads"`
	Episodes []dumpedEpisode `json:"episodes"`
	Nodes    []dumpedNode    `json:"nodes"`
	Edges    []dumpedEdge    `json:"edges"`
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

// endedBy returns the edge that gave another one its end, as far as the file shows
// it: the only one of the same node and name that began when that one ended. The
// other program does not say. Once it goes, the other one holds again.
func (d dump) endedBy() map[uuid.UUID]uuid.UUID {
	type begun struct {
		source uuid.UUID
		name   string
		at     time.Time
	}
	began := map[begun][]uuid.UUID{}
	for _, e := range d.Edges {
		if !e.ValidAt.IsZero() {
			at := begun{e.Source, strings.ToUpper(e.Name), e.ValidAt.UTC()}
			began[at] = append(began[at], e.UUID)
		}
	}
	ended := map[uuid.UUID]uuid.UUID{}
	for _, e := range d.Edges {
		by := began[begun{e.Source, strings.ToUpper(e.Name), e.InvalidAt.UTC()}]
		if len(by) == 1 && by[0] != e.UUID {
			ended[e.UUID] = by[0]
		}
	}
	return ended
}

// orNull is an id, or null in place of none.
func orNull(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
