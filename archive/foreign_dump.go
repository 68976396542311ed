package archive

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// dump is a file of either. They name the same things alike; Zep's JavaScript
// client writes the names in camel case. Only Zep has users and threads.
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
	CreatedAt   time.Time       `json:"created_at"`
	ValidAt     time.Time       `json:"valid_at"`
}

type dumpedNode struct {
	UUID       uuid.UUID       `json:"uuid"`
	GroupID    string          `json:"group_id"`
	Name       string          `json:"name"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes"`
	CreatedAt  time.Time       `json:"created_at"`
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
	CreatedAt  time.Time       `json:"created_at"`
	ValidAt    time.Time       `json:"valid_at"`
	InvalidAt  time.Time       `json:"invalid_at"`
	ExpiredAt  time.Time       `json:"expired_at"`
}

type dumpedUser struct {
	UserID    string          `json:"user_id"`
	Email     string          `json:"email"`
	FirstName string          `json:"first_name"`
	LastName  string          `json:"last_name"`
	TimeZone  string          `json:"time_zone"`
	Metadata  json.RawMessage `json:"metadata"`
	Plain     bool            `json:"disable_default_ontology"`
	CreatedAt time.Time       `json:"created_at"`
}

type dumpedGraph struct {
	GraphID     string    `json:"graph_id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	TimeZone    string    `json:"time_zone"`
	CreatedAt   time.Time `json:"created_at"`
}

type dumpedThread struct {
	ThreadID  string    `json:"thread_id"`
	CreatedAt time.Time `json:"created_at"`
}
