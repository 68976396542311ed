package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Look reads an export to its end and returns what it holds, without a database. Like [Import], it
// fails if the file is wrong.
func Look(r io.Reader, groupID string) (Summary, error) {
	in := newReader(r)
	header, err := in.header()
	if err != nil {
		return Summary{}, err
	}
	s := Summary{GroupID: header.Group, Rows: map[string]int64{}}
	if groupID != "" {
		s.GroupID = groupID
	}
	err = in.each(func(r row) error {
		s.Rows[r.table.Name]++
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	s.Lines, s.SHA256 = in.lines, in.sum
	return s, nil
}

// lookFor finds out whether a group that has data has all of the file already.
func (in *importer) lookFor(ctx context.Context, q *db.Queries) error {
	var ids []uuid.UUID
	var there, all int64
	count := func() error {
		found, err := q.ImportPresent(ctx, db.ImportPresentParams{GroupID: in.summary.GroupID, Ids: ids})
		if err != nil {
			return fmt.Errorf("look for what %s has: %w", in.summary.GroupID, err)
		}
		there, all, ids = there+found, all+int64(len(ids)), ids[:0]
		return nil
	}
	err := in.each(func(r row) error {
		if !slices.Contains([]string{"episodes", "entities", "facts"}, r.table.Name) {
			return nil
		}
		var identified struct{ ID uuid.UUID }
		if err := json.Unmarshal(r.row, &identified); err != nil {
			return damaged("a row of %s has no id", r.table.Name)
		}
		if ids = append(ids, identified.ID); len(ids) == batchRows {
			return count()
		}
		return nil
	})
	if err == nil {
		err = count()
	}
	if err != nil {
		return err
	}
	if there < all || all == 0 {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "group", Message: fmt.Sprintf("%s is not empty, and has %d of the %d that the file has of episodes, nodes and edges; import it into another one with --as, or erase it first",
				in.summary.GroupID, there, all),
		}
	}
	in.summary.There, in.summary.Lines = true, in.lines
	return nil
}
