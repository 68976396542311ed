package zep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/service"
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
	default:
		return e, graph.Invalid("type", "%q is not one of text, json, message", d.Type)
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
	episodes := make([]annals.Episode, len(data))
	for i, d := range data {
		if episodes[i], err = d.episode(p.group); err != nil {
			return nil, err
		}
	}
	added, err := service.AddEach(c.ctx(), p.Client, episodes, nil)
	if err != nil {
		return nil, err
	}
	stored := added.Stored
	task := taskOf(stored[0].ID, stored[len(stored)-1].ID, c.realm.local(p.group))
	out := make([]episodeView, len(stored))
	for i, s := range stored {
		e, err := p.Episode(c.ctx(), p.group, s.ID)
		if err != nil {
			return nil, err
		}
		out[i] = c.episodeView(e)
		out[i].TaskID = task
	}
	return out, nil
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
	if strings.TrimSpace(in.Fact) == "" || strings.TrimSpace(in.FactName) == "" {
		return nil, graph.Invalid("fact", "and fact_name must both be given")
	}
	p, err := c.either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	t := annals.Triple{GroupID: p.group, Predicate: in.FactName, Fact: in.Fact, Attributes: object(in.EdgeAttributes)}
	if t.OccurredAt, t.ValidAt, t.InvalidAt, err = times3(in.CreatedAt, in.ValidAt, in.InvalidAt); err != nil {
		return nil, err
	}
	if t.Source, err = c.end(p, "source_node", in.SourceName, in.SourceUUID, in.SourceLabels, in.SourceAttributes); err != nil {
		return nil, err
	}
	if t.Target, err = c.end(p, "target_node", in.TargetName, in.TargetUUID, in.TargetLabels, in.TargetAttributes); err != nil {
		return nil, err
	}
	added, err := p.AddTriple(c.ctx(), t)
	if err != nil {
		return nil, err
	}
	return c.tripleAdded(p, added, in)
}

// end returns one end of a triple, given by a name or an id.
func (c *call) end(p place, field, name, id string, labels []string, attributes json.RawMessage) (graph.TripleEnd, error) {
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
	known, err := p.EntitiesByID(c.ctx(), p.group, []uuid.UUID{parsed})
	if err != nil {
		return end, err
	}
	if len(known) > 0 {
		end.Name = known[0].Name
	}
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

// tripleAdded stores the metadata and summaries of a triple, and answers with
// the triple.
func (c *call) tripleAdded(p place, added annals.AddedTriple, in newTriple) (any, error) {
	if len(object(in.Metadata)) > 0 {
		if err := p.SetMetadata(c.ctx(), p.group, added.EpisodeID, in.Metadata); err != nil {
			return nil, err
		}
	}
	for id, summary := range map[uuid.UUID]string{added.SourceID: in.SourceSummary, added.TargetID: in.TargetSummary} {
		if summary != "" {
			if _, err := p.EditEntity(c.ctx(), p.group, id, annals.EntityEdit{Summary: &summary}); err != nil {
				return nil, err
			}
		}
	}
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
		nodes, err := c.nodes(p, ends)
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

func (c *call) addNodes(in struct {
	target
	Nodes []newNode `json:"nodes"`
},
) (any, error) {
	if len(in.Nodes) == 0 || len(in.Nodes) > 100 {
		return nil, graph.Invalid("nodes", "are %d; send 1 to 100", len(in.Nodes))
	}
	p, err := c.either(in.UserID, in.GraphID)
	if err != nil {
		return nil, err
	}
	entities := make([]annals.Entity, len(in.Nodes))
	for i, n := range in.Nodes {
		entities[i] = annals.Entity{Name: n.Name, Summary: n.Summary, Attributes: object(n.Attributes), Labels: plainLabels(some(n.Label))}
	}
	ids, err := p.AddEntities(c.ctx(), p.group, entities)
	if err != nil {
		return nil, err
	}
	for i := range in.Nodes {
		in.Nodes[i].UUID = ids[i].String()
	}
	return map[string]any{"nodes": in.Nodes, "task_id": doneTask(c.realm.local(p.group))}, nil
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
	return map[string]any{"episodes": views(parts, c.episodeView)}, nil
}
