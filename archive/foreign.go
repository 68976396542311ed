package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// Foreign is whose export a file is.
type Foreign string

// The programs whose graphs can be taken over.
const (
	FromZep      Foreign = "zep"      // what its clients list: episodes, nodes and edges
	FromGraphiti Foreign = "graphiti" // its nodes, edges and episodes, as their models dump them
)

// dump is a file of either. They name the same things alike; Zep's JavaScript
// client writes the names in camel case.
type dump struct {
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
}

type dumpedEdge struct {
	UUID       uuid.UUID       `json:"uuid"`
	Source     uuid.UUID       `json:"source_node_uuid"`
	Target     uuid.UUID       `json:"target_node_uuid"`
	Name       string          `json:"name"`
	Fact       string          `json:"fact"`
	Attributes json.RawMessage `json:"attributes"`
	Episodes   []uuid.UUID     `json:"episodes"`
	CreatedAt  time.Time       `json:"created_at"`
	ValidAt    time.Time       `json:"valid_at"`
	InvalidAt  time.Time       `json:"invalid_at"`
	ExpiredAt  time.Time       `json:"expired_at"`
}

// Convert reads the export of another program and writes it as one of Annals,
// of the group that is named or else the one that the file names. Ids and times
// stay; vectors are left out. Edges between a node and itself, or to one that
// the file does not have, are left out, as they say nothing here.
func Convert(from Foreign, r io.Reader, w io.Writer, groupID string) error {
	if from != FromZep && from != FromGraphiti {
		return graph.Invalid("from", "%q is not one of zep, graphiti", from)
	}
	var any any
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	if err := decoder.Decode(&any); err != nil {
		return graph.Invalid("import", "the file is no JSON object: %v", err)
	}
	text, err := json.Marshal(snakeCased(any))
	if err != nil {
		return fmt.Errorf("read the export: %w", err)
	}
	var d dump
	if err := json.Unmarshal(text, &d); err != nil {
		return graph.Invalid("import", "the file is not what %s exports, {\"episodes\": […], \"nodes\": […], \"edges\": […]}: %v", from, err)
	}
	if groupID == "" && len(d.Nodes) > 0 {
		groupID = d.Nodes[0].GroupID
	}
	if groupID == "" {
		return graph.Invalid("as", "is missing: the file does not name a group; give one with --as")
	}
	return d.write(w, groupID)
}

// keptNames are the fields under which names are the user's own.
var keptNames = []string{"metadata", "attributes"}

// snakeCased writes the names of fields as createdAt becomes created_at.
func snakeCased(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = snakeCased(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			if !slices.Contains(keptNames, name) {
				value = snakeCased(value)
			}
			out[snake(name)] = value
		}
		return out
	}
	return v
}

func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (d dump) write(w io.Writer, groupID string) error {
	out, err := NewWriter(w, Header{Schema: migrations.Newest(), Group: groupID})
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	err = out.Row("groups", Columns{
		"kind": "graph", "text_search": "annals.english", "created_at": now, "ontology": Columns{}, "name": "", "description": "",
		"time_zone": "", "updated_at": now,
	})
	for _, write := range []func(*Writer) error{d.writeEpisodes, d.writeNodes, d.writeMentions, d.writeEdges, d.writeCitations} {
		err = errors.Join(err, write(out))
	}
	if err != nil {
		return err
	}
	_, err = out.End()
	return err
}

// Columns are those of a row.
type Columns map[string]any

// longAgo is when episodes came into the graph of which that is not known.
const longAgo = "0001-01-01 00:00:00+00"

func (d dump) writeEpisodes(w *Writer) error {
	for _, e := range d.Episodes {
		source := graph.Source(e.Source)
		if source != graph.SourceMessage && source != graph.SourceJSON || source == graph.SourceJSON && !json.Valid([]byte(e.Content)) {
			source = graph.SourceText
		}
		at := e.ValidAt
		if at.IsZero() {
			at = e.CreatedAt
		}
		err := w.Row("episodes", Columns{
			"id": e.UUID, "source": source, "content": e.Content, "actor": e.Role, "role": e.RoleType, "name": e.Name,
			"source_description": e.Description, "thread_id": e.ThreadID, "occurred_at": at, "created_at": e.CreatedAt,
			"metadata": orEmpty(e.Metadata), "external_id": nil, "state": graph.StateDone, "attempts": 1, "error": nil, "deferred": false,
			"previous": nil, "processed_at": longAgo,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func orEmpty(object json.RawMessage) json.RawMessage {
	if len(object) == 0 || string(object) == "null" {
		return json.RawMessage("{}")
	}
	return object
}

func (d dump) writeNodes(w *Writer) error {
	for _, n := range d.Nodes {
		labels := slices.DeleteFunc(slices.Clone(n.Labels), func(l string) bool { return l == "Entity" })
		err := w.Row("entities", Columns{
			"id": n.UUID, "name": n.Name, "aliases": []string{}, "labels": append([]string{}, labels...), "summary": n.Summary,
			"attributes": orEmpty(n.Attributes), "created_at": n.CreatedAt, "recorded": span(n.CreatedAt, time.Time{}), "caused_by": []uuid.UUID{},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// span is a range of times as PostgreSQL writes it.
func span(from, until time.Time) string {
	bound := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return `"` + t.UTC().Format("2006-01-02 15:04:05.999999+00") + `"`
	}
	if from.IsZero() {
		return "(," + bound(until) + ")"
	}
	return "[" + bound(from) + "," + bound(until) + ")"
}

// edges are those that can be told here.
func (d dump) edges() []dumpedEdge {
	known := map[uuid.UUID]bool{}
	for _, n := range d.Nodes {
		known[n.UUID] = true
	}
	return slices.DeleteFunc(slices.Clone(d.Edges), func(e dumpedEdge) bool {
		return e.Source == e.Target || !known[e.Source] || !known[e.Target] || e.Fact == ""
	})
}

// cited are the episodes of an edge that the file has.
func (d dump) cited(e dumpedEdge) []uuid.UUID {
	var out []uuid.UUID
	for _, id := range e.Episodes {
		there := slices.ContainsFunc(d.Episodes, func(p dumpedEpisode) bool { return p.UUID == id })
		if there && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// writeMentions has an episode mention the ends of the facts that it states.
func (d dump) writeMentions(w *Writer) error {
	written := map[[2]uuid.UUID]bool{}
	for _, e := range d.edges() {
		for _, episode := range d.cited(e) {
			for _, node := range []uuid.UUID{e.Source, e.Target} {
				if pair := [2]uuid.UUID{episode, node}; !written[pair] {
					written[pair] = true
					if err := w.Row("mentions", Columns{"episode_id": episode, "entity_id": node}); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (d dump) writeEdges(w *Writer) error {
	for _, e := range d.edges() {
		if !e.InvalidAt.IsZero() && !e.ValidAt.Before(e.InvalidAt) {
			e.InvalidAt = e.ValidAt.Add(time.Microsecond) // a fact holds for some time
		}
		var expired *time.Time
		if !e.ExpiredAt.IsZero() {
			expired = &e.ExpiredAt
		} else if !e.InvalidAt.IsZero() {
			expired = &e.CreatedAt
		}
		err := w.Row("facts", Columns{
			"id": e.UUID, "source_id": e.Source, "target_id": e.Target, "predicate": cmp.Or(strings.ToUpper(e.Name), "RELATES_TO"),
			"fact": e.Fact, "ends": false, "attributes": orEmpty(e.Attributes), "valid": span(e.ValidAt, e.InvalidAt),
			"recorded": span(e.CreatedAt, time.Time{}), "created_at": e.CreatedAt, "expired_at": expired, "statement_id": e.UUID,
			"caused_by": []uuid.UUID{},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d dump) writeCitations(w *Writer) error {
	for _, e := range d.edges() {
		for _, episode := range d.cited(e) {
			if err := w.Row("fact_episodes", Columns{"fact_id": e.UUID, "episode_id": episode, "role": graph.RoleStates}); err != nil {
				return err
			}
		}
	}
	return nil
}
