package annals

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/engine/upkeep"
	"github.com/annalsdb/annals/internal/archive"
)

// Moved is what an export or an import moved: rows by table, and the checksum.
type Moved = archive.Summary

// ExportOptions selects what an export contains beside the rows.
type ExportOptions struct {
	// Vectors exports the vectors too. The file is several times as long, and the import need not
	// make them anew.
	Vectors bool
}

// Export writes a group, as it stands at one moment, to w as lines of JSON: episodes, graph,
// history, communities, threads, ontology, settings, traces and the ledger of model calls, with ids
// and times unchanged. Package archive describes the format. The last line has a checksum of all
// others. Export streams, whatever the size of the group. It fails with [CodeNotFound] if the group
// does not exist.
func (c *Client) Export(ctx context.Context, groupID string, w io.Writer, options ExportOptions) (Moved, error) {
	if err := c.admit(groupID); err != nil {
		return Moved{}, err
	}
	return archive.Export(ctx, c.pool, archive.Source{
		GroupID: groupID, Vectors: options.Vectors, Embedder: c.embedder.Name(), Dimensions: c.embedder.Dimensions(),
	}, w)
}

// ImportOptions says what an import reads and where it goes.
type ImportOptions struct {
	// From is the program that wrote the export, if it was not Annals: "zep" or "graphiti". The
	// file is then a JSON object with the lists episodes, nodes and edges as that program's clients
	// return them, or Neo4j's export of Graphiti's graph. If the group already has all of it, the
	// import stores nothing and succeeds.
	From archive.Foreign

	// Only is the group of the other program to import, if its export has several; empty: the only
	// one.
	Only string

	// DryRun reads the file to its end and counts its rows, but stores nothing.
	DryRun bool

	// GroupID is the group to import into. Defaults to the exported one.
	GroupID string

	// Force names the exported group if it was erased since. Without it such an import fails with
	// [CodeConflict].
	Force string

	// Knows reports whether the importer may know about the exported group, which the file names.
	// Only then is content left out that was erased or withdrawn there since; leaving it out shows
	// that the group had it. Nil: the groups that this Client may use.
	Knows func(groupID string) bool

	// Report, if not nil, is called after each batch of vectors with the number made in it.
	Report func(made int)
}

// Import stores what [Client.Export] wrote, streaming and in one transaction: all of it, or nothing
// if the file is damaged. It fails with [CodeConflict] if the group already has content, and with
// [CodeInvalid] if the file is damaged or from a newer version of Annals.
//
// What was erased from the exported group since the export is erased from the import too, in the
// same transaction. What was withdrawn there by hand is withdrawn. [Moved] lists both.
//
// Then Import makes the missing vectors: all of them, if the file has none or those of another
// embedder. If that fails, the group exists nevertheless, and the Embed of package service
// continues.
func (c *Client) Import(ctx context.Context, r io.Reader, options ImportOptions) (Moved, error) {
	if c.tenant != "" && options.GroupID == "" {
		options.GroupID = c.tenant
	}
	if options.GroupID != "" {
		if err := c.admit(options.GroupID); err != nil {
			return Moved{}, err
		}
	}
	defer c.wrote() // to the group that the file names
	if options.From == "" {
		return c.imported(ctx, r, options)
	}
	foreign := archive.Conversion{From: options.From, GroupID: options.GroupID, Only: options.Only}
	return foreign.Through(r, func(converted io.Reader) (Moved, error) { return c.imported(ctx, converted, options) })
}

// imported stores an export of Annals, or only reads it.
func (c *Client) imported(ctx context.Context, r io.Reader, options ImportOptions) (Moved, error) {
	if options.DryRun {
		return archive.Look(r, options.GroupID)
	}
	target := archive.Target{GroupID: options.GroupID, Embedder: c.embedder.Name(), Force: options.Force, Knows: options.Knows, Again: options.From != ""}
	if c.tenant != "" {
		target.Knows = func(groupID string) bool { return groupID == c.tenant }
	}
	target.Erase = func(ctx context.Context, tx pgx.Tx, group string, episodes []uuid.UUID) error {
		return c.engine.EraseWithin(ctx, tx, Erasure{GroupID: group, EpisodeIDs: episodes, AnyReader: true})
	}
	moved, err := archive.Import(ctx, c.pool, r, target)
	if err != nil {
		return moved, err
	}
	if moved.There {
		return moved, nil
	}
	if len(moved.Erased) > 0 {
		if _, err := c.engine.FinishErasures(ctx); err != nil {
			return moved, fmt.Errorf("the group is imported without what was erased from it, but traces may be left in the planner's statistics until 'annals doctor --fix' or a worker has vacuumed: %w", err)
		}
	}
	if _, err := upkeep.FillVectors(ctx, c.pool, c.embedder, moved.GroupID, options.Report); err != nil {
		return moved, fmt.Errorf("the group is imported, but not all its vectors are made; 'annals reembed' goes on with them: %w", err)
	}
	return moved, nil
}

// Clone copies a group, with its graph, history and vectors, to a new one. It fails with
// [CodeConflict] if that exists. Rows of the copy have new ids, in the same order. The ledger of
// model calls is not copied. Neither are the creation times of threads: the copy's threads count as
// named by their messages only.
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

// verbatim lists the columns with users' text, in which ids are not replaced.
var verbatim = []string{"content", "question", "schema", "metadata", "attributes", "name", "summary", "fact", "aliases", "labels", "external_id", "thread_id", "actor", "role"}

// reidentified returns a rewriter of rows that replaces ids, equal ones by equal ones.
func reidentified(to string) func(string, archive.Row) (bool, error) {
	return func(table string, row archive.Row) (bool, error) {
		if table == "model_calls" {
			return false, nil
		}
		if table == "threads" {
			delete(row, "created_at")
		}
		for column, value := range row {
			if slices.Contains(verbatim, column) || table == "threads" && column == "id" || table == "templates" && column == "id" {
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

// otherID derives another UUIDv7 from one. The order of ids stays the same, since the first eight
// bytes hold the time and the counter and are kept.
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
