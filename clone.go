package annals

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/archive"
)

// Clone copies a group with its graph, history and vectors into one that is not
// there yet; else that is a [CodeConflict]. The rows of the copy have ids of
// their own, in the same order. What was spent on models is not copied, and
// conversations that were made are the original's alone.
func (c *Client) Clone(ctx context.Context, from, to string) error {
	if err := c.unbound(); err != nil {
		return err
	}
	defer c.wrote(to)
	source, err := c.Group(ctx, from)
	if err != nil {
		return err
	}
	if _, err := c.CreateGroup(ctx, Group{ID: to, Kind: source.Kind, Force: true}); err != nil {
		return err
	}
	if err := c.copyGroup(ctx, from, to); err != nil {
		return fmt.Errorf("clone %s: %w", from, err)
	}
	return nil
}

func (c *Client) copyGroup(ctx context.Context, from, to string) error {
	exported, export := io.Pipe()
	rewritten, rewrite := io.Pipe()
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		_, err := c.Export(ctx, from, export, ExportOptions{Vectors: true})
		return closed(export, err)
	})
	work.Go(func() error {
		err := archive.Rewrite(exported, rewrite, reidentified(to))
		_ = exported.CloseWithError(err)
		return closed(rewrite, err)
	})
	work.Go(func() error {
		_, err := c.Import(ctx, rewritten, ImportOptions{GroupID: to})
		_ = rewritten.CloseWithError(err)
		return err
	})
	return work.Wait()
}

func closed(w *io.PipeWriter, err error) error {
	_ = w.CloseWithError(err) // nil is the end
	return err
}

// verbatim are the columns that users fill, in which ids are words like others.
var verbatim = []string{"content", "metadata", "attributes", "name", "summary", "fact", "aliases", "labels", "external_id", "thread_id", "actor", "role"}

// reidentified gives rows other ids, the same for the same.
func reidentified(to string) func(string, archive.Row) (bool, error) {
	return func(table string, row archive.Row) (bool, error) {
		if table == "model_calls" {
			return false, nil
		}
		if table == "threads" {
			delete(row, "created_at")
		}
		for column, value := range row {
			if contains(verbatim, column) || table == "threads" && column == "id" || table == "templates" && column == "id" {
				continue
			}
			var v any
			decoder := json.NewDecoder(bytes.NewReader(value))
			decoder.UseNumber()
			if err := decoder.Decode(&v); err != nil {
				return false, fmt.Errorf("read %s of %s: %w", column, table, err)
			}
			text, err := json.Marshal(otherIDs(v, to))
			if err != nil {
				return false, fmt.Errorf("write %s of %s: %w", column, table, err)
			}
			row[column] = text
		}
		return true, nil
	}
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// otherIDs replaces the ids in a JSON value.
func otherIDs(v any, to string) any {
	switch v := v.(type) {
	case string:
		return otherID(v, to)
	case []any:
		for i := range v {
			v[i] = otherIDs(v[i], to)
		}
	case map[string]any:
		for key := range v {
			v[key] = otherIDs(v[key], to)
		}
	}
	return v
}

// otherID makes another UUIDv7 of one, which keeps its place among them: the
// time and the counter of the first eight bytes stay.
func otherID(text, to string) string {
	if len(text) != 36 || strings.Count(text, "-") != 4 {
		return text
	}
	id, err := uuid.Parse(text)
	if err != nil || id == uuid.Nil {
		return text
	}
	hash := sha256.Sum256(append([]byte(to+"\x00"), id[:]...))
	copy(id[8:], hash[:8])
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}
