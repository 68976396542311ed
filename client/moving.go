package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/input"
)

// Erase removes every trace of a group, a user, an episode or an entity. Afterwards a
// worker of the service vacuums PostgreSQL's files. Copies is refused: only the
// library takes it.
func (c *Client) Erase(ctx context.Context, what annals.Erasure) (annals.Certificate, error) {
	if what.Copies {
		return annals.Certificate{}, graph.Invalid("copies", "are not erased over REST; erase each group, or use 'annals erase --copies'")
	}
	group := cmp.Or(what.GroupID, what.UserID)
	k, removal := in(http.MethodDelete, group), input.Removal{Judged: input.Judged{AnyReader: what.AnyReader}}
	switch ids := what.EpisodeIDs; {
	case len(ids) > 1:
		return annals.Certificate{}, graph.Invalid("episodes", "are %d; over REST erase one at a time", len(ids))
	case len(ids) == 1 && what.EntityID != uuid.Nil:
		return annals.Certificate{}, graph.Invalid("episodes", "name an episode or an entity, not both")
	case len(ids) == 1:
		k = in(http.MethodDelete, group, "episodes", ids[0].String())
		k = k.asking(input.UndoEpisode{Removal: removal, Erase: true})
	case what.EntityID != uuid.Nil:
		k = in(http.MethodDelete, group, "entities", what.EntityID.String()).asking(removal)
	case what.UserID != "":
		k = to(http.MethodDelete, "users", what.UserID)
	}
	return member[annals.Certificate](ctx, c, k, "certificate")
}

// Export writes a group as JSON lines, as [annals.Client.Export] does, and verifies
// their checksum while writing. After an error the output is no valid export.
func (c *Client) Export(ctx context.Context, groupID string, w io.Writer, options annals.ExportOptions) (annals.Moved, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return annals.Moved{}, err
	}
	k := in(http.MethodGet, groupID, "export")
	if options.Vectors {
		k.query.Set("vectors", "true")
	}
	request, err := c.request(ctx, k)
	if err != nil {
		return annals.Moved{}, err
	}
	response, err := c.config.HTTP.Do(request)
	if err != nil {
		return annals.Moved{}, unreached(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return annals.Moved{}, c.refused(response)
	}
	moved, err := archive.Look(io.TeeReader(response.Body, w), groupID)
	if err != nil && ctx.Err() != nil {
		err = unreached(ctx, err)
	}
	return moved, err
}

func (c *Client) refused(response *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(response.Body, c.config.MaxAnswer))
	if err != nil {
		return unreached(context.Background(), err)
	}
	return problem(response, text)
}

// Import stores an export, as [annals.Client.Import] does. The service makes the
// vectors; exports of other programs are converted here. A failed import is not sent
// again. Force is refused.
func (c *Client) Import(ctx context.Context, r io.Reader, options annals.ImportOptions) (annals.Moved, error) {
	if options.Force != "" {
		return annals.Moved{}, graph.Invalid("force", "is not taken over REST; use 'annals import --force'")
	}
	if options.From == "" {
		return c.imported(ctx, r, options)
	}
	foreign := archive.Conversion{From: options.From, GroupID: options.GroupID, Only: options.Only}
	return foreign.Through(r, func(converted io.Reader) (annals.Moved, error) { return c.imported(ctx, converted, options) })
}

func (c *Client) imported(ctx context.Context, r io.Reader, options annals.ImportOptions) (annals.Moved, error) {
	if options.DryRun {
		return archive.Look(r, options.GroupID)
	}
	lines := bufio.NewReader(r)
	if options.GroupID == "" {
		first, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return annals.Moved{}, err
		}
		var header archive.Header
		if err := json.Unmarshal(first, &header); err != nil {
			return annals.Moved{}, graph.Invalid("import", "this is no export of Annals: its first line is no JSON object")
		}
		options.GroupID, lines = header.Group, bufio.NewReader(io.MultiReader(bytes.NewReader(first), lines))
	}
	if err := graph.ValidateGroupID(options.GroupID); err != nil {
		return annals.Moved{}, err
	}
	failed := &reading{Reader: lines}
	request, err := c.request(ctx, in(http.MethodPost, options.GroupID, "import"))
	if err != nil {
		return annals.Moved{}, err
	}
	request.Body, request.GetBody, request.ContentLength = io.NopCloser(failed), nil, -1
	request.Header.Set("Content-Type", jsonLines)
	response, err := c.config.HTTP.Do(request)
	if failed.err != nil {
		if err == nil {
			_ = response.Body.Close()
		}
		return annals.Moved{}, failed.err
	}
	if err != nil {
		return annals.Moved{}, unreached(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return annals.Moved{}, c.refused(response)
	}
	var moved annals.Moved
	if err := json.NewDecoder(io.LimitReader(response.Body, c.config.MaxAnswer)).Decode(&moved); err != nil {
		return annals.Moved{}, fmt.Errorf("read what was imported: %w", unreached(ctx, err))
	}
	return moved, nil
}

// reading keeps the error of the source, which the error of the request hides.
type reading struct {
	io.Reader
	err error
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
