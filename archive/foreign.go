package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// Foreign names the program that wrote an export.
type Foreign string

// The programs whose exports [Convert] reads.
const (
	FromZep      Foreign = "zep"      // what its clients list: episodes, nodes and edges
	FromGraphiti Foreign = "graphiti" // its nodes, edges and episodes, as their models dump them
)

// Convert reads the export of another program and writes it as one of Annals,
// under groupID or else the name that the file gives. Ids and times stay;
// vectors are left out. So are episodes and edges without a text, nodes without
// a name, and edges from a node to itself or to one that is not there: they say
// nothing here.
func Convert(from Foreign, r io.Reader, w io.Writer, groupID string) error {
	if from != FromZep && from != FromGraphiti {
		return graph.Invalid("from", "%q is not one of zep, graphiti", from)
	}
	var file any
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	if err := decoder.Decode(&file); err != nil {
		return graph.Invalid("import", "the file is no JSON object: %v", err)
	}
	text, err := json.Marshal(snakeCased(file))
	if err != nil {
		return fmt.Errorf("read the export: %w", err)
	}
	var d dump
	if err := json.Unmarshal(text, &d); err != nil {
		return graph.Invalid("import", "the file is not what %s exports, {\"episodes\": […], \"nodes\": […], \"edges\": […]}: %v", from, err)
	}
	d.leaveOut()
	named := d.groups()
	if len(named) > 1 {
		return graph.Invalid("import", "the file is of %d groups, %s and %s among them; write each into a file of its own", len(named), named[0], named[1])
	}
	if groupID = cmp.Or(groupID, strings.Join(named, "")); groupID == "" {
		return graph.Invalid("as", "is missing: the file does not name a group; give one with --as")
	}
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.Invalid("as", "must name the group to import into, which cannot be called %q: %v", groupID, err)
	}
	return d.write(w, groupID)
}

// leaveOut removes what cannot be stored here.
func (d *dump) leaveOut() {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	d.Episodes = slices.DeleteFunc(d.Episodes, func(e dumpedEpisode) bool { return blank(e.Content) })
	d.Nodes = slices.DeleteFunc(d.Nodes, func(n dumpedNode) bool { return blank(n.Name) })
	known := map[uuid.UUID]bool{}
	for _, n := range d.Nodes {
		known[n.UUID] = true
	}
	d.Edges = slices.DeleteFunc(d.Edges, func(e dumpedEdge) bool {
		return e.Source == e.Target || !known[e.Source] || !known[e.Target] || blank(e.Fact)
	})
}

// groups lists the names that the file gives its group. Several names are
// several memories that were kept apart.
func (d dump) groups() []string {
	named := map[string]bool{}
	if d.User != nil {
		named[d.User.UserID] = true
	}
	if d.Graph != nil {
		named[d.Graph.GraphID] = true
	}
	for _, n := range d.Nodes {
		named[n.GroupID] = true
	}
	for _, e := range d.Episodes {
		named[e.GroupID] = true
	}
	for _, e := range d.Edges {
		named[e.GroupID] = true
	}
	delete(named, "")
	return slices.Sorted(maps.Keys(named))
}

// keptNames are the fields whose content the user has named.
var keptNames = []string{"metadata", "attributes"}

// snakeCased renames fields from createdAt to created_at.
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
	for _, write := range []func(*Writer) error{ // in the order of the tables
		d.writeGroup, d.writeUser, d.writeEpisodes, d.writeThreads, d.writeNodes, d.writeMentions, d.writeEdges, d.writeCitations,
	} {
		err = errors.Join(err, write(out))
	}
	if err != nil {
		return err
	}
	_, err = out.End()
	return err
}

func (d dump) writeGroup(w *Writer) error {
	now := time.Now().UTC()
	row := Columns{
		"kind": graph.GroupGraph, "text_search": "annals.english", "created_at": now, "ontology": Columns{}, "name": "", "description": "",
		"time_zone": "", "updated_at": now,
	}
	switch {
	case d.User != nil:
		row["kind"], row["time_zone"], row["created_at"] = graph.GroupUser, d.User.TimeZone, orNow(d.User.CreatedAt.Time, now)
	case d.Graph != nil:
		row["name"], row["description"], row["time_zone"] = d.Graph.Name, d.Graph.Description, d.Graph.TimeZone
		row["created_at"] = orNow(d.Graph.CreatedAt.Time, now)
	}
	return w.Row("groups", row)
}

func orNow(t, now time.Time) time.Time {
	if t.IsZero() {
		return now
	}
	return t
}

func (d dump) writeUser(w *Writer) error {
	if d.User == nil {
		return nil
	}
	u, now := d.User, time.Now().UTC()
	return w.Row("users", Columns{
		"email": u.Email, "first_name": u.FirstName, "last_name": u.LastName, "metadata": orEmpty(u.Metadata), "plain": u.Plain,
		"created_at": orNow(u.CreatedAt.Time, now), "updated_at": now,
	})
}

// writeThreads writes the conversations that are listed, and those that are
// known from messages alone.
func (d dump) writeThreads(w *Writer) error {
	began := map[string]time.Time{}
	for _, t := range d.Threads {
		began[t.ThreadID] = t.CreatedAt.Time
	}
	for _, e := range d.Episodes {
		if at, known := began[e.ThreadID]; !known || at.IsZero() {
			began[e.ThreadID] = e.CreatedAt.Time
		}
	}
	delete(began, "")
	now := time.Now().UTC()
	for _, id := range slices.Sorted(maps.Keys(began)) {
		err := w.Row("threads", Columns{
			"id": id, "summary": "", "through_at": nil, "through_id": nil, "updated_at": now, "created_at": orNow(began[id], now),
			"metadata": Columns{},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Columns are the values of a row by their columns.
type Columns map[string]any

// longAgo stands for the unknown time at which an episode came into the graph.
const longAgo = "0001-01-01 00:00:00+00"

func (d dump) writeEpisodes(w *Writer) error {
	for _, e := range d.Episodes {
		source := graph.Source(e.Source)
		if source != graph.SourceMessage && source != graph.SourceJSON || source == graph.SourceJSON && !json.Valid([]byte(e.Content)) {
			source = graph.SourceText
		}
		at := e.ValidAt.Time
		if at.IsZero() {
			at = e.CreatedAt.Time
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
			"attributes": orEmpty(n.Attributes), "created_at": n.CreatedAt, "recorded": span(n.CreatedAt.Time, time.Time{}), "caused_by": []uuid.UUID{},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// span writes a range of times as PostgreSQL does.
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

// cited keeps the episodes of an edge or a node that the file has.
func cited(ids []uuid.UUID, there map[uuid.UUID]bool) []uuid.UUID {
	var out []uuid.UUID
	for _, id := range ids {
		if there[id] && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func (d dump) episodeIDs() map[uuid.UUID]bool {
	ids := make(map[uuid.UUID]bool, len(d.Episodes))
	for _, e := range d.Episodes {
		ids[e.UUID] = true
	}
	return ids
}

// writeMentions links each episode to the nodes that name it, and to the ends
// of the facts that it states.
func (d dump) writeMentions(w *Writer) error {
	there, written := d.episodeIDs(), map[[2]uuid.UUID]bool{}
	mention := func(node uuid.UUID, episodes []uuid.UUID) error {
		for _, episode := range cited(episodes, there) {
			pair := [2]uuid.UUID{episode, node}
			if written[pair] {
				continue
			}
			written[pair] = true
			if err := w.Row("mentions", Columns{"episode_id": episode, "entity_id": node}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, n := range d.Nodes {
		if err := mention(n.UUID, n.Episodes); err != nil {
			return err
		}
	}
	for _, e := range d.Edges {
		if err := errors.Join(mention(e.Source, e.Episodes), mention(e.Target, e.Episodes)); err != nil {
			return err
		}
	}
	return nil
}

func (d dump) writeEdges(w *Writer) error {
	endedBy := d.endedBy()
	for _, e := range d.Edges {
		if !e.InvalidAt.IsZero() && !e.ValidAt.Before(e.InvalidAt.Time) {
			e.InvalidAt.Time = e.ValidAt.Add(time.Microsecond) // a fact holds for some time
		}
		statement := e.Hyperedge
		if statement == uuid.Nil {
			statement = e.UUID
		}
		var expired *time.Time
		if !e.ExpiredAt.IsZero() {
			expired = &e.ExpiredAt.Time
		} else if !e.InvalidAt.IsZero() {
			expired = &e.CreatedAt.Time
		}
		err := w.Row("facts", Columns{
			"id": e.UUID, "source_id": e.Source, "target_id": e.Target, "predicate": cmp.Or(strings.ToUpper(e.Name), "RELATES_TO"),
			"fact": e.Fact, "ends": false, "attributes": orEmpty(e.Attributes), "valid": span(e.ValidAt.Time, e.InvalidAt.Time),
			"recorded": span(e.CreatedAt.Time, time.Time{}), "created_at": e.CreatedAt, "expired_at": expired, "statement_id": statement,
			"caused_by": []uuid.UUID{}, "bounded_by": orNull(endedBy[e.UUID]),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (d dump) writeCitations(w *Writer) error {
	there := d.episodeIDs()
	for _, e := range d.Edges {
		for _, episode := range cited(e.Episodes, there) {
			if err := w.Row("fact_episodes", Columns{"fact_id": e.UUID, "episode_id": episode, "role": graph.RoleStates}); err != nil {
				return err
			}
		}
	}
	return nil
}
