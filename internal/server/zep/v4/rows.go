package v4

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/zep/project"
	"github.com/annalsdb/annals/internal/service"
)

// rowRoutes are the routes for nodes, edges and episodes.
var rowRoutes = project.Routes{
	"POST /graphs/{graph}/nodes":                  project.OnWith(graphIn, addNodes),
	"POST /graphs/{graph}/nodes/list":             listOf(project.Memory.NodePage, nodeView, nodesListed...),
	"GET /graphs/{graph}/nodes/{node}":            project.Shown(nodeIn, project.Memory.OneNode, nodeView),
	"PATCH /graphs/{graph}/nodes/{node}":          project.ShownWith(nodeIn, project.Memory.OneNode, nodeView, updateNode),
	"DELETE /graphs/{graph}/nodes/{node}":         ended("graph.node.delete", nodeIn, project.DeleteNode),
	"POST /graphs/{graph}/nodes/{node}/neighbors": project.OnWith(nodeIn, nodeNeighbors),

	"POST /graphs/{graph}/edges":          project.OnWith(graphIn, addEdges),
	"POST /graphs/{graph}/edges/list":     listOf(project.Memory.EdgePage, edgeView, anyFilters...),
	"GET /graphs/{graph}/edges/{edge}":    project.Shown(edgeIn, project.Memory.OneEdge, edgeView),
	"PATCH /graphs/{graph}/edges/{edge}":  project.ShownWith(edgeIn, project.Memory.OneEdge, edgeView, updateEdge),
	"DELETE /graphs/{graph}/edges/{edge}": ended("graph.edge.delete", edgeIn, project.DeleteEdge),

	"POST /graphs/{graph}/episodes":                     project.OnWith(graphIn, addEpisode),
	"POST /graphs/{graph}/episodes/list":                listOf(project.Memory.EpisodePage, episodeView, episodesListed...),
	"GET /graphs/{graph}/episodes/{episode}":            project.Shown(episodeIn, project.Memory.OneEpisode, episodeView),
	"PATCH /graphs/{graph}/episodes/{episode}":          project.ShownWith(episodeIn, project.Memory.OneEpisode, episodeView, project.ChangeMetadata),
	"DELETE /graphs/{graph}/episodes/{episode}":         ended("graph.episode.delete", episodeIn, project.UndoEpisode),
	"GET /graphs/{graph}/documents/{document}/episodes": project.On(graphIn, documentEpisodes),
	"POST /graphs/{graph}/thread-summaries/list":        listOf(project.Memory.SagaPage, sagaView),
}

// node is the entity of the path, with its memory.
type node = project.At[annals.Entity]

var nodeIn = rowIn("node", project.Memory.Node)

// nodeBody is the JSON form of an entity.
type nodeBody struct {
	project.Node
	Episodes  []string `json:"episode_uuids"`
	Truncated bool     `json:"episode_uuids_truncated"`
	project.Owner
}

func nodeView(n project.Node) nodeBody { return nodeBody{n, n.Episodes, n.Truncated, n.Owner} }

func addNodes(g project.Graph, in struct {
	Nodes []project.NewNode `json:"nodes"`
},
) (any, error) {
	if slices.ContainsFunc(in.Nodes, func(n project.NewNode) bool { return n.UUID+n.CreatedAt != "" }) {
		return nil, graph.Invalid("nodes.uuid", "and created_at must be left out: nodes get theirs here")
	}
	if err := g.AddNodes(in.Nodes); err != nil {
		return nil, err
	}
	now := time.Now()
	for i := range in.Nodes {
		in.Nodes[i].CreatedAt = project.Stamp(now)
	}
	return accepted(map[string]any{"nodes": in.Nodes, "task": doneAt("graph.add_nodes", now)}, nil)
}

func updateNode(n node, in struct {
	Name       *string         `json:"name"`
	Summary    *string         `json:"summary"`
	Attributes json.RawMessage `json:"attributes"`
},
) (annals.Entity, error) {
	change := annals.EntityEdit{Name: in.Name, Summary: in.Summary, Attributes: project.Object(in.Attributes)}
	return n.Client.EditEntity(n.Ctx(), n.ID, n.Row.ID, change)
}

func nodeNeighbors(n node, in struct {
	filtered
	Direction string `json:"direction"`
},
) (any, error) {
	l, err := in.listing(n.Call, anyFilters...)
	if err != nil {
		return nil, err
	}
	found, err := n.NeighborPage(n.Row, in.Direction, l)
	return listed(n.Call, found, func(n project.Neighbor) map[string]any {
		return map[string]any{"node": nodeView(n.Node), "edges": each.Of(n.Edges, edgeView)}
	}), err
}

// edge is the fact of the path, with its memory.
type edge = project.At[annals.Fact]

var edgeIn = rowIn("edge", project.Memory.Edge)

// edgeBody is the JSON form of a fact.
type edgeBody struct {
	project.Edge
	Scope    string   `json:"scope"`
	Episodes []string `json:"episode_uuids"`
	project.Owner
}

func edgeView(e project.Edge) edgeBody { return edgeBody{e, "entity", e.Episodes, e.Owner} }

// newEdge is an edge to add; it is also the response.
type newEdge struct {
	project.Triple
	UUID       string `json:"uuid,omitempty"`
	SourceUUID string `json:"source_node_uuid,omitempty"`
	TargetUUID string `json:"target_node_uuid,omitempty"`
	ExpiredAt  string `json:"expired_at,omitempty"`
}

// validate checks the edge as it is checked when it is added.
func (e newEdge) validate(m project.Memory) error {
	if e.ExpiredAt != "" {
		return errExpired
	}
	if e.UUID+e.SourceUUID+e.TargetUUID != "" {
		return graph.Invalid("uuid", "source_node_uuid and target_node_uuid must be left out: nodes are named by source_node.uuid and target_node.uuid")
	}
	t, err := e.Read(m)
	return cmp.Or(err, t.Validate())
}

var errExpired = graph.Invalid("expired_at", "cannot be given: it is when Annals learned of an end; invalid_at says when it ended")

const maxEdges = 100 // of one request

func addEdges(g project.Graph, in struct {
	Edges []newEdge `json:"edges"`
	Same  bool      `json:"deduplicate"`
},
) (any, error) {
	if err := project.Counted("edges", len(in.Edges), maxEdges); err != nil {
		return nil, err
	}
	for _, e := range in.Edges { // all of them, before any is added
		if err := e.validate(g.Memory); err != nil {
			return nil, err
		}
	}
	result := &taskResult{}
	var first, last uuid.UUID
	for i := range in.Edges {
		e := &in.Edges[i]
		added, err := g.AddFact(e.Triple)
		if err != nil {
			return nil, err
		}
		e.UUID, e.SourceUUID, e.TargetUUID = added.FactID.String(), added.SourceID.String(), added.TargetID.String()
		result.Edges = append(result.Edges, resultEdge{e.UUID, e.SourceUUID, e.TargetUUID})
		if last = added.EpisodeID; i == 0 {
			first = added.EpisodeID
		}
	}
	return accepted(withTask(g.Call, map[string]any{"edges": in.Edges}, "graph.add_edges", g.TaskOf(first, last), result))
}

// updateEdge changes a fact. New words apply to all facts of its statement.
func updateEdge(e edge, in struct {
	Fact       *string         `json:"fact"`
	Attributes json.RawMessage `json:"attributes"`
},
) (annals.Fact, error) {
	attributes, err := project.Patched(e.Row, in.Attributes)
	if err != nil {
		return e.Row, err
	}
	changes := []service.FactChange{{ID: e.Row.ID}}
	if in.Fact != nil {
		if changes, err = rewording(e.Memory, e.Row.StatementID, *in.Fact); err != nil {
			return e.Row, err
		}
	}
	for i := range changes {
		if changes[i].ID == e.Row.ID {
			changes[i].Edit.Attributes = attributes
		}
	}
	if _, err := e.Service.EditEach(e.Ctx(), e.ID, changes); err != nil {
		return e.Row, err
	}
	return e.Client.Fact(e.Ctx(), e.ID, e.Row.ID)
}

var episodeIn = rowIn("episode", project.Memory.Episode)

// episodeBody is the JSON form of an episode.
type episodeBody struct {
	project.Episode
	Role       string `json:"role,omitempty"`
	RoleName   string `json:"role_name,omitempty"`
	ThreadUUID string `json:"thread_uuid,omitempty"`
	CreatedAt  string `json:"created_at"`
	Reference  string `json:"reference_time"`
	project.Owner
}

func episodeView(e project.Episode) episodeBody {
	view := episodeBody{e, roleOf(e.Row), e.Row.Actor, "", project.Stamp(e.Row.CreatedAt), project.Stamp(e.Row.OccurredAt), e.Owner}
	if e.Thread != "" {
		view.ThreadUUID = project.ThreadUUID(e.Row.GroupID, e.Thread)
	}
	return view
}

func addEpisode(g project.Graph, in struct {
	project.Data
	Reference string `json:"reference_time"`
	strict
},
) (any, error) {
	in.note(g.Call)
	if in.Type == "" {
		in.Type = "text"
	}
	in.At = in.Reference
	stored, id, err := g.AddData([]project.Data{in.Data})
	if err != nil {
		return nil, err
	}
	return accepted(withTask(g.Call, map[string]any{"episode": episodeView(g.EpisodeOf(stored[0]))}, "graph.add", id, nil))
}

func documentEpisodes(g project.Graph) (any, error) {
	return ranged(g.Call, rowsPage, func(skip, limit int) ([]project.Episode, error) {
		return g.DocumentEpisodes(g.Call.PathValue("document"), skip, limit)
	}, episodeView)
}
