package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Row maps the columns of a row of an export to their values.
type Row map[string]json.RawMessage

// Rewrite copies an export and calls change for each row, which may change the row, or drop it by
// returning false. The result is an export with a new checksum.
func Rewrite(r io.Reader, w io.Writer, change func(table string, row Row) (bool, error)) error {
	in := newReader(r)
	header, err := in.header()
	if err != nil {
		return err
	}
	out, err := NewWriter(w, header)
	if err != nil {
		return err
	}
	err = in.each(func(r row) error {
		columns := Row{}
		if err := json.NewDecoder(bytes.NewReader(r.row)).Decode(&columns); err != nil {
			return damaged("a row of %s is no JSON object", r.table.Name)
		}
		keep, err := change(r.table.Name, columns)
		if err != nil || !keep {
			return err
		}
		return out.Row(r.table.Name, columns)
	})
	if err != nil {
		return err
	}
	_, err = out.End()
	return err
}

// Writer writes an export row by row. Rows must be in the order of db.MovedTables.
type Writer struct{ w *writer }

// NewWriter writes the header of an export and returns a writer for the rows.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Annals, h.Version = formatName, Version
	out := &Writer{newWriter(w, h.Group)}
	return out, out.w.json(h)
}

// Row writes a row: any value that encodes to a JSON object with the columns of the table.
func (w *Writer) Row(table string, row any) error {
	text, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("write a row of %s: %w", table, err)
	}
	w.w.summary.Rows[table]++
	return w.w.line(`{"table":"`+table+`","row":`, text, "}\n")
}

// End writes the last line and returns the summary.
func (w *Writer) End() (Summary, error) {
	err := w.w.end()
	return w.w.summary, err
}
