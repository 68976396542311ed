package archive

import (
	"bytes"
	"encoding/json"
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
