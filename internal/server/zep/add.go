package zep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

var addRoutes = []route{
	{"POST", "/graph", with((*call).addData)},
	{"POST", "/graph-batch", with((*call).addDataBatch)},
	{"POST", "/graph/add-fact-triple", with((*call).addTriple)},
	{"POST", "/graph/nodes", with((*call).addNodes)},
	{"GET", "/graph/documents/{document}/episodes", (*call).documentEpisodes},
}

// newData is an episode to add.
type newData struct {
	Data       string          `json:"data"`
	Type       string          `json:"type"`
	CreatedAt  string          `json:"created_at"`
	Metadata   json.RawMessage `json:"metadata"`
	SourceWhat string          `json:"source_description"`
	DocumentID string          `json:"document_id"`
}

// target names the memory to add to.
type target struct {
	UserID  string `json:"user_id"`
	GraphID string `json:"graph_id"`
}

func (d newData) episode(group string) (annals.Episode, error) {
	at, err := graph.ParseTime("created_at", d.CreatedAt)
	if err != nil {
		return annals.Episode{}, err
	}
	e := annals.Episode{
		GroupID: group, Source: graph.Source(d.Type), Content: d.Data, SourceDescription: d.SourceWhat, OccurredAt: at, Metadata: object(d.Metadata),
	}
	switch d.Type {
	case "message":
		e.Actor, e.Role, e.Content = spoken(d.Data)
	case "text", "json":
	case tripleSource:
		e.Source, e.Name = graph.SourceText, tripleName
	default:
		return e, graph.Invalid("type", "%q is not one of text, json, message, fact_triple", d.Type)
	}
	if d.DocumentID != "" {
		e.ThreadID, e.Name = documentMark+d.DocumentID, d.DocumentID
	}
	return e, nil
}

// isDocument reports whether the name of a conversation is that of a document.
func isDocument(threadID string) bool { return strings.HasPrefix(threadID, documentMark) }

// documentOf returns the document that an episode is part of.
func documentOf(e annals.Episode) (string, bool) {
	id, ok := strings.CutPrefix(e.ThreadID, documentMark)
	return id, ok && id == e.Name
}

// spoken reads who says a message that is written as "Alice (user): Hello".
func spoken(text string) (actor, role, content string) {
	before, after, ok := strings.Cut(text, ": ")
	if !ok || len(before) > 100 || strings.ContainsAny(before, "\n.!?") {
		return "", "", text
	}
	actor = strings.TrimSpace(before)
	if name, in, ok := strings.Cut(actor, "("); ok && strings.HasSuffix(in, ")") {
		actor, role = strings.TrimSpace(name), strings.TrimSuffix(in, ")")
	}
	if slices.Contains(roles, strings.ToLower(actor)) {
		actor, role = "", strings.ToLower(actor)
	}
	return actor, role, after
}

func (c *call) addData(in struct {
	target
	newData
},
) (any, error) {
	added, err := c.addAll(in.target, []newData{in.newData})
	if err != nil {
		return nil, err
	}
	return added[0], nil
}

func (c *call) addDataBatch(in struct {
	target
	DocumentID string    `json:"document_id"`
	Episodes   []newData `json:"episodes"`
},
) (any, error) {
	if len(in.Episodes) == 0 || len(in.Episodes) > maxMessages {
		return nil, graph.Invalid("episodes", "are %d; send 1 to %d", len(in.Episodes), maxMessages)
	}
	if in.DocumentID != "" {
		for i := range in.Episodes {
			in.Episodes[i].DocumentID = in.DocumentID
		}
	}
	return c.addAll(in.target, in.Episodes)
}

func (c *call) addAll(to target, data []newData) ([]episodeView, error) {
	p, err := c.either(to.UserID, to.GraphID)
	if err != nil {
		return nil, err
	}
	stored, task, err := c.addTo(p, data)
	return views(stored, func(e annals.Episode) episodeView {
		view := c.episodeView(e)
		view.TaskID = task
		return view
	}), err
}

// addTo adds episodes to a memory, and names the task of reading them.
func (c *call) addTo(p place, data []newData) (stored []annals.Episode, task string, err error) {
	episodes := make([]annals.Episode, len(data))
	for i, d := range data {
		if episodes[i], err = d.episode(p.group); err != nil {
			return nil, "", err
		}
	}
	return c.store(p, episodes)
}

// store adds episodes to a memory, and names the task of reading them. Those that
// were erased are left out.
func (c *call) store(p place, episodes []annals.Episode) (stored []annals.Episode, task string, err error) {
	added, err := service.AddEach(c.ctx(), p.Client, episodes, nil)
	if err != nil {
		return nil, "", err
	}
	if len(added.Refused) > 0 {
		c.ignore("what was erased")
	}
	ids := views(added.Stored, func(s annals.Stored) uuid.UUID { return s.ID })
	if stored, err = p.EpisodesByID(c.ctx(), p.group, ids); err != nil {
		return nil, "", err
	}
	return stored, taskOf(ids[0], ids[len(ids)-1], c.realm.local(p.group)), nil
}

// newTriple is a fact to add without a text.
type newTriple struct {
	target
	Fact             string          `json:"fact"`
	FactName         string          `json:"fact_name"`
	SourceName       string          `json:"source_node_name"`
	SourceUUID       string          `json:"source_node_uuid"`
	SourceLabels     []string        `json:"source_node_labels"`
	SourceSummary    string          `json:"source_node_summary"`
	SourceAttributes json.RawMessage `json:"source_node_attributes"`
	TargetName       string          `json:"target_node_name"`
	TargetUUID       string          `json:"target_node_uuid"`
	TargetLabels     []string        `json:"target_node_labels"`
	TargetSummary    string          `json:"target_node_summary"`
	TargetAttributes json.RawMessage `json:"target_node_attributes"`
	EdgeAttributes   json.RawMessage `json:"edge_attributes"`
	Metadata         json.RawMessage `json:"metadata"`
	CreatedAt        string          `json:"created_at"`
	ValidAt          string          `json:"valid_at"`
	InvalidAt        string          `json:"invalid_at"`
}

func (c *call) addTriple(in newTriple) (any, error) {
	p, err := c.either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	added, err := c.storeTriple(p, in)
	if err != nil {
		return nil, err
	}
	return c.tripleAdded(p, added)
}

// triple reads a fact to add.
func (c *call) triple(p place, in newTriple) (t annals.Triple, err error) {
	if strings.TrimSpace(in.Fact) == "" || strings.TrimSpace(in.FactName) == "" {
		return t, graph.Invalid("fact", "and fact_name must both be given")
	}
	t = annals.Triple{GroupID: p.group, Predicate: in.FactName, Fact: in.Fact, Attributes: object(in.EdgeAttributes)}
	if t.OccurredAt, t.ValidAt, t.InvalidAt, err = times3(in.CreatedAt, in.ValidAt, in.InvalidAt); err != nil {
		return t, err
	}
	if t.Source, err = end("source_node", in.SourceName, in.SourceUUID, in.SourceLabels, in.SourceAttributes); err != nil {
		return t, err
	}
	t.Target, err = end("target_node", in.TargetName, in.TargetUUID, in.TargetLabels, in.TargetAttributes)
	return t, err
}

// storeTriple adds a fact with what is said of its ends.
func (c *call) storeTriple(p place, in newTriple) (added annals.AddedTriple, err error) {
	t, err := c.triple(p, in)
	if err != nil {
		return added, err
	}
	if added, err = p.AddTriple(c.ctx(), t); err != nil {
		return added, err
	}
	if len(object(in.Metadata)) > 0 {
		if err := p.SetMetadata(c.ctx(), p.group, added.EpisodeID, in.Metadata); err != nil {
			return added, err
		}
	}
	return added, c.sumUp(p, map[uuid.UUID]string{added.SourceID: in.SourceSummary, added.TargetID: in.TargetSummary})
}

// sumUp gives entities the summaries that are not empty.
func (c *call) sumUp(p place, summaries map[uuid.UUID]string) error {
	for id, summary := range summaries {
		if summary == "" {
			continue
		}
		if _, err := p.EditEntity(c.ctx(), p.group, id, annals.EntityEdit{Summary: &summary}); err != nil {
			return err
		}
	}
	return nil
}

// end returns one end of a triple, given by a name or an id.
func end(field, name, id string, labels []string, attributes json.RawMessage) (graph.TripleEnd, error) {
	end := graph.TripleEnd{Name: name, Attributes: object(attributes)}
	labels = plainLabels(labels)
	if len(labels) > 1 {
		return end, graph.Invalid(field+"_labels", "are %d; at most one beside Entity", len(labels))
	}
	if len(labels) == 1 {
		end.Label = labels[0]
	}
	if id == "" {
		return end, nil
	}
	parsed, err := uuid.Parse(id)
	if err != nil {
		return end, graph.Invalid(field+"_uuid", "%q is no UUID", id)
	}
	end.ID = parsed
	return end, nil
}

// plainLabels leaves out the type that all nodes have.
func plainLabels(labels []string) []string {
	var out []string
	for _, l := range labels {
		if l != entityLabel {
			out = append(out, l)
		}
	}
	return out
}

// tripleAdded answers with a triple that was added.
func (c *call) tripleAdded(p place, added annals.AddedTriple) (any, error) {
	facts, err := p.FactsByID(c.ctx(), p.group, []uuid.UUID{added.FactID})
	if err != nil {
		return nil, err
	}
	ends, err := p.EntitiesByID(c.ctx(), p.group, []uuid.UUID{added.SourceID, added.TargetID})
	if err != nil {
		return nil, err
	}
	out := map[string]any{"task_id": taskOf(added.EpisodeID, added.EpisodeID, c.realm.local(p.group))}
	if len(facts) == 1 {
		if out["edge"], err = c.oneEdge(p, facts[0]); err != nil {
			return nil, err
		}
	}
	if len(ends) == 2 {
		nodes, err := c.nodesOf(p, ends)
		if err != nil {
			return nil, err
		}
		out["source_node"], out["target_node"] = nodes[0], nodes[1]
	}
	return out, nil
}

// newNode is an entity to add.
type newNode struct {
	Name       string          `json:"name"`
	Label      string          `json:"label,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  string          `json:"created_at,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	UUID       string          `json:"uuid,omitempty"`
}

const maxNodes = 100 // of one request

func (c *call) addNodes(in struct {
	target
	Nodes []newNode `json:"nodes"`
},
) (any, error) {
	if len(in.Nodes) == 0 || len(in.Nodes) > maxNodes {
		return nil, graph.Invalid("nodes", "are %d; send 1 to %d", len(in.Nodes), maxNodes)
	}
	p, err := c.either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	if err := c.storeNodes(p, in.Nodes); err != nil {
		return nil, err
	}
	return map[string]any{"nodes": in.Nodes, "task_id": doneTask(c.realm.local(p.group))}, nil
}

// storeNodes adds entities, and notes their ids.
func (c *call) storeNodes(p place, nodes []newNode) error {
	entities := make([]annals.Entity, len(nodes))
	for i, n := range nodes {
		entities[i] = annals.Entity{Name: n.Name, Summary: n.Summary, Attributes: object(n.Attributes), Labels: plainLabels(some(n.Label))}
		if n.UUID != "" {
			id, err := uuid.Parse(n.UUID)
			if err != nil {
				return graph.Invalid("uuid", "%q is no UUID", n.UUID)
			}
			entities[i].ID = id
		}
		if len(object(n.Metadata)) > 0 {
			c.ignore("metadata")
		}
		if n.CreatedAt != "" {
			c.ignore("created_at")
		}
	}
	ids, err := p.AddEntities(c.ctx(), p.group, entities)
	if err != nil {
		return err
	}
	for i := range nodes {
		nodes[i].UUID = ids[i].String()
	}
	return nil
}

// some returns a list of one text, or none where it is empty.
func some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func (c *call) documentEpisodes() (any, error) {
	p, _, err := c.graph(c.URL.Query().Get("graph_id"))
	if err != nil {
		return nil, err
	}
	parts, err := p.ThreadMessages(c.ctx(), p.group, documentMark+c.PathValue("document"), 0, annals.MaxRows)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, notFound("document not found: " + c.PathValue("document"))
	}
	parts, err = c.noted(p, parts)
	return map[string]any{"episodes": views(parts, c.episodeView)}, err
}
