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
func Export(ctx context.Context, pool db.Pool, s Source, w io.Writer) (summary Summary, err error) {
	err = db.InSnapshot(ctx, pool, "", func(q *db.Queries) error {
		if _, err := q.ExportStyle(ctx); err != nil {
			return fmt.Errorf("prepare the export: %w", err)
		}
		if there, err := q.GroupExists(ctx, s.GroupID); err != nil {
			return err
		} else if !there {
			return &graph.Error{Code: graph.CodeNotFound, Field: "group", Message: s.GroupID + " has nothing to export"}
		}
		summary, err = s.write(ctx, q, w)
		return err
	})
	return summary, err
}

func (s Source) write(ctx context.Context, q *db.Queries, w io.Writer) (Summary, error) {
	out, err := NewWriter(w, Header{Schema: migrations.Newest(), Group: s.GroupID, Embedder: s.Embedder, Dimensions: s.Dimensions, Vectors: s.Vectors})
	if err != nil {
		return Summary{}, err
	}
	for _, table := range db.MovedTables {
		if table.Vectors && !s.Vectors {
			continue
		}
		if err := q.ExportRows(ctx, table, s.GroupID, s.Embedder, func(row []byte) error { return out.row(table.Name, row) }); err != nil {
			return Summary{}, err
		}
	}
	return out.End()
}

// Writer writes an export row by row, and counts and hashes its lines. Rows must be in the order of
// db.MovedTables.
type Writer struct {
	w       *bufio.Writer
	hash    hash.Hash
	summary Summary
}

// NewWriter writes the header of an export and returns a writer for the rows.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Annals, h.Version = formatName, Version
	out := &Writer{w: bufio.NewWriterSize(w, 1<<16), hash: sha256.New(), summary: Summary{GroupID: h.Group, Rows: map[string]int64{}}}
	return out, out.json(h)
}

// Row writes a row: any value that encodes to a JSON object with the columns of the table.
func (w *Writer) Row(table string, row any) error {
	text, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("write a row of %s: %w", table, err)
	}
	return w.row(table, text)
}

func (w *Writer) row(table string, row []byte) error {
	w.summary.Rows[table]++
	return w.line(`{"table":"`+table+`","row":`, row, "}\n")
}

// line writes a line that is given in parts.
func (w *Writer) line(prefix string, row []byte, suffix string) error {
	w.summary.Lines++
	for _, part := range [][]byte{[]byte(prefix), row, []byte(suffix)} {
		_, _ = w.hash.Write(part)
		if _, err := w.w.Write(part); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
	}
	return nil
}

func (w *Writer) json(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return w.line("", text, "\n")
}

// End writes the last line and returns the summary.
func (w *Writer) End() (Summary, error) {
	summary := w.summary
	summary.SHA256 = hex.EncodeToString(w.hash.Sum(nil))
	if err := w.json(trailer{Lines: summary.Lines, SHA256: summary.SHA256}); err != nil {
		return summary, err
	}
	if err := w.w.Flush(); err != nil {
		return summary, fmt.Errorf("write the export: %w", err)
	}
	return summary, nil
}
