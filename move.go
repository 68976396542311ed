package annals

import (
	"context"
	"fmt"
	"io"

	"github.com/annalsdb/annals/archive"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/model"
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

// ImportOptions says where to an import goes.
type ImportOptions struct {
	// From says whose export it is, where it is not one of Annals: "zep" or
	// "graphiti", a JSON object with the lists episodes, nodes and edges as their
	// clients give them.
	From archive.Foreign

	// GroupID is the group to import into. Defaults to the one that was exported.
	GroupID string

	// Report, if not nil, is told how many vectors were made, each time some were.
	Report func(made int)
}

// Import stores what [Client.Export] wrote, streaming and in one transaction:
// all of it or, where the file is damaged, nothing. It fails with
// [CodeConflict] where the group already holds something, and with
// [CodeInvalid] for a file that is damaged or of a newer version of Annals.
//
// Then it makes the vectors that are missing, as [Client.Embed] does: all of
// them where the file has none or those of another embedder. Should that fail,
// the group is there nevertheless, and Embed goes on with it.
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
	if options.From != "" {
		var stop func()
		r, stop = converted(r, options)
		defer stop()
	}
	moved, err := archive.Import(ctx, c.pool, r, archive.Target{GroupID: options.GroupID, Embedder: c.embedder.Name()})
	if err != nil {
		return moved, err
	}
	if _, err := c.Embed(ctx, moved.GroupID, options.Report); err != nil {
		return moved, fmt.Errorf("the group is imported, but not all its vectors are made; 'annals reembed' goes on with them: %w", err)
	}
	return moved, nil
}

// converted reads the export of another program as one of Annals.
func converted(r io.Reader, options ImportOptions) (out io.Reader, stop func()) {
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(archive.Convert(options.From, r, write, options.GroupID)) }()
	return read, func() { _ = read.Close() }
}

// Embed makes the vectors that a group's rows lack, with the client's
// embedder, and returns how many. Processing makes them by itself; this is for
// rows that came by another way. report, if not nil, is told how many were
// made, each time some were.
func (c *Client) Embed(ctx context.Context, groupID string, report func(made int)) (int, error) {
	if err := c.admit(groupID); err != nil {
		return 0, err
	}
	defer c.wrote(groupID)
	return c.engine.Embed(ctx, groupID, report)
}

// Reembedded is what became of the vectors of a database.
type Reembedded = engine.Reembedded

// Reembed has another embedder make the vectors of the whole database, of
// another dimension perhaps, while reading and writing go on here and
// elsewhere. The new vectors are filled in beside those in force, become the
// ones in force at one moment when all are there, and the old ones are removed.
// After an interruption, by a crash too, calling it again goes on where it
// stopped. report, if not nil, is told how many vectors were made, each time
// some were, from several goroutines.
//
// From then on clients that were opened with the old embedder, this one
// included, find by words and by the graph only, and fail with [CodeConflict]
// when they process: open new ones, with the new embedder. What they were
// processing is kept and waits. While another process re-embeds the database,
// Reembed fails with [CodeConflict].
func (c *Client) Reembed(ctx context.Context, to model.Embedder, report func(made int)) (Reembedded, error) {
	if err := c.unbound(); err != nil {
		return Reembedded{}, err
	}
	defer c.wrote()
	return c.engine.Reembed(ctx, model.EmbedderWith(to, engine.NewLedger(c.pool)), report)
}

// Vectors says what makes the vectors of a database, and what a group lacks.
type Vectors struct {
	Embedder string `json:"embedder"` // since the database was re-embedded; empty: it never was
	Next     string `json:"next"`     // that is being filled in, or was when it was interrupted; empty: none

	// How many rows of the group lack a vector of the client's embedder.
	Missing MissingVectors `json:"missing"`
}

// MissingVectors counts rows without a vector. Episodes that wait to be read
// are not counted: they get theirs when they are.
type MissingVectors struct {
	Episodes    int64 `json:"episodes"`
	Entities    int64 `json:"entities"`
	Facts       int64 `json:"facts"`
	Communities int64 `json:"communities"`
}

// Total is how many rows lack a vector.
func (m MissingVectors) Total() int64 { return m.Episodes + m.Entities + m.Facts + m.Communities }

// Vectors looks at the vectors of a group. It reads all their keys.
func (c *Client) Vectors(ctx context.Context, groupID string) (Vectors, error) {
	if err := c.admit(groupID); err != nil {
		return Vectors{}, err
	}
	q := db.New(c.pool)
	embedders, err := q.Embedders(ctx)
	if err != nil {
		return Vectors{}, fmt.Errorf("ask which embedder is in force: %w", err)
	}
	missing, err := q.VectorsMissing(ctx, db.VectorsMissingParams{GroupID: groupID, Model: c.embedder.Name()})
	if err != nil {
		return Vectors{}, fmt.Errorf("count the vectors of %s: %w", groupID, err)
	}
	return Vectors{Embedder: embedders.Embedder, Next: embedders.NextEmbedder, Missing: MissingVectors(missing)}, nil
}
