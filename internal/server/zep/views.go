package zep

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
)

// entityLabel is the type that every node has in addition to its own.
const entityLabel = "Entity"

// scored holds the scores of a hit.
type scored struct {
	Score         *float64 `json:"score,omitempty"`
	Relevance     *float64 `json:"relevance,omitempty"`
	SelectionRank *int     `json:"selection_rank,omitempty"`
}

// nodeBody is what both generations say alike of an entity.
type nodeBody struct {
	UUID       string          `json:"uuid"`
	Name       string          `json:"name"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  string          `json:"created_at"`
	Degree     *int            `json:"degree,omitempty"`
	scored
}

// nodeView is an entity on the wire.
type nodeView struct {
	nodeBody
	Episodes  []string `json:"episodes"`
	Truncated bool     `json:"episodes_truncated"`
}

const maxNodeEpisodes = 100 // listed with a node

func labelsOf(e annals.Entity) []string { return append([]string{entityLabel}, e.Labels...) }

func nodeViewOf(e annals.EntityHit) nodeView {
	return nodeView{nodeBody: nodeBody{
		UUID: e.ID.String(), Name: e.Name, Labels: labelsOf(e.Entity), Summary: fence.WithoutNotes(e.StillSo()),
		Attributes: e.Attributes, CreatedAt: stamp(e.CreatedAt),
	}}
}

// nodes turns entities into nodes, with the episodes that mention them.
func (c *call) nodes(p place, entities []annals.EntityHit) ([]nodeView, error) {
	if len(entities) == 0 {
		return []nodeView{}, nil
	}
	ids := views(entities, func(e annals.EntityHit) uuid.UUID { return e.ID })
	mentioning, err := p.EpisodesMentioning(c.ctx(), p.group, ids, maxNodeEpisodes+1)
	if err != nil {
		return nil, err
	}
	return views(entities, func(e annals.EntityHit) nodeView {
		view := nodeViewOf(e)
		episodes := mentioning[e.ID]
		if view.Truncated = len(episodes) > maxNodeEpisodes; view.Truncated {
			episodes = c.newest(episodes)
		}
		view.Episodes = views(episodes, uuid.UUID.String)
		return view
	}), nil
}

// newest is what is listed of more episodes than are listed with a node: in version
// 4 the newest, before it none.
func (c *call) newest(episodes []uuid.UUID) []uuid.UUID {
	if c.v4() {
		return episodes[:maxNodeEpisodes]
	}
	return nil
}

// oneNode is nodes for one entity.
func (c *call) oneNode(p place, e annals.Entity) (nodeView, error) {
	nodes, err := c.nodesOf(p, []annals.Entity{e})
	if err != nil {
		return nodeView{}, err
	}
	return nodes[0], nil
}

// edgeBody is what both generations say alike of a fact.
type edgeBody struct {
	UUID       string          `json:"uuid"`
	Name       string          `json:"name"`
	Fact       string          `json:"fact"`
	SourceUUID string          `json:"source_node_uuid"`
	TargetUUID string          `json:"target_node_uuid"`
	SourceName string          `json:"source_node_name,omitempty"`
	TargetName string          `json:"target_node_name,omitempty"`
	SourceIs   []string        `json:"source_node_labels,omitempty"`
	TargetIs   []string        `json:"target_node_labels,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Hyperedge  string          `json:"hyperedge_uuid,omitempty"`
	CreatedAt  string          `json:"created_at"`
	ValidAt    *string         `json:"valid_at,omitempty"`
	InvalidAt  *string         `json:"invalid_at,omitempty"`
	ExpiredAt  *string         `json:"expired_at,omitempty"`
	scored
}

// edgeView is a fact on the wire.
type edgeView struct {
	edgeBody
	Episodes []string `json:"episodes"`
}

func edgeViewOf(f annals.FactHit) edgeView {
	view := edgeView{
		edgeBody: edgeBody{
			UUID: f.ID.String(), Name: f.Predicate, Fact: notedFact(f), SourceUUID: f.SourceID.String(), TargetUUID: f.TargetID.String(),
			SourceName: f.Source, TargetName: f.Target, Attributes: f.Attributes,
			CreatedAt: stamp(f.CreatedAt), ValidAt: stampOr(f.Valid.Start), InvalidAt: stampOr(f.Valid.End), ExpiredAt: stampOr(f.ExpiredAt),
		},
		Episodes: views(f.Episodes, uuid.UUID.String),
	}
	if f.StatementID != uuid.Nil {
		view.Hyperedge = f.StatementID.String()
	}
	return view
}

// edges turns facts into edges, with the labels of their ends.
func (c *call) edges(p place, facts []annals.FactHit) ([]edgeView, error) {
	if len(facts) == 0 {
		return []edgeView{}, nil
	}
	entities, err := c.endsOf(p, views(facts, func(f annals.FactHit) annals.Fact { return f.Fact }))
	if err != nil {
		return nil, err
	}
	labels := map[uuid.UUID][]string{}
	for _, e := range entities {
		labels[e.ID] = labelsOf(e)
	}
	return views(facts, func(f annals.FactHit) edgeView {
		view := edgeViewOf(f)
		view.SourceIs, view.TargetIs = labels[f.SourceID], labels[f.TargetID]
		return view
	}), nil
}

// endsOf reads the entities at the ends of facts, each once.
func (c *call) endsOf(p place, facts []annals.Fact) ([]annals.Entity, error) {
	var ends []uuid.UUID
	for _, f := range facts {
		ends = append(ends, f.SourceID, f.TargetID)
	}
	return p.EntitiesByID(c.ctx(), p.group, slices.Compact(slices.SortedFunc(slices.Values(ends), compareIDs)))
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// oneEdge is edges for one fact.
func (c *call) oneEdge(p place, f annals.Fact) (edgeView, error) {
	edges, err := c.edgesOf(p, []annals.Fact{f})
	if err != nil {
		return edgeView{}, err
	}
	return edges[0], nil
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

// The marks of episodes that came as documents or triples.
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
	view.Source = sourceOf(e)
	if id, ok := documentOf(e); ok {
		view.DocumentID, view.ThreadID = id, ""
	}
	return view
}

// sourceOf is the kind of an episode's content.
func sourceOf(e annals.Episode) string {
	if e.Name == tripleName && e.Source == graph.SourceText {
		return tripleSource
	}
	return string(e.Source)
}
