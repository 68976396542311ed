package zepcloud

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// state is the stored state of an export.
type state struct {
	URL      string     `json:"url"`
	Project  string     `json:"project"`        // a hash of its key
	Kind     string     `json:"kind,omitempty"` // kind of the only subject to export; empty: the whole project
	ID       string     `json:"id,omitempty"`
	Listed   bool       `json:"listed"`
	Subjects []*Subject `json:"subjects"`

	known map[[2]string]bool
}

// Subject is a user or a graph of a project.
type Subject struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`

	progress
	dir    string
	number int
}

// progress is the stored state of a subject. It has a file of its own, since a project may have
// many subjects.
type progress struct {
	Fetched  bool                `json:"fetched"`
	Imported string              `json:"imported,omitempty"` // the group it was imported into
	Head     json.RawMessage     `json:"head,omitempty"`
	Threads  json.RawMessage     `json:"threads,omitempty"`
	Lists    map[string]*rowList `json:"lists"`
}

// MarshalJSON omits the progress, which has its own file.
func (s *Subject) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"kind": s.Kind, "id": s.ID})
}

// rowList is the progress of fetching a list.
type rowList struct {
	Cursor string `json:"cursor,omitempty"` // of the next page
	Bytes  int64  `json:"bytes"`            // length of the whole pages in its file
	Rows   int64  `json:"rows"`
	Done   bool   `json:"done"`
}

const stateFile = "state.json"

// add adds a subject, unless it is already listed. Pages overlap if users were added while listing.
func (s *state) add(kind, id string) {
	if s.known == nil {
		s.known = map[[2]string]bool{}
	}
	if !s.known[[2]string{kind, id}] {
		s.known[[2]string{kind, id}] = true
		s.Subjects = append(s.Subjects, &Subject{Kind: kind, ID: id})
	}
}

// load reads the state of a previous export, if there is one.
func (e *Export) load() error {
	if err := os.MkdirAll(e.Dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the export: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(e.Dir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		e.state = state{URL: e.URL, Project: project(e.Key), Kind: e.Kind, ID: e.ID}
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &e.state)
	}
	if err != nil {
		return fmt.Errorf("read how far the export in %s has come: %w; name another folder with --state to begin anew", e.Dir, err)
	}
	if e.state.URL != e.URL || e.state.Project != project(e.Key) || e.state.Kind != e.Kind || e.state.ID != e.ID {
		return graph.Invalid("state", "%s holds an export of another project, user or graph, or one with another key; name another folder", e.Dir)
	}
	return nil
}

// project identifies a project by a hash of its key; the key itself is not stored.
func project(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// load reads the progress of a subject.
func (s *Subject) load() error {
	s.progress = progress{Lists: map[string]*rowList{}}
	text, err := os.ReadFile(s.path("state"))
	if err == nil {
		err = json.Unmarshal(text, &s.progress)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read how far the %s %s has come: %w; name another folder with --state to begin anew", s.Kind, s.ID, err)
	}
	for _, name := range lists {
		if s.Lists[name] == nil {
			s.Lists[name] = &rowList{}
		}
	}
	return nil
}

func (s *Subject) save() error { return save(s.path("state"), s.progress) }

// save stores a state completely, or leaves the previous one.
func save(path string, state any) error {
	text, err := json.Marshal(state)
	if err == nil {
		err = os.WriteFile(path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("note how far the export has come: %w", err)
	}
	return nil
}

// Done records that a subject was imported, so that it is not imported again, and removes its
// lists.
func (s *Subject) Done(group string) error {
	s.Imported = group
	if err := s.save(); err != nil {
		return err
	}
	for _, name := range lists {
		if err := os.Remove(s.path(name)); err != nil {
			return fmt.Errorf("remove what was fetched of %s: %w", s.ID, err)
		}
	}
	return nil
}

// Forget discards the progress of a subject, so that it is fetched anew.
func (s *Subject) Forget() error {
	s.progress = progress{}
	if err := os.Remove(s.path("state")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget how far the %s %s has come: %w", s.Kind, s.ID, err)
	}
	return nil
}

func (s *Subject) path(list string) string {
	return filepath.Join(s.dir, fmt.Sprintf("%d-%s.json", s.number, list))
}

// keep writes a page to the file of a list, after the last whole page.
func (s *Subject) keep(name string, rows []json.RawMessage) error {
	l := s.Lists[name]
	file, err := os.OpenFile(s.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep a page of %s: %w", name, err)
	}
	defer file.Close()
	var page strings.Builder
	for _, row := range rows {
		if l.Rows > 0 {
			page.WriteString(",\n")
		}
		page.Write(row)
		l.Rows++
	}
	if err := errors.Join(file.Truncate(l.Bytes), write(file, l.Bytes, page.String()), file.Sync()); err != nil {
		return fmt.Errorf("keep a page of %s: %w", name, err)
	}
	l.Bytes += int64(page.Len())
	return nil
}

func write(file *os.File, at int64, text string) error {
	_, err := file.WriteAt([]byte(text), at)
	return err
}

// Open returns the fetched user or graph as a file in the format that archive.FromZep reads.
func (s *Subject) Open() (io.ReadCloser, error) {
	head := fmt.Sprintf(`{%q: %s, "threads": %s`, s.Kind, s.Head, threadsOf(s.Threads))
	all := &whole{}
	parts := []io.Reader{strings.NewReader(head)}
	for _, name := range lists {
		file, err := os.Open(s.path(name))
		if err != nil {
			_ = all.Close()
			return nil, fmt.Errorf("read what was fetched of %s: %w", s.ID, err)
		}
		all.files = append(all.files, file)
		parts = append(parts, strings.NewReader(fmt.Sprintf(", %q: [", name)), io.LimitReader(file, s.Lists[name].Bytes), strings.NewReader("]"))
	}
	all.Reader = io.MultiReader(append(parts, strings.NewReader("}"))...)
	return all, nil
}

// threadsOf returns the list of threads in an answer of Zep, which is a list or an object with it.
func threadsOf(answer json.RawMessage) json.RawMessage {
	var object struct {
		Threads json.RawMessage `json:"threads"`
	}
	if json.Unmarshal(answer, &object) == nil && object.Threads != nil {
		return object.Threads
	}
	return answer
}

// whole reads several files as one.
type whole struct {
	io.Reader
	files []*os.File
}

// Close closes the files.
func (w *whole) Close() error {
	var err error
	for _, file := range w.files {
		err = errors.Join(err, file.Close())
	}
	return err
}
