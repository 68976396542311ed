package project

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/service"
)

// EntityLabel is the label that every node has in addition to its own.
const EntityLabel = "Entity"

// Scored holds the scores of a hit.
type Scored struct {
	Score         *float64 `json:"score,omitempty"`
	Relevance     *float64 `json:"relevance,omitempty"`
	SelectionRank *int     `json:"selection_rank,omitempty"`
}

// Owner identifies the graph and the user of a row, for version 4.
type Owner struct {
	GraphUUID string `json:"graph_uuid"`
	UserUUID  string `json:"user_uuid,omitempty"`
}

// Owner returns the owner of the rows of the memory.
func (m Memory) Owner() Owner {
	o := Owner{GraphUUID: GroupUUID(m.ID)}
	if m.IsUser {
		o.UserUUID = o.GraphUUID
	}
	return o
}

// Node is the JSON form of an entity. Each generation has its own name for its episodes.
type Node struct {
	UUID       string          `json:"uuid"`
	Name       string          `json:"name"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  string          `json:"created_at"`
	Degree     *int            `json:"degree,omitempty"`
	Scored

	Episodes  []string `json:"-"` // the episodes that mention it, the newest first
	Truncated bool     `json:"-"` // whether more mention it
	Owner     Owner    `json:"-"`
}

const maxNodeEpisodes = 100 // listed with a node

func labelsOf(e annals.Entity) []string { return append([]string{EntityLabel}, e.Labels...) }

// marking returns the JSON form of a score.
type marking func(score float64) Scored

// unmarked is the marking of rows that were not searched for.
func unmarked(float64) Scored { return Scored{} }

// nodes converts entities to nodes, with the episodes that mention them.
func (m Memory) nodes(entities []annals.EntityHit, mark marking) ([]Node, error) {
	if len(entities) == 0 {
		return []Node{}, nil
	}
	ids := each.Of(entities, func(e annals.EntityHit) uuid.UUID { return e.ID })
	mentioning, err := m.Service.EpisodesMentioning(m.Ctx(), m.ID, ids, maxNodeEpisodes+1)
	if err != nil {
		return nil, err
	}
	return each.Of(entities, func(e annals.EntityHit) Node {
		episodes := mentioning[e.ID]
		return Node{
			UUID: e.ID.String(), Name: e.Name, Labels: labelsOf(e.Entity), Summary: fence.WithoutNotes(e.StillSo()),
			Attributes: e.Attributes, CreatedAt: Stamp(e.CreatedAt), Truncated: len(episodes) > maxNodeEpisodes, Scored: mark(e.Score), Owner: m.Owner(),
			Episodes: each.Of(episodes[:min(len(episodes), maxNodeEpisodes)], uuid.UUID.String),
		}
	}), nil
}

// Nodes converts entities to nodes, or returns err.
func (m Memory) Nodes(entities []annals.Entity, err error) ([]Node, error) {
	if err != nil {
		return nil, err
	}
	found, err := m.annotated(service.Rows{Entities: entities})
	if err != nil {
		return nil, err
	}
	return m.nodes(found.Entities, unmarked)
}

// OneNode converts an entity to a node, or returns err.
func (m Memory) OneNode(e annals.Entity, err error) (Node, error) { return one(e, err, m.Nodes) }

// one converts one row as all converts many, or returns err.
func one[Row, View any](row Row, err error, all func([]Row, error) ([]View, error)) (view View, _ error) {
	views, err := all([]Row{row}, err)
	if err != nil {
		return view, err
	}
	return views[0], nil
}

// Edge is the JSON form of a fact. Each generation has its own name for its episodes.
type Edge struct {
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
	Scored

	Episodes []string `json:"-"` // the episodes that state it
	Owner    Owner    `json:"-"`
}

// EdgeOf converts a fact to an edge without the labels of its ends.
func (m Memory) EdgeOf(f annals.FactHit) Edge {
	edge := Edge{
		UUID: f.ID.String(), Name: f.Predicate, Fact: notedFact(f), SourceUUID: f.SourceID.String(), TargetUUID: f.TargetID.String(),
		SourceName: f.Source, TargetName: f.Target, Attributes: f.Attributes, Episodes: each.Of(f.Episodes, uuid.UUID.String),
		CreatedAt: Stamp(f.CreatedAt), ValidAt: StampOr(f.Valid.Start), InvalidAt: StampOr(f.Valid.End), ExpiredAt: StampOr(f.ExpiredAt), Owner: m.Owner(),
	}
	if f.StatementID != uuid.Nil {
		edge.Hyperedge = f.StatementID.String()
	}
	return edge
}

// edges converts facts to edges, with the labels of their ends.
func (m Memory) edges(facts []annals.FactHit, mark marking) ([]Edge, error) {
	if len(facts) == 0 {
		return []Edge{}, nil
	}
	entities, err := m.endsOf(each.Of(facts, func(f annals.FactHit) annals.Fact { return f.Fact }))
	if err != nil {
		return nil, err
	}
	labels := map[string][]string{}
	for _, e := range entities {
		labels[e.ID.String()] = labelsOf(e)
	}
	return each.Of(facts, func(f annals.FactHit) Edge {
		edge := m.EdgeOf(f)
		edge.SourceIs, edge.TargetIs, edge.Scored = labels[edge.SourceUUID], labels[edge.TargetUUID], mark(f.Score)
		return edge
	}), nil
}

// endsOf returns the entities at the ends of facts, without duplicates.
func (m Memory) endsOf(facts []annals.Fact) ([]annals.Entity, error) {
	var ends []uuid.UUID
	for _, f := range facts {
		ends = append(ends, f.SourceID, f.TargetID)
	}
	slices.SortFunc(ends, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return m.Service.EntitiesByID(m.Ctx(), m.ID, slices.Compact(ends))
}

// Edges converts facts to edges, or returns err.
func (m Memory) Edges(facts []annals.Fact, err error) ([]Edge, error) {
	if err != nil {
		return nil, err
	}
	found, err := m.annotated(service.Rows{Facts: facts})
	if err != nil {
		return nil, err
	}
	return m.edges(found.Facts, unmarked)
}

// OneEdge converts a fact to an edge, or returns err.
func (m Memory) OneEdge(f annals.Fact, err error) (Edge, error) { return one(f, err, m.Edges) }

// Zep's formats have no field for what has become of an episode, or for the dispute of a fact. A
// note in parentheses before the text says so; nothing in the text can look like one.

// annotated makes hits of rows, with what has become of them.
func (m Memory) annotated(rows service.Rows) (annals.Result, error) {
	return m.Service.Annotate(m.Ctx(), annals.Query{GroupID: m.ID}, rows)
}

// Episodes converts episodes, with notes before their contents, or returns err.
func (m Memory) Episodes(episodes []annals.Episode, err error) ([]Episode, error) {
	if err != nil {
		return nil, err
	}
	found, err := m.annotated(service.Rows{Episodes: episodes})
	return each.Of(found.Episodes, m.notedEpisode), err
}

// OneEpisode converts an episode, with a note before its content, or returns err.
func (m Memory) OneEpisode(e annals.Episode, err error) (Episode, error) {
	return one(e, err, m.Episodes)
}

func (m Memory) notedEpisode(h annals.EpisodeHit) Episode {
	view := m.EpisodeOf(h.Episode)
	view.Content = fence.Noted(view.Content, h.Note(time.Now()))
	return view
}

// notedFact returns a fact's sentence with a note if it is disputed.
func notedFact(h annals.FactHit) string {
	return fence.Noted(h.Told(), h.Caveat(time.Now()))
}

// withAgainst puts facts that dispute a fact before it, unless a filter may exclude them.
func withAgainst(found annals.Result, by service.List) annals.Result {
	if byIDs(by) || !reflect.DeepEqual(by.Filter, annals.Filter{}) {
		return found
	}
	return found.WithAgainst()
}
