package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/migrations"
)

// maxLine is the length of the longest line that is read. PostgreSQL stores no longer row, so a
// longer line is no export.
const maxLine = 512 << 20

// reader reads lines and computes their checksum.
type reader struct {
	r     *bufio.Reader
	hash  hash.Hash
	lines int64 // read so far
	line  []byte
	table int    // the index in db.MovedTables of the last row's table
	sum   string // the checksum, once it was verified
}

func newReader(r io.Reader) *reader {
	return &reader{r: bufio.NewReaderSize(r, 1<<16), hash: sha256.New()}
}

// read reads a line into r.line, or returns [io.EOF].
func (r *reader) read() error {
	r.line = r.line[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, io.EOF) && len(r.line) == 0:
			return io.EOF
		case errors.Is(err, io.EOF):
			return damaged("it ends in the middle of line %d", r.lines+1)
		case !errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("read the export: %w", err)
		case len(r.line) > maxLine:
			return damaged("line %d does not end", r.lines+1)
		}
	}
}

// count adds the line to the checksum.
func (r *reader) count() {
	_, _ = r.hash.Write(r.line)
	r.lines++
}

// header reads the first line. It fails unless this program can read the file.
func (r *reader) header() (Header, error) {
	var h Header
	err := r.read()
	if errors.Is(err, io.EOF) {
		return h, graph.Invalid("import", "the file is empty")
	}
	if err != nil {
		return h, err
	}
	r.count()
	if err := json.Unmarshal(r.line, &h); err != nil {
		return h, graph.Invalid("import", "this is no export of Annals: its first line is no JSON object")
	}
	return h, h.check(migrations.Newest())
}

// row is a row and its table.
type row struct {
	table db.MovedTable
	row   []byte
}

// next returns the next row. At the end of a complete file it returns [io.EOF].
func (r *reader) next() (row, error) {
	err := r.read()
	if errors.Is(err, io.EOF) {
		return row{}, damaged("it ends after line %d, before its last line", r.lines)
	}
	if err != nil {
		return row{}, err
	}
	var line struct {
		Table string          `json:"table"`
		Row   json.RawMessage `json:"row"`

		Lines  *int64 `json:"lines"` // only in the last line, which has no table
		SHA256 string `json:"sha256"`
	}
	if err := json.Unmarshal(r.line, &line); err != nil {
		return row{}, damaged("line %d is no JSON object", r.lines+1)
	}
	if line.Lines != nil {
		return row{}, r.end(trailer{Lines: *line.Lines, SHA256: line.SHA256})
	}
	r.count()
	return r.place(line.Table, line.Row)
}

// place finds the table of a row. Tables have a fixed order.
func (r *reader) place(name string, text []byte) (row, error) {
	for i := r.table; i < len(db.MovedTables); i++ {
		if db.MovedTables[i].Name == name {
			r.table = i
			return row{db.MovedTables[i], text}, nil
		}
	}
	return row{}, damaged("line %d is of %q, which does not belong there", r.lines, name)
}

// end compares the lines with the trailer.
func (r *reader) end(t trailer) error {
	switch {
	case t.Lines != r.lines:
		return damaged("line %d is its last, in place of %d", r.lines, t.Lines)
	case t.SHA256 != hex.EncodeToString(r.hash.Sum(nil)):
		return damaged("its checksum is wrong")
	}
	r.sum = t.SHA256
	if rest, err := io.Copy(io.Discard, r.r); err != nil {
		return fmt.Errorf("read the export: %w", err)
	} else if rest > 0 {
		return damaged("something follows its last line (bytes: %d)", rest)
	}
	return io.EOF
}

// each calls do for the rows up to the end of a complete file.
func (r *reader) each(do func(row) error) error {
	for {
		next, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(next)
		}
		if err != nil {
			return err
		}
	}
}

// verify reads to the end for the checksum, and returns what is wrong with the file; nil if it is
// right.
func (r *reader) verify() error { return r.each(func(row) error { return nil }) }

// batch collects rows of one table as a JSON list.
type batch struct {
	table db.MovedTable
	rows  int
	list  bytes.Buffer
}

// The limits on one statement, which bound the memory use.
const (
	batchRows  = 1000
	batchBytes = 4 << 20
)

func (b *batch) full() bool { return b.rows >= batchRows || b.list.Len() >= batchBytes }

func (b *batch) add(r row) {
	b.table = r.table
	if b.rows == 0 {
		b.list.Reset()
		b.list.WriteByte('[')
	} else {
		b.list.WriteByte(',')
	}
	b.list.Write(r.row)
	b.rows++
}

// take returns the list and empties the batch.
func (b *batch) take() []byte {
	b.list.WriteByte(']')
	b.rows = 0
	return b.list.Bytes()
}
