package archive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// Source says what to export.
type Source struct {
	GroupID    string
	Vectors    bool   // the vectors too, which else are made anew
	Embedder   string // that makes them
	Dimensions int
}

// Summary is what was moved.
type Summary struct {
	GroupID string           `json:"group"`
	Rows    map[string]int64 `json:"rows"` // by table
	Lines   int64            `json:"lines"`
	SHA256  string           `json:"sha256"` // of all lines but the last

	Erased    []uuid.UUID `json:"erased,omitempty"`    // episodes of an import that were erased before, and are again
	Withdrawn []uuid.UUID `json:"withdrawn,omitempty"` // facts of an import that were withdrawn before, and are again

	Unmapped Unmapped `json:"unmapped,omitempty"` // what another program's export has that has no place here
	There    bool     `json:"there,omitempty"`    // all of another program's export was there already; nothing was stored
}

// Export writes a group, as it stands at one moment, to w. It fails with
// [graph.CodeNotFound] where there is no such group. Its memory does not depend
// on the size of the group.
func Export(ctx context.Context, pool db.Pool, s Source, w io.Writer) (Summary, error) {
	out := newWriter(w, s.GroupID)
	err := db.InSnapshot(ctx, pool, "", func(q *db.Queries) error {
		if _, err := q.ExportStyle(ctx); err != nil {
			return fmt.Errorf("prepare the export: %w", err)
		}
		if there, err := q.GroupExists(ctx, s.GroupID); err != nil {
			return err
		} else if !there {
			return &graph.Error{Code: graph.CodeNotFound, Field: "group", Message: s.GroupID + " has nothing to export"}
		}
		return out.group(ctx, q, s)
	})
	return out.summary, err
}

// writer writes lines and remembers what it wrote.
type writer struct {
	w       *bufio.Writer
	hash    hash.Hash
	summary Summary
}

func newWriter(w io.Writer, groupID string) *writer {
	return &writer{w: bufio.NewWriterSize(w, 1<<16), hash: sha256.New(), summary: Summary{GroupID: groupID, Rows: map[string]int64{}}}
}

func (w *writer) group(ctx context.Context, q *db.Queries, s Source) error {
	if err := w.json(Header{
		Annals: formatName, Version: Version, Schema: migrations.Newest(), Group: s.GroupID,
		Embedder: s.Embedder, Dimensions: s.Dimensions, Vectors: s.Vectors,
	}); err != nil {
		return err
	}
	for _, table := range db.MovedTables {
		if table.Vectors && !s.Vectors {
			continue
		}
		prefix := `{"table":"` + table.Name + `","row":`
		err := q.ExportRows(ctx, table, s.GroupID, s.Embedder, func(row []byte) error {
			w.summary.Rows[table.Name]++
			return w.line(prefix, row, "}\n")
		})
		if err != nil {
			return err
		}
	}
	return w.end()
}

// line writes a line, given in parts.
func (w *writer) line(prefix string, row []byte, suffix string) error {
	w.summary.Lines++
	for _, part := range [][]byte{[]byte(prefix), row, []byte(suffix)} {
		_, _ = w.hash.Write(part)
		if _, err := w.w.Write(part); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
	}
	return nil
}

func (w *writer) json(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return w.line("", text, "\n")
}

// end writes the last line.
func (w *writer) end() error {
	before := w.summary.Lines
	w.summary.SHA256 = hex.EncodeToString(w.hash.Sum(nil))
	if err := w.json(trailer{Lines: before, SHA256: w.summary.SHA256}); err != nil {
		return err
	}
	w.summary.Lines = before
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return nil
}
