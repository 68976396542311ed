// Package mem0 reads the memories of Mem0 from the lists and exports of its clients and from its
// tables for pgvector.
package mem0

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
)

// DefaultTable is the default name of Mem0's table.
const DefaultTable = "mem0"

// Options says which memories to read and where they go.
type Options struct {
	// GroupID is the group they are added to. Empty: a group for each user, agent or run that has
	// memories. A namespace such as acme:* is put before its name.
	GroupID string

	// Only is the user, agent or run whose memories to read; empty: all.
	Only string

	// Now is the time at which memories are checked for expiry; zero: the present.
	Now time.Time
}

// Reader returns memories one by one, as episodes to store. Their external ids come from those of
// Mem0, so that adding them again changes nothing.
type Reader struct {
	Options
	Memories int64 // memories read so far that can be stored
	Unmapped archive.Unmapped

	next  func() (memory, error)
	close func()
}

// name is an id or a name, which some clients write as a number.
type name string

// UnmarshalJSON reads a string or a number. Anything else gives "".
func (n *name) UnmarshalJSON(text []byte) error {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	switch read := read.(type) {
	case string:
		*n = name(read)
	case json.Number:
		*n = name(read)
	default:
		*n = ""
	}
	return nil
}

// memory is a memory as Mem0's clients list it.
type memory struct {
	ID         name                       `json:"id"`
	Memory     string                     `json:"memory"`
	Data       string                     `json:"data"` // the text, in Mem0's tables
	UserID     name                       `json:"user_id"`
	AgentID    name                       `json:"agent_id"`
	AppID      name                       `json:"app_id"`
	RunID      name                       `json:"run_id"`
	ActorID    name                       `json:"actor_id"`
	Role       string                     `json:"role"`
	CreatedAt  string                     `json:"created_at"`
	UpdatedAt  string                     `json:"updated_at"`
	Expires    string                     `json:"expiration_date"`
	Categories []string                   `json:"categories"`
	Metadata   map[string]json.RawMessage `json:"metadata"`
}

// Open opens a table of PostgreSQL, such as mem0 or memories.mem0, in which Mem0 keeps memories.
func Open(ctx context.Context, url, table string, o Options) (*Reader, error) {
	rows, err := db.OpenMem0(ctx, url, cmp.Or(table, DefaultTable))
	if err != nil {
		return nil, err
	}
	r := &Reader{Options: o, close: rows.Close}
	r.next = func() (memory, error) {
		for {
			id, payload, err := rows.Next()
			if err != nil {
				return memory{}, err
			}
			if m, ok := r.ofPayload(id, payload); ok {
				return m, nil
			}
		}
	}
	return r, nil
}

// known are the keys of a payload besides the user's metadata.
var known = []string{
	"data", "hash", "created_at", "updated_at", "text_lemmatized", "attributed_to", "user_id", "agent_id", "run_id", "app_id", "actor_id", "role", "expiration_date",
}

// ofPayload reads a row of a table, whose payload mixes the user's metadata with Mem0's own fields.
func (r *Reader) ofPayload(id string, payload []byte) (memory, bool) {
	var m memory
	var rest map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(payload, &rest), json.Unmarshal(payload, &m)); err != nil {
		r.Unmapped.Add("row whose payload is no memory", id)
		return m, false
	}
	for _, key := range known {
		delete(rest, key)
	}
	m.ID, m.Metadata = name(id), rest
	return m, true
}

// Close stops reading.
func (r *Reader) Close() {
	if r.close != nil {
		r.close()
	}
}

// Next returns the next memory, and 0 since there are no line numbers. After the last memory it
// returns [io.EOF].
func (r *Reader) Next() (graph.Episode, int, error) {
	for {
		m, err := r.next()
		if err != nil {
			return graph.Episode{}, 0, err
		}
		if e, ok := r.episode(m); ok {
			r.Memories++
			return e, 0, nil
		}
	}
}

// episode makes an episode of a memory. Its time is the time at which its text was last written.
func (r *Reader) episode(m memory) (graph.Episode, bool) {
	owner, id := string(cmp.Or(m.UserID, m.AgentID, m.AppID, m.RunID)), string(m.ID)
	at, timed := r.written(m)
	e := graph.Episode{
		GroupID: r.group(owner), Source: graph.SourceText, Content: cmp.Or(m.Memory, m.Data), Actor: string(m.ActorID), Role: m.Role,
		SourceDescription: "a memory of Mem0", ThreadID: string(m.RunID), OccurredAt: at, ExternalID: "mem0:" + id, Metadata: m.metadata(),
	}
	switch {
	case r.Only != "" && owner != r.Only:
		r.Unmapped.Add("memory of another than --only", id)
	case id == "":
		r.Unmapped.Add("memory without an id", "")
	case strings.TrimSpace(e.Content) == "":
		r.Unmapped.Add("memory without a text", id)
	case !timed:
		r.Unmapped.Add("memory without a time", id)
	case r.expired(m):
		r.Unmapped.Add("memory that has expired", id)
	case e.GroupID == "":
		r.Unmapped.Add("memory of nobody; --as names the group for it", id)
	default:
		return e, r.Unmapped.Storable(e, "memory", id)
	}
	return e, false
}

// group returns the group of an owner.
func (r *Reader) group(owner string) string {
	namespace, several := strings.CutSuffix(r.GroupID, "*")
	if !several {
		return cmp.Or(r.GroupID, owner)
	}
	if owner == "" {
		return ""
	}
	return namespace + owner
}

// written returns the time at which the text of a memory was last written.
func (r *Reader) written(m memory) (time.Time, bool) {
	for _, text := range []string{m.UpdatedAt, m.CreatedAt} {
		if text == "" {
			continue
		}
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			return at.UTC(), true
		}
		if at, err := graph.ParseTime("created_at", text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// expired reports whether Mem0 no longer shows a memory: from the day after its last day.
func (r *Reader) expired(m memory) bool {
	now := r.Now
	if now.IsZero() {
		now = time.Now()
	}
	last, err := time.Parse(time.DateOnly, m.Expires[:min(len(m.Expires), len(time.DateOnly))])
	return err == nil && now.After(last.AddDate(0, 0, 1))
}

// metadata returns the user's metadata and Mem0's fields.
func (m memory) metadata() json.RawMessage {
	all := map[string]any{}
	for name, value := range map[string]string{
		"user_id": string(m.UserID), "agent_id": string(m.AgentID), "run_id": string(m.RunID), "app_id": string(m.AppID), "expiration_date": m.Expires,
	} {
		if value != "" {
			all[name] = value
		}
	}
	if len(m.Categories) > 0 {
		all["categories"] = m.Categories
	}
	if m.CreatedAt != "" && m.UpdatedAt != "" && m.UpdatedAt != m.CreatedAt {
		all["created_at"] = m.CreatedAt
	}
	for name, value := range m.Metadata {
		all[name] = value
	}
	if len(all) == 0 {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil // it was read as JSON, so this does not fail
	}
	return text
}

// NewReader reads what Mem0's clients list or export: a list of memories, an object with a list
// named results or memories, or a sequence of objects.
func NewReader(r io.Reader, o Options) *Reader {
	out := &Reader{Options: o}
	out.next = (&listed{Elements: archive.NewElements(r), unmapped: &out.Unmapped}).next
	return out
}
