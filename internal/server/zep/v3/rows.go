package v3

import (
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
var rowRoutes = project.Together(project.Routes{
	"POST /graph/node/graph/{graph}":      listOf(project.Memory.NodePage, nodeViewOf),
	"POST /graph/node/user/{user}":        listOf(project.Memory.NodePage, nodeViewOf),
	"GET /graph/node/{node}":              project.Shown(namedNode, project.Memory.OneNode, nodeViewOf),
	"PATCH /graph/node/{node}":            project.ShownWith(namedNode, project.Memory.OneNode, nodeViewOf, updateNode),
	"DELETE /graph/node/{node}":           ended(namedNode, project.DeleteNode),
	"GET /graph/node/{node}/entity-edges": project.On(namedNode, nodeEdges),
	"GET /graph/node/{node}/episodes":     project.On(namedNode, nodeEpisodes),
	"POST /graph/node/{node}/neighbors":   project.OnWith(namedNode, nodeNeighbors),

	"POST /graph/edge/graph/{graph}": listOf(project.Memory.EdgePage, edgeViewOf),
	"POST /graph/edge/user/{user}":   listOf(project.Memory.EdgePage, edgeViewOf),
	"GET /graph/edge/{edge}":         project.Shown(namedEdge, project.Memory.OneEdge, edgeViewOf),
	"PATCH /graph/edge/{edge}":       project.ShownWith(namedEdge, project.Memory.OneEdge, edgeViewOf, updateEdge),
	"DELETE /graph/edge/{edge}":      ended(namedEdge, project.DeleteEdge),

	"GET /graph/episodes/graph/{graph}":        project.On(owner, lastEpisodes),
	"POST /graph/episodes/graph/{graph}":       project.OnWith(owner, listEpisodes),
	"GET /graph/episodes/user/{user}":          project.On(owner, lastEpisodes),
	"POST /graph/episodes/user/{user}":         project.OnWith(owner, listEpisodes),
	"GET /graph/episodes/{episode}":            project.Shown(namedEpisode, project.Memory.OneEpisode, episodeViewOf),
	"PATCH /graph/episodes/{episode}":          project.ShownWith(namedEpisode, project.Memory.OneEpisode, episodeViewOf, project.ChangeMetadata),
	"DELETE /graph/episodes/{episode}":         ended(namedEpisode, project.UndoEpisode),
	"GET /graph/episodes/{episode}/mentions":   project.On(namedEpisode, episodeMentions),
	"POST /graph/thread-summary/graph/{graph}": listOf(project.Memory.SagaPage, sagaViewOf),
	"POST /graph/thread-summary/user/{user}":   listOf(project.Memory.SagaPage, sagaViewOf),
}, addRoutes, searchRoutes)

// listing is a request for a page of a list.
type listing struct {
	project.Listing
	Filters searchFilters `json:"filters"`
}

func (in listing) read() (l project.Listing, err error) {
	l = in.Listing
	l.Filters, err = in.Filters.read()
	return l, err
}

// listOf makes a handler that lists rows of a memory.
func listOf[Row, View any](list func(project.Memory, project.Listing) ([]Row, error), view func(Row) View) project.Answer {
	return project.OnWith(owner, func(m project.Memory, in listing) (any, error) {
		l, err := in.read()
		if err != nil {
			return nil, err
		}
		rows, err := list(m, l)
		return each.Of(rows, view), err
	})
}

// node is the entity of the path, with its memory.
type node = project.At[annals.Entity]

var namedNode = project.Holder(graph.KindEntity, "node", project.Memory.Node)

// nodeView is the JSON form of an entity. It lists no episodes if too many mention the entity.
type nodeView struct {
	project.Node
	Episodes  []string `json:"episodes"`
	Truncated bool     `json:"episodes_truncated"`
}

func nodeViewOf(n project.Node) nodeView {
	view := nodeView{n, n.Episodes, n.Truncated}
	if n.Truncated {
		view.Episodes = []string{}
	}
	return view
}

func nodeViews(nodes []project.Node) []nodeView { return each.Of(nodes, nodeViewOf) }

func updateNode(n node, in struct {
	Name       *string         `json:"name"`
	Summary    *string         `json:"summary"`
	Labels     []string        `json:"labels"`
	Attributes json.RawMessage `json:"attributes"`
},
) (annals.Entity, error) {
	return n.Client.EditEntity(n.Ctx(), n.ID, n.Row.ID, annals.EntityEdit{
		Name: in.Name, Summary: in.Summary, Labels: project.PlainLabels(in.Labels), Attributes: project.Object(in.Attributes),
	})
}

func nodeEdges(n node) (any, error) {
	edges, err := n.Edges(n.Service.ListFacts(n.Ctx(), service.List{GroupID: n.ID, EntityIDs: []uuid.UUID{n.Row.ID}, Limit: annals.MaxRows}))
	return edgeViews(edges), err
}

func nodeEpisodes(n node) (any, error) {
	l := service.List{GroupID: n.ID, Mentions: []uuid.UUID{n.Row.ID}, Limit: annals.MaxRows}
	return episodeList(n.Episodes(n.Service.ListEpisodes(n.Ctx(), l)))
}

func nodeNeighbors(n node, in struct {
	listing
	Sort string `json:"direction_sort"`
},
) (any, error) {
	l, err := in.read()
	if err != nil {
		return nil, err
	}
	l.Direction = in.Sort
	found, err := n.NeighborPage(n.Row, in.Direction, l)
	return each.Of(found, func(n project.Neighbor) map[string]any {
		return map[string]any{"node": nodeViewOf(n.Node), "edges": edgeViews(n.Edges)}
	}), err
}

// edge is the fact of the path, with its memory.
type edge = project.At[annals.Fact]

var namedEdge = project.Holder(graph.KindFact, "edge", project.Memory.Edge)

// edgeView is the JSON form of a fact.
type edgeView struct {
	project.Edge
	Episodes []string `json:"episodes"`
}

func edgeViewOf(e project.Edge) edgeView { return edgeView{e, e.Episodes} }

func edgeViews(edges []project.Edge) []edgeView { return each.Of(edges, edgeViewOf) }

func updateEdge(e edge, in struct {
	Name       *string                  `json:"name"`
	Fact       *string                  `json:"fact"`
	Attributes json.RawMessage          `json:"attributes"`
	ValidAt    project.Nullable[string] `json:"valid_at"`
	InvalidAt  project.Nullable[string] `json:"invalid_at"`
},
) (annals.Fact, error) {
	attributes, err := project.Patched(e.Row, in.Attributes)
	r := project.Reader{Err: err}
	change := annals.FactEdit{
		Predicate: in.Name, Fact: in.Fact, Attributes: attributes, ValidAt: moment(&r, "valid_at", in.ValidAt), InvalidAt: moment(&r, "invalid_at", in.InvalidAt),
	}
	if r.Err != nil {
		return e.Row, r.Err
	}
	return e.Client.EditFact(e.Ctx(), e.ID, e.Row.ID, change)
}

// moment reads a time that may be null; nil: it is missing.
func moment(r *project.Reader, field string, text project.Nullable[string]) *time.Time {
	if !text.Given {
		return nil
	}
	at := r.Time(field, text.Value)
	return &at
}

// episode is the episode of the path, with its memory.
type episode = project.At[annals.Episode]

var namedEpisode = project.Holder(graph.KindEpisode, "episode", project.Memory.Episode)

// episodeView is the JSON form of an episode.
type episodeView struct {
	project.Episode
	Role      string `json:"role,omitempty"`
	RoleType  string `json:"role_type,omitempty"`
	ThreadID  string `json:"thread_id,omitempty"`
	TaskID    string `json:"task_id,omitempty"`
	CreatedAt string `json:"created_at"`
}

func episodeViewOf(e project.Episode) episodeView {
	view := episodeView{Episode: e, Role: e.Row.Actor, ThreadID: e.Thread, CreatedAt: project.Stamp(e.Row.OccurredAt)}
	if slices.Contains(project.Roles, e.Row.Role) {
		view.RoleType = e.Row.Role
	}
	return view
}

// episodeList returns the JSON form of a list of episodes, or err.
func episodeList(episodes []project.Episode, err error) (any, error) {
	return map[string]any{"episodes": each.Of(episodes, episodeViewOf)}, err
}

func lastEpisodes(m project.Memory) (any, error) {
	var r project.Reader
	last := r.Whole("lastn", m.Call.URL.Query().Get("lastn"), project.DefaultPage, 1, annals.MaxRows)
	if r.Err != nil {
		return nil, r.Err
	}
	return episodeList(m.Episodes(m.Client.Episodes(m.Ctx(), annals.EpisodeFilter{GroupID: m.ID, Limit: last})))
}

func listEpisodes(m project.Memory, in struct {
	project.Listing
	Mentioned []string                     `json:"mentioned_node_uuids"`
	Metadata  *project.Group[propertyTest] `json:"episode_metadata_filters"`
},
) (any, error) {
	var r project.Reader
	in.Filters.Filter.Metadata = in.Metadata.Read(&r, operators, "episode_metadata_filters")
	if in.Filters.Mentions = r.UUIDs("mentioned_node_uuids", in.Mentioned, project.MaxListed); r.Err != nil {
		return nil, r.Err
	}
	episodes, err := m.EpisodePage(in.Listing)
	return each.Of(episodes, episodeViewOf), err
}

func episodeMentions(e episode) (any, error) {
	nodes, err := e.Nodes(e.Service.EntitiesMentioned(e.Ctx(), e.ID, e.Row.ID))
	if err != nil {
		return nil, err
	}
	edges, err := e.Edges(e.Service.ListFacts(e.Ctx(), service.List{GroupID: e.ID, EpisodeIDs: []uuid.UUID{e.Row.ID}, Limit: annals.MaxRows}))
	return map[string]any{"nodes": nodeViews(nodes), "edges": edgeViews(edges)}, err
}
