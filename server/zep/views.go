package zep

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// entityLabel is the type that every node has beside its own.
const entityLabel = "Entity"

// scored is what a search adds to what it finds.
type scored struct {
	Score         *float64 `json:"score,omitempty"`
	Relevance     *float64 `json:"relevance,omitempty"`
	SelectionRank *int     `json:"selection_rank,omitempty"`
}

// nodeView is an entity on the wire.
type nodeView struct {
	UUID       string          `json:"uuid"`
	Name       string          `json:"name"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  string          `json:"created_at"`
	Degree     *int            `json:"degree,omitempty"`
	scored
}

func nodeViewOf(e annals.Entity) nodeView {
	return nodeView{
		UUID: e.ID.String(), Name: e.Name, Labels: append([]string{entityLabel}, e.Labels...), Summary: e.Summary,
		Attributes: e.Attributes, CreatedAt: stamp(e.CreatedAt),
	}
}

// edgeView is a fact on the wire.
type edgeView struct {
	UUID       string          `json:"uuid"`
	Name       string          `json:"name"`
	Fact       string          `json:"fact"`
	SourceUUID string          `json:"source_node_uuid"`
	TargetUUID string          `json:"target_node_uuid"`
	SourceName string          `json:"source_node_name,omitempty"`
	TargetName string          `json:"target_node_name,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Episodes   []string        `json:"episodes"`
	Hyperedge  string          `json:"hyperedge_uuid,omitempty"`
	CreatedAt  string          `json:"created_at"`
	ValidAt    *string         `json:"valid_at,omitempty"`
	InvalidAt  *string         `json:"invalid_at,omitempty"`
	ExpiredAt  *string         `json:"expired_at,omitempty"`
	scored
}

func edgeViewOf(f annals.Fact) edgeView {
	view := edgeView{
		UUID: f.ID.String(), Name: f.Predicate, Fact: f.Fact, SourceUUID: f.SourceID.String(), TargetUUID: f.TargetID.String(),
		SourceName: f.Source, TargetName: f.Target, Attributes: f.Attributes, Episodes: views(f.Episodes, uuid.UUID.String),
		CreatedAt: stamp(f.CreatedAt), ValidAt: stampOr(f.Valid.Start), InvalidAt: stampOr(f.Valid.End), ExpiredAt: stampOr(f.ExpiredAt),
	}
	if f.StatementID != uuid.Nil {
		view.Hyperedge = f.StatementID.String()
	}
	return view
}

// episodeView is an episode on the wire.
type episodeView struct {
	UUID       string          `json:"uuid"`
	Content    string          `json:"content"`
	Source     string          `json:"source"`
	SourceWhat string          `json:"source_description,omitempty"`
	Role       string          `json:"role,omitempty"`
	RoleType   string          `json:"role_type,omitempty"`
	ThreadID   string          `json:"thread_id,omitempty"`
	DocumentID string          `json:"document_id,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Processed  bool            `json:"processed"`
	TaskID     string          `json:"task_id,omitempty"`
	CreatedAt  string          `json:"created_at"`
	scored
}

// The marks by which episodes are known that came in another form.
const (
	documentMark = "document:"   // before a document's name, where a conversation's stands
	tripleSource = "fact_triple" // of a fact that was added as such
	tripleName   = "triple"
)

func (c *call) episodeView(e annals.Episode) episodeView {
	view := episodeView{
		UUID: e.ID.String(), Content: e.Content, Source: string(e.Source), SourceWhat: e.SourceDescription, Role: e.Actor,
		ThreadID: e.ThreadID, Metadata: e.Metadata, Processed: processed(e), CreatedAt: stamp(e.OccurredAt),
	}
	if slices.Contains(roles, e.Role) {
		view.RoleType = e.Role
	}
	if e.Name == tripleName && e.Source == graph.SourceText {
		view.Source = tripleSource
	}
	if id, ok := documentOf(e); ok {
		view.DocumentID, view.ThreadID = id, ""
	}
	return view
}
