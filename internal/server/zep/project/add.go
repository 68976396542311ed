package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// How documents and triples are marked among episodes.
const (
	documentMark = "document:"   // prefix of the thread id of a document
	tripleSource = "fact_triple" // the source of a fact that was added as a triple
	tripleName   = "triple"
)

// Data is an episode to add.
type Data struct {
	Data       string          `json:"data"`
	Type       string          `json:"type"`
	Metadata   json.RawMessage `json:"metadata"`
	SourceWhat string          `json:"source_description"`
	DocumentID string          `json:"document_id"`
	At         string          `json:"-"` // each generation has its own name for it
}

func (d Data) episode(group string) (annals.Episode, error) {
	var r Reader
	e := annals.Episode{
		GroupID: group, Source: graph.Source(d.Type), Content: d.Data, SourceDescription: d.SourceWhat, OccurredAt: r.Time("created_at", d.At),
		Metadata: Object(d.Metadata),
	}
	switch d.Type {
	case "message":
		e.Actor, e.Role, e.Content = spoken(d.Data)
	case "text", "json":
	case tripleSource:
		e.Source, e.Name = graph.SourceText, tripleName
	default:
		r.refuse("type", "%q is not one of text, json, message, fact_triple", d.Type)
	}
	if d.DocumentID != "" {
		e.ThreadID, e.Name = documentMark+d.DocumentID, d.DocumentID
	}
	return e, r.Err
}

// spoken parses a message such as "Alice (user): Hello" into its speaker, role and content.
func spoken(text string) (actor, role, content string) {
	before, after, ok := strings.Cut(text, ": ")
	if !ok || len(before) > 100 || strings.ContainsAny(before, "\n.!?") {
		return "", "", text
	}
	actor = strings.TrimSpace(before)
	if name, in, ok := strings.Cut(actor, "("); ok && strings.HasSuffix(in, ")") {
		actor, role = strings.TrimSpace(name), strings.TrimSuffix(in, ")")
	}
	if slices.Contains(Roles, strings.ToLower(actor)) {
		actor, role = "", strings.ToLower(actor)
	}
	return actor, role, after
}

// AddData adds data to the memory and returns the task of reading it.
func (m Memory) AddData(data []Data) (stored []annals.Episode, task string, err error) {
	episodes, err := each.Try(data, func(d Data) (annals.Episode, error) { return d.episode(m.ID) })
	if err != nil {
		return nil, "", err
	}
	return m.Store(episodes)
}

// Store adds episodes to the memory and returns the task of reading them. It leaves out episodes
// that were erased before.
func (m Memory) Store(episodes []annals.Episode) (stored []annals.Episode, task string, err error) {
	ids, task, err := m.StoreOnly(episodes)
	if err != nil {
		return nil, "", err
	}
	stored, err = m.Service.EpisodesByID(m.Ctx(), m.ID, ids)
	return stored, task, err
}

// StoreOnly is [Memory.Store], but returns only the ids of the episodes.
func (m Memory) StoreOnly(episodes []annals.Episode) (ids []uuid.UUID, task string, err error) {
	added, err := service.AddEach(m.Ctx(), m.Client, episodes, nil)
	if err != nil {
		return nil, "", err
	}
	if len(added.Refused) > 0 {
		m.Call.Ignore("what was erased")
	}
	ids = each.Of(added.Stored, func(s annals.Stored) uuid.UUID { return s.ID })
	return ids, m.TaskOf(ids[0], ids[len(ids)-1]), nil
}

// DocumentEpisodes lists a range of the parts of a document.
func (m Memory) DocumentEpisodes(document string, skip, limit int) ([]Episode, error) {
	parts, err := m.Service.DocumentParts(m.Ctx(), m.ID, documentMark+document, skip, limit)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 && skip == 0 {
		return nil, NotFound("document not found: " + document)
	}
	return m.Episodes(parts, nil)
}

// End is an end of an edge to add. The node is identified by UUID or name.
type End struct {
	UUID       string          `json:"uuid,omitempty"`
	Name       string          `json:"name,omitempty"`
	Labels     []string        `json:"labels,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
}

// Read converts the end. field is its name in errors.
func (e End) Read(r *Reader, field string) graph.TripleEnd {
	labels := PlainLabels(e.Labels)
	if len(labels) > 1 {
		r.refuse(field+"_labels", "are %d; at most one beside Entity", len(labels))
	}
	return graph.TripleEnd{
		Name: e.Name, Attributes: Object(e.Attributes), ID: r.UUID(field+"_uuid", e.UUID), Label: strings.Join(labels, ""),
	}
}

// PlainLabels removes empty labels and EntityLabel, the type that all nodes have.
func PlainLabels(labels []string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == EntityLabel || l == "" })
}

// Triple is a fact to add without a text, in the form of version 4.
type Triple struct {
	Fact       string          `json:"fact"`
	Name       string          `json:"fact_name"`
	Source     End             `json:"source_node"`
	Target     End             `json:"target_node"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	ValidAt    string          `json:"valid_at,omitempty"`
	InvalidAt  string          `json:"invalid_at,omitempty"`
	CreatedAt  string          `json:"-"`
}

// Read converts the triple to a fact to add to a memory.
func (in Triple) Read(m Memory) (t annals.Triple, err error) {
	if strings.TrimSpace(in.Fact) == "" || strings.TrimSpace(in.Name) == "" {
		return t, graph.Invalid("fact", "and fact_name must both be given")
	}
	var r Reader
	t = annals.Triple{
		GroupID: m.ID, Predicate: in.Name, Fact: in.Fact, Attributes: Object(in.Attributes), OccurredAt: r.Time("created_at", in.CreatedAt),
		ValidAt: r.Time("valid_at", in.ValidAt), InvalidAt: r.Time("invalid_at", in.InvalidAt),
		Source: in.Source.Read(&r, "source_node"), Target: in.Target.Read(&r, "target_node"),
	}
	return t, r.Err
}

// AddFact adds a fact, with the metadata and the summaries of its ends.
func (m Memory) AddFact(in Triple) (added annals.AddedTriple, err error) {
	t, err := in.Read(m)
	if err != nil {
		return added, err
	}
	if added, err = m.Client.AddTriple(m.Ctx(), t); err != nil {
		return added, err
	}
	return added, m.Describe(added, in.Metadata, map[uuid.UUID]string{added.SourceID: in.Source.Summary, added.TargetID: in.Target.Summary})
}

// Describe stores the metadata of a new fact, and the summaries of its ends that are not empty.
func (m Memory) Describe(added annals.AddedTriple, metadata json.RawMessage, summaries map[uuid.UUID]string) error {
	if len(Object(metadata)) > 0 {
		if err := m.Client.SetMetadata(m.Ctx(), m.ID, added.EpisodeID, metadata); err != nil {
			return err
		}
	}
	for id, summary := range summaries {
		if summary == "" {
			continue
		}
		if _, err := m.Client.EditEntity(m.Ctx(), m.ID, id, annals.EntityEdit{Summary: &summary}); err != nil {
			return err
		}
	}
	return nil
}

const maxNodes = 100 // of one request

// NewNode is an entity to add.
type NewNode struct {
	Name       string          `json:"name"`
	Label      string          `json:"label,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  string          `json:"created_at,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	UUID       string          `json:"uuid,omitempty"`
}

// AddNodes adds entities and sets their UUIDs in nodes.
func (m Memory) AddNodes(nodes []NewNode) error {
	if err := Counted("nodes", len(nodes), maxNodes); err != nil {
		return err
	}
	var r Reader
	entities := make([]annals.Entity, len(nodes))
	for i, n := range nodes {
		entities[i] = annals.Entity{
			ID: r.UUID("uuid", n.UUID), Name: n.Name, Summary: n.Summary, Attributes: Object(n.Attributes), Labels: PlainLabels([]string{n.Label}),
		}
		if len(Object(n.Metadata)) > 0 {
			m.Call.Ignore("metadata")
		}
		if n.CreatedAt != "" {
			m.Call.Ignore("created_at")
		}
	}
	if r.Err != nil {
		return r.Err
	}
	ids, err := m.Client.AddEntities(m.Ctx(), m.ID, entities)
	if err != nil {
		return err
	}
	for i := range nodes {
		nodes[i].UUID = ids[i].String()
	}
	return nil
}

// Patched returns the attributes of a fact with changes applied; nil if nothing changes.
func Patched(f annals.Fact, changed json.RawMessage) (json.RawMessage, error) {
	if len(Object(changed)) == 0 {
		return nil, nil
	}
	attributes, err := graph.PatchObject(f.Attributes, changed)
	if err != nil {
		return nil, graph.Invalid("attributes", "are no object")
	}
	return attributes, nil
}
