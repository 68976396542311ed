package annals

import (
	"context"
	"io"

	"github.com/annalsdb/annals/archive"
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
	return archive.Export(ctx, c.pool, archive.Source{
		GroupID: groupID, Vectors: options.Vectors, Embedder: c.embedder.Name(), Dimensions: c.embedder.Dimensions(),
	}, w)
}

// ImportOptions says where to an import goes.
type ImportOptions struct {
	// GroupID is the group to import into. Defaults to the one that was exported.
	GroupID string
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
	return archive.Import(ctx, c.pool, r, archive.Target{GroupID: options.GroupID, Embedder: c.embedder.Name()})
}
