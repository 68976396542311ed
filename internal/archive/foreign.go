package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// Foreign is the program that wrote an export.
type Foreign string

// The programs whose exports [Convert] reads.
const (
	FromZep      Foreign = "zep"      // lists of Zep's clients: episodes, nodes and edges
	FromGraphiti Foreign = "graphiti" // Graphiti's nodes, edges and episodes, as its models serialise them
)

// Conversion describes an export of another program, and which part of it to read.
type Conversion struct {
	From    Foreign
	GroupID string // the group to write; empty: the name in the file
	Only    string // the group of the other program to read, if the file has several; empty: the only one
}

// Through converts the export of another program while store reads the result, and adds the
// unmapped rows to the summary.
func (c Conversion) Through(r io.Reader, store func(io.Reader) (Summary, error)) (Summary, error) {
	read, write := io.Pipe()
	defer read.Close()
	var unmapped Unmapped
	go func() {
		var err error
		unmapped, err = Convert(c, r, write)
		_ = write.CloseWithError(err)
	}()
	moved, err := store(read)
	if err == nil || moved.GroupID != "" { // the pipe was read to its end, so unmapped is set
		moved.Unmapped = unmapped
	}
	return moved, err
}

// Convert reads the export of another program and writes an export of Annals. Ids and times stay;
// vectors are left out. Rows that mean nothing in Annals are left out too, and counted by kind:
// episodes and edges without a text, nodes without a name, and edges from a node to itself or to a
// missing node. Texts are kept in temporary files until all references are known; only ids and
// times are kept in memory.
func Convert(c Conversion, r io.Reader, w io.Writer) (Unmapped, error) {
	if c.From != FromZep && c.From != FromGraphiti {
		return nil, graph.Invalid("from", "%q is not one of zep, graphiti", c.From)
	}
	s, err := newSpool(c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.read(r); err != nil {
		return nil, err
	}
	named := slices.Sorted(maps.Keys(s.named))
	if len(named) > 1 {
		return nil, graph.Invalid("import", "the file is of %d groups, %s and %s among them; take one at a time with --only", len(named), named[0], named[1])
	}
	groupID := cmp.Or(c.GroupID, strings.Join(named, ""))
	if groupID == "" {
		return nil, graph.Invalid("as", "is missing: the file does not name a group; give one with --as")
	}
	if err := graph.ValidateGroupID(groupID); err != nil {
		return nil, graph.Invalid("as", "must name the group to import into, which cannot be called %q: %v", groupID, err)
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	return s.unmapped, s.write(w, groupID)
}

// keptNames are fields whose content has the user's own names.
var keptNames = []string{"metadata", "attributes"}

// snakeCased renames fields in a value from createdAt to created_at.
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

func (s *spool) write(w io.Writer, groupID string) error {
	out, err := NewWriter(w, Header{Schema: migrations.Newest(), Group: groupID})
	if err != nil {
		return err
	}
	for _, write := range []func(*Writer) error{ // in the order of the tables
		s.writeGroup, s.writeUser, s.writeEpisodes, s.writeThreads, s.writeNodes, s.writeMentions, s.writeEdges, s.writeCitations,
	} {
		err = errors.Join(err, write(out))
	}
	if err != nil {
		return err
	}
	_, err = out.End()
	return err
}

func (s *spool) writeGroup(w *Writer) error {
	now := time.Now().UTC()
	row := Columns{
		"kind": graph.GroupGraph, "created_at": now, "ontology": Columns{}, "name": "", "description": "",
		"time_zone": "", "updated_at": now,
	}
	switch {
	case s.user != nil:
		row["kind"], row["time_zone"], row["created_at"] = graph.GroupUser, s.user.TimeZone, orNow(s.user.CreatedAt.Time, now)
	case s.graph != nil:
		row["name"], row["description"], row["time_zone"] = s.graph.Name, s.graph.Description, s.graph.TimeZone
		row["created_at"] = orNow(s.graph.CreatedAt.Time, now)
	}
	return w.Row("groups", row)
}

func orNow(t, now time.Time) time.Time {
	if t.IsZero() {
		return now
	}
	return t
}

func (s *spool) writeUser(w *Writer) error {
	if s.user == nil {
		return nil
	}
	u, now := s.user, time.Now().UTC()
	return w.Row("users", Columns{
		"email": u.Email, "first_name": u.FirstName, "last_name": u.LastName, "metadata": orEmpty(u.Metadata), "plain": u.Plain,
		"created_at": orNow(u.CreatedAt.Time, now), "updated_at": now,
	})
}

// writeThreads writes the listed threads, and those that only messages name.
func (s *spool) writeThreads(w *Writer) error {
	now := time.Now().UTC()
	for _, id := range slices.Sorted(maps.Keys(s.threads)) {
		err := w.Row("threads", Columns{
			"id": id, "summary": "", "through_at": nil, "through_id": nil, "updated_at": now, "created_at": orNow(s.threads[id], now),
			"metadata": Columns{},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Columns maps the columns of a row to their values.
type Columns map[string]any

// longAgo stands for the unknown time at which an episode was processed.
const longAgo = "0001-01-01 00:00:00+00"

func (s *spool) writeEpisodes(w *Writer) error {
	return each(s.episodes, func(e dumpedEpisode) error {
		source := graph.Source(e.Source)
		if source != graph.SourceMessage && source != graph.SourceJSON || source == graph.SourceJSON && !json.Valid([]byte(e.Content)) {
			source = graph.SourceText
		}
		at := e.ValidAt.Time
		if at.IsZero() {
			at = e.CreatedAt.Time
		}
		return w.Row("episodes", Columns{
			"id": e.UUID, "source": source, "content": e.Content, "actor": e.Role, "role": e.RoleType, "name": e.Name,
			"source_description": e.Description, "thread_id": e.ThreadID, "occurred_at": at, "created_at": e.CreatedAt,
			"metadata": orEmpty(e.Metadata), "external_id": nil, "state": graph.StateDone, "attempts": 1, "error": nil, "deferred": false,
			"previous": nil, "processed_at": longAgo,
		})
	})
}

func orEmpty(object json.RawMessage) json.RawMessage {
	if len(object) == 0 || string(object) == "null" {
		return json.RawMessage("{}")
	}
	return object
}

func (s *spool) writeNodes(w *Writer) error {
	return each(s.nodes, func(n dumpedNode) error {
		labels := slices.DeleteFunc(slices.Clone(n.Labels), func(l string) bool { return l == "Entity" })
		return w.Row("entities", Columns{
			"id": n.UUID, "name": n.Name, "aliases": []string{}, "labels": append([]string{}, labels...), "summary": n.Summary,
			"attributes": orEmpty(n.Attributes), "created_at": n.CreatedAt, "recorded": span(n.CreatedAt.Time, time.Time{}), "caused_by": []uuid.UUID{},
		})
	})
}

// span formats a time range as PostgreSQL does.
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

// cited returns the ids of episodes that the file has, without duplicates.
func cited(ids []uuid.UUID, there map[uuid.UUID]bool) []uuid.UUID {
	var out []uuid.UUID
	for _, id := range ids {
		if there[id] && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// writeMentions links each episode to the nodes that refer to it, and to the ends of the facts that
// it states.
func (s *spool) writeMentions(w *Writer) error {
	written := map[[2]uuid.UUID]bool{}
	mention := func(node uuid.UUID, episodes []uuid.UUID) error {
		for _, episode := range cited(episodes, s.episodeIDs) {
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
	if err := each(s.nodes, func(n dumpedNode) error { return mention(n.UUID, n.Episodes) }); err != nil {
		return err
	}
	for _, pair := range s.mentions {
		if !s.nodeIDs[pair[1]] {
			continue
		}
		if err := mention(pair[1], pair[:1]); err != nil {
			return err
		}
	}
	return each(s.edges, func(e dumpedEdge) error {
		return errors.Join(mention(e.Source, e.Episodes), mention(e.Target, e.Episodes))
	})
}

func (s *spool) writeEdges(w *Writer) error {
	return each(s.edges, func(e dumpedEdge) error {
		endedBy := s.endedBy(e)
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
		return w.Row("facts", Columns{
			"id": e.UUID, "source_id": e.Source, "target_id": e.Target, "predicate": cmp.Or(strings.ToUpper(e.Name), "RELATES_TO"),
			"fact": e.Fact, "ends": false, "attributes": orEmpty(e.Attributes), "valid": span(e.ValidAt.Time, e.InvalidAt.Time),
			"recorded": span(e.CreatedAt.Time, time.Time{}), "created_at": e.CreatedAt, "expired_at": expired, "statement_id": statement,
			"caused_by": []uuid.UUID{}, "bounded_by": db.Nullable(endedBy),
		})
	})
}

func (s *spool) writeCitations(w *Writer) error {
	return each(s.edges, func(e dumpedEdge) error {
		for _, episode := range cited(e.Episodes, s.episodeIDs) {
			if err := w.Row("fact_episodes", Columns{"fact_id": e.UUID, "episode_id": episode, "role": graph.RoleStates}); err != nil {
				return err
			}
		}
		return nil
	})
}
