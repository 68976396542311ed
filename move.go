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

// ExportOptions says what goes into an export beside the rows.
type ExportOptions struct {
	// Vectors exports the vectors too, which makes the file several times as
	// long and saves making them anew where it is imported.
	Vectors bool
}

// Export writes a group, as it stands at one moment, to w as lines of JSON:
// episodes, graph, history, communities, threads, ontology, settings, traces
// and the ledger of model calls, with ids and times as they are; see package
// archive for the format. The last line has a checksum of all others. It
// streams, whatever the size of the group. It fails with [CodeNotFound] where
// the group does not exist.
func (c *Client) Export(ctx context.Context, groupID string, w io.Writer, options ExportOptions) (Moved, error) {
	if err := c.admit(groupID); err != nil {
		return Moved{}, err
	}
	return archive.Export(ctx, c.pool, archive.Source{
		GroupID: groupID, Vectors: options.Vectors, Embedder: c.embedder.Name(), Dimensions: c.embedder.Dimensions(),
	}, w)
}

// ImportOptions says where an import goes.
type ImportOptions struct {
	// From says whose export it is, where it is not one of Annals: "zep" or
	// "graphiti", a JSON object with the lists episodes, nodes and edges as their
	// clients give them, or what Neo4j exports of Graphiti's graph. Where the group
	// has all of it already, that is no conflict, and nothing is stored.
	From archive.Foreign

	// Only names the group of the other program that is taken, where its export has
	// several; empty: the only one.
	Only string

	// DryRun reads the file to its end and counts what it has, and stores nothing.
	DryRun bool

	// GroupID is the group to import into. Defaults to the one that was exported.
	GroupID string

	// Force names the group that was exported and erased since. Without it such
	// an import is a [CodeConflict].
	Force string

	// Knows says whether who imports may know of the group that was exported, whose
	// name the file gives. Only if so what was erased or withdrawn there since is
	// left out; it would tell what the group had. Nil: the Client says.
	Knows func(groupID string) bool

	// Report, if not nil, is told how many vectors were made, each time some were.
	Report func(made int)
}

// Import stores what [Client.Export] wrote, streaming and in one transaction:
// all of it or, where the file is damaged, nothing. It fails with
// [CodeConflict] where the group already holds something, and with
// [CodeInvalid] for a file that is damaged or of a newer version of Annals.
//
// What was erased from the group that was exported, since then, is erased again
// in the same transaction, and what was withdrawn there by hand is withdrawn;
// [Moved] names both.
//
// Then it makes the vectors that are missing, all of them where the file
// has none or those of another embedder. Should that fail, the group is there
// nevertheless, and the Embed of package service goes on with it.
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

// imported stores what Annals exported, or reads it only.
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

// verbatim are the columns that users fill, where an id is a word like others.
var verbatim = []string{"content", "question", "schema", "metadata", "attributes", "name", "summary", "fact", "aliases", "labels", "external_id", "thread_id", "actor", "role"}

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

// otherID makes another UUIDv7 of one. It keeps its place in the order, as the time
// and the counter in the first eight bytes stay.
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
