package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// spool keeps the rows of another program's export in files until all references are known. Only
// ids and times are in memory.
type spool struct {
	Conversion
	dir                    string
	user                   *dumpedUser
	graph                  *dumpedGraph
	threads                map[string]time.Time // the start of each thread
	episodes, nodes, edges *list
	episodeIDs, nodeIDs    map[uuid.UUID]bool
	edgeIDs                map[uuid.UUID]bool
	mentions               [][2]uuid.UUID       // pairs of episode and node
	byNumber               map[string]uuid.UUID // ids by Neo4j's numbers
	began                  map[begun]uuid.UUID  // the only edge with that start; Nil: there are several
	named                  map[string]bool      // the groups of the rows
	unmapped               Unmapped
}

// list is a file of rows, each a JSON value.
type list struct {
	file *os.File
	to   *bufio.Writer
}

func newSpool(c Conversion) (*spool, error) {
	dir, err := os.MkdirTemp("", "annals-import-")
	if err != nil {
		return nil, fmt.Errorf("make room for the import: %w", err)
	}
	s := &spool{
		Conversion: c, dir: dir, threads: map[string]time.Time{}, byNumber: map[string]uuid.UUID{}, began: map[begun]uuid.UUID{}, named: map[string]bool{},
		episodeIDs: map[uuid.UUID]bool{}, nodeIDs: map[uuid.UUID]bool{}, edgeIDs: map[uuid.UUID]bool{},
	}
	for name, to := range map[string]**list{"episodes": &s.episodes, "nodes": &s.nodes, "edges": &s.edges} {
		if *to, err = newList(filepath.Join(dir, name)); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func newList(path string) (*list, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make room for the import: %w", err)
	}
	return &list{file, bufio.NewWriterSize(file, 1<<16)}, nil
}

// close removes the files.
func (s *spool) close() {
	for _, l := range []*list{s.episodes, s.nodes, s.edges} {
		if l != nil {
			_ = l.file.Close()
		}
	}
	_ = os.RemoveAll(s.dir)
}

func (l *list) add(row any) error {
	if err := json.NewEncoder(l.to).Encode(row); err != nil {
		return fmt.Errorf("keep a row of the import: %w", err)
	}
	return nil
}

// each calls do for the rows of a list, from the first one.
func each[Row any](l *list, do func(Row) error) error {
	if err := l.to.Flush(); err != nil {
		return fmt.Errorf("keep the rows of the import: %w", err)
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read the rows of the import again: %w", err)
	}
	rows := json.NewDecoder(bufio.NewReaderSize(l.file, 1<<16))
	for {
		var row Row
		if err := rows.Decode(&row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read the rows of the import again: %w", err)
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

// read reads a file: one object with lists, or Neo4j's nodes and relationships, in a list or one
// after the other.
func (s *spool) read(r io.Reader) error {
	in := NewElements(r)
	for first := true; ; first = false {
		token, err := in.Next()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		switch {
		case errors.Is(err, io.EOF):
			err = graph.Invalid("import", "the file is empty; it must be a JSON object")
		case err != nil:
		case token == json.Delim('{'):
			err = s.object(in)
		case token == json.Delim('['):
			err = in.Rest(s.numbered)
		default:
			err = graph.Invalid("import", "the file is no JSON object")
		}
		if err != nil {
			return err
		}
	}
}

// object reads an object: a whole export, or a node or relationship of Neo4j.
func (s *spool) object(in *Elements) error {
	rest := map[string]json.RawMessage{}
	lists := map[string]func(json.RawMessage) error{
		"episodes": taking(s, s.takeEpisode), "nodes": s.node, "edges": taking(s, s.takeEdge), "rels": s.numbered, "relationships": s.numbered, "threads": taking(s, s.takeThread),
	}
	for in.More() {
		key, err := in.Next()
		if err != nil {
			return err
		}
		name := snake(fmt.Sprint(key))
		if take := lists[name]; take != nil {
			err = in.List(take)
		} else {
			rest[name], err = in.Value()
		}
		if err != nil {
			return err
		}
	}
	if err := in.End(); err != nil {
		return err
	}
	if _, ok := rest["properties"]; ok {
		text, err := json.Marshal(rest)
		if err != nil {
			return fmt.Errorf("read the export: %w", err)
		}
		return s.numbered(text)
	}
	return s.owner(rest)
}

// owner reads the user and the graph of the export.
func (s *spool) owner(rest map[string]json.RawMessage) (err error) {
	if raw := rest["user"]; raw != nil {
		if s.user, err = decoded[*dumpedUser](s, raw); err != nil {
			return err
		}
	}
	if raw := rest["graph"]; raw != nil {
		if s.graph, err = decoded[*dumpedGraph](s, raw); err != nil {
			return err
		}
	}
	if s.user != nil && s.user.UserID != "" {
		s.named[s.user.UserID] = true
	}
	if s.graph != nil && s.graph.GraphID != "" {
		s.named[s.graph.GraphID] = true
	}
	return nil
}

// decoded decodes a value with the field names of any of the clients.
func decoded[T any](s *spool, raw json.RawMessage) (T, error) {
	var out T
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	if err == nil {
		raw, err = json.Marshal(snakeCased(value))
	}
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		return out, graph.Invalid("import", "the file is not what %s exports, {\"episodes\": […], \"nodes\": […], \"edges\": […]}: %v", s.From, err)
	}
	return out, nil
}

// ours reports whether a row belongs to the group that is read.
func (s *spool) ours(group, kind, example string) bool {
	if s.Only != "" && group != "" && group != s.Only {
		s.unmapped.Add(kind+" of another group", example)
		return false
	}
	if group != "" {
		s.named[group] = true
	}
	return true
}

// fresh reports whether an id is set and occurs for the first time.
func (s *spool) fresh(known map[uuid.UUID]bool, id uuid.UUID, kind, example string) bool {
	switch {
	case id == uuid.Nil:
		s.unmapped.Add(kind+" without an id", example)
	case known[id]:
		s.unmapped.Add(kind+" that is there twice", example)
	default:
		known[id] = true
		return true
	}
	return false
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// taking makes a function that decodes a value and passes it to take.
func taking[T any](s *spool, take func(T) error) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		row, err := decoded[T](s, raw)
		if err != nil {
			return err
		}
		return take(row)
	}
}

func (s *spool) takeThread(t dumpedThread) error {
	if t.ThreadID != "" {
		s.threads[t.ThreadID] = t.CreatedAt.Time
	}
	return nil
}

func (s *spool) takeEpisode(e dumpedEpisode) error {
	id := e.UUID.String()
	switch {
	case !s.ours(e.GroupID, "episode", id):
		return nil
	case blank(e.Content):
		s.unmapped.Add("episode without a text", id)
		return nil
	case strings.ContainsRune(e.Content, 0):
		s.unmapped.Add("episode with a NUL in its text", id)
		return nil
	case !s.fresh(s.episodeIDs, e.UUID, "episode", e.Name):
		return nil
	}
	if at, known := s.threads[e.ThreadID]; e.ThreadID != "" && (!known || at.IsZero()) {
		s.threads[e.ThreadID] = e.CreatedAt.Time
	}
	return s.episodes.add(e)
}

func (s *spool) node(raw json.RawMessage) error {
	if isNumbered(raw) {
		return s.numbered(raw)
	}
	return taking(s, s.takeNode)(raw)
}

func (s *spool) takeNode(n dumpedNode) error {
	id := n.UUID.String()
	switch {
	case !s.ours(n.GroupID, "node", id):
		return nil
	case blank(n.Name):
		s.unmapped.Add("node without a name", id)
		return nil
	case len(n.Name) > graph.MaxName || strings.ContainsRune(n.Name, 0):
		s.unmapped.Add(fmt.Sprintf("node whose name is over %d bytes or has a NUL", graph.MaxName), id)
		return nil
	case !s.fresh(s.nodeIDs, n.UUID, "node", n.Name):
		return nil
	}
	if n.Truncated {
		s.unmapped.Add("node with more episodes than its list names; those of its edges are kept", id)
	}
	return s.nodes.add(n)
}

func (s *spool) takeEdge(e dumpedEdge) error {
	if id := e.UUID.String(); !s.ours(e.GroupID, "edge", id) || !s.fresh(s.edgeIDs, e.UUID, "edge", e.Fact) {
		return nil
	}
	return s.edges.add(e)
}

// settle keeps the edges whose nodes exist, once all nodes are known.
func (s *spool) settle() error {
	kept, err := newList(filepath.Join(s.dir, "kept"))
	if err != nil {
		return err
	}
	read := s.edges
	s.edges = kept
	defer read.file.Close()
	return each(read, func(e dumpedEdge) error {
		switch {
		case blank(e.Fact) || strings.ContainsRune(e.Fact, 0):
			s.unmapped.Add("edge without a text", e.UUID.String())
			return nil
		case e.Source == e.Target:
			s.unmapped.Add("edge from a node to itself", e.UUID.String())
			return nil
		case !s.nodeIDs[e.Source] || !s.nodeIDs[e.Target]:
			s.unmapped.Add("edge to a node that is not there", e.UUID.String())
			return nil
		}
		if !e.ValidAt.IsZero() {
			at := begun{e.Source, strings.ToUpper(e.Name), e.ValidAt.UTC()}
			if _, another := s.began[at]; another {
				s.began[at] = uuid.Nil
			} else {
				s.began[at] = e.UUID
			}
		}
		return kept.add(e)
	})
}
