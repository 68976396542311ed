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

// Source describes what to export.
type Source struct {
	GroupID    string
	Vectors    bool   // include the vectors, which are otherwise computed again
	Embedder   string // the embedder of the vectors
	Dimensions int
}

// Summary describes what was exported or imported.
type Summary struct {
	GroupID string           `json:"group"`
	Rows    map[string]int64 `json:"rows"` // by table
	Lines   int64            `json:"lines"`
	SHA256  string           `json:"sha256"` // of all lines except the last

	Erased    []uuid.UUID `json:"erased,omitempty"`    // episodes of the file that had been erased, and were erased again
	Withdrawn []uuid.UUID `json:"withdrawn,omitempty"` // facts of the file that had been withdrawn, and were withdrawn again

	Unmapped Unmapped `json:"unmapped,omitempty"` // what another program's export has and Annals has no place for
	There    bool     `json:"there,omitempty"`    // the group had all of another program's export already, so nothing was stored
}

// Export writes a snapshot of a group to w. It fails with [graph.CodeNotFound] if there is no such
// group. Its memory use does not depend on the size of the group.
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

// writer writes lines, and counts and hashes them.
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

// line writes a line that is given in parts.
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
