package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const (
	maxFileBytes = 16 << 20
	chunkBytes   = 1000 // bytes of a chunk of a document, about 250 tokens
	chunkBatch   = 200  // chunks that are embedded together
)

// File is a document that is attached to an agent. Its JSON form has no text; see [Agent.FileText].
type File struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Lines     int       `json:"lines"`
	Chunks    int       `json:"chunks"` // number of chunks, by which it is searched
	Open      bool      `json:"open"`   // whether some of its lines are in the context
	CreatedAt time.Time `json:"created_at"`
}

func readFile(r db.AgentFilesRow) File {
	return File{ID: r.ID, Name: r.Name, Lines: int(r.Lines), Chunks: int(r.Chunks), Open: r.OpenFrom != nil, CreatedAt: r.CreatedAt.UTC()}
}

type part struct {
	text        string
	first, last int // numbers of lines, from 0
}

// parts splits a document between lines, and long lines between words.
func parts(text string) []part {
	var all []part
	var b strings.Builder
	first, n := 0, 0
	flush := func(last int) {
		if strings.TrimSpace(b.String()) != "" {
			all = append(all, part{strings.TrimRight(b.String(), "\n"), first, last})
		}
		b.Reset()
	}
	for line := range strings.Lines(text) {
		if b.Len() > 0 && b.Len()+len(line) > chunkBytes {
			flush(n - 1)
		}
		if b.Len() == 0 {
			first = n
		}
		for len(line) > chunkBytes {
			at := strings.LastIndexByte(line[:chunkBytes], ' ') + 1
			if at == 0 {
				at = len(strings.ToValidUTF8(line[:chunkBytes], ""))
			}
			b.WriteString(line[:at])
			flush(n)
			first, line = n, line[at:]
		}
		b.WriteString(line)
		n++
	}
	flush(max(n-1, 0))
	return all
}

// Attach attaches a document of at most 16 MiB to an agent, which can then open and search it. name
// has 1 to 512 bytes. It fails with [graph.CodeConflict] if the name is taken.
func (a *Agent) Attach(ctx context.Context, name, text string) (File, error) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	switch {
	case name == "" || len(name) > 512:
		return File{}, graph.Invalid("file_name", "must have 1 to 512 bytes")
	case strings.TrimSpace(text) == "":
		return File{}, graph.Invalid("file", "%s is empty", name)
	case len(text) > maxFileBytes:
		return File{}, graph.Invalid("file", "%s has %d bytes; the limit is %d", name, len(text), maxFileBytes)
	}
	if err := validText("file_name", name); err != nil {
		return File{}, err
	}
	chunks := parts(text)
	episodes, vectors, err := a.chunkEpisodes(ctx, name, chunks)
	if err != nil {
		return File{}, err
	}
	id := uuid.Must(uuid.NewV7())
	err = a.change(ctx, -1, func(w *writing) error {
		if err := w.q.AgentFileInsert(ctx, db.AgentFileInsertParams{
			GroupID: a.GroupID, AgentID: a.ID, ID: id, Name: name, Content: text,
			Lines: int32(lineCount(text)), Chunks: int32(len(chunks)),
		}); err != nil {
			return err
		}
		for i, e := range episodes {
			if err := w.store(ctx, e, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if uniqueViolation(err) {
		return File{}, change.Conflict("file_name", "there is a document %q already; detach it first", name)
	}
	if err != nil {
		return File{}, fmt.Errorf("attach %s: %w", name, err)
	}
	return File{ID: id, Name: name, Lines: lineCount(text), Chunks: len(chunks), CreatedAt: a.agents.options.Now().UTC()}, nil
}

func lineCount(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// chunkEpisodes makes the episodes, with vectors, by which search finds parts of a document.
func (a *Agent) chunkEpisodes(ctx context.Context, name string, chunks []part) ([]annals.Episode, [][][]float32, error) {
	episodes, vectors := make([]annals.Episode, len(chunks)), make([][][]float32, 0, len(chunks))
	now := a.agents.options.Now()
	for begin := 0; begin < len(chunks); begin += chunkBatch {
		end := min(begin+chunkBatch, len(chunks))
		for i := begin; i < end; i++ {
			c := chunks[i]
			e, err := a.passage(filesThread(a.ID), c.text, map[string]any{"file": name, "first_line": c.first, "last_line": c.last})
			if err != nil {
				return nil, nil, err
			}
			e.Name, e.OccurredAt = name, now
			episodes[i] = e
		}
		made, err := a.embed(ctx, episodes[begin:end]...)
		if err != nil {
			return nil, nil, fmt.Errorf("make the vectors of %s: %w", name, err)
		}
		vectors = append(vectors, made...)
	}
	return episodes, vectors, nil
}

// Detach removes a document from the agent. It fails with [graph.CodeNotFound] if there is none.
func (a *Agent) Detach(ctx context.Context, name string) error {
	if err := validText("file_name", name); err != nil {
		return err
	}
	gone, err := ask(ctx, a.client().InGroup, a.GroupID, func(q *db.Queries) (int64, error) {
		gone, err := q.AgentFileDelete(ctx, db.AgentFileDeleteParams{GroupID: a.GroupID, AgentID: a.ID, Name: name})
		if err != nil {
			return 0, err
		}
		_, err = q.AgentFileChunksDelete(ctx, db.AgentFileChunksDeleteParams{GroupID: a.GroupID, ThreadID: filesThread(a.ID), Name: name})
		return gone, err
	})
	if err != nil {
		return fmt.Errorf("detach %s: %w", name, err)
	}
	if gone == 0 {
		return noFile(name)
	}
	return nil
}

func noFile(name string) error { return change.NotFound("file_name", "there is no document %q", name) }

// Files lists the attached documents.
func (a *Agent) Files(ctx context.Context) ([]File, error) {
	rows, err := read(ctx, a, func(q *db.Queries) ([]db.AgentFilesRow, error) {
		return q.AgentFiles(ctx, db.AgentFilesParams{GroupID: a.GroupID, AgentID: a.ID})
	})
	if err != nil {
		return nil, fmt.Errorf("list the documents of %s: %w", a.Name, err)
	}
	return each.Of(rows, readFile), nil
}

// FileText returns the whole text of an attached document. It fails with [graph.CodeNotFound] if
// there is none.
func (a *Agent) FileText(ctx context.Context, name string) (string, error) {
	row, err := read(ctx, a, func(q *db.Queries) (db.AgentFileGetRow, error) { return a.file(ctx, q, name) })
	return row.Content, err
}

func (a *Agent) file(ctx context.Context, q *db.Queries, name string) (db.AgentFileGetRow, error) {
	if err := validText("file_name", name); err != nil {
		return db.AgentFileGetRow{}, err
	}
	row, err := q.AgentFileGet(ctx, db.AgentFileGetParams{GroupID: a.GroupID, AgentID: a.ID, Name: name})
	if errors.Is(err, pgx.ErrNoRows) {
		return row, noFile(name)
	}
	if err != nil {
		return row, fmt.Errorf("read %s: %w", name, err)
	}
	return row, nil
}
