package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db/embeddings"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/model"
)

func reembedCommand(a *app) *cobra.Command {
	dimension := a.config.EmbeddingDim
	cmd := &cobra.Command{
		Use:   "reembed",
		Short: "Make all vectors anew with another embedder, while work goes on",
		Long: `Makes the vectors of the whole database, of all groups, by the embedder that is
named or set. Reading and writing go on meanwhile: the new vectors are filled in
beside the old ones, take over at one moment when all are there, and the old ones
are removed. Interrupted, even by a crash, the same command goes on where it
stopped. With the embedder in force it makes only the vectors that are missing.

Processes that run on with the old embedder find by words only and take nothing
new into the graph; restart them with the new one.`,
		Example: `  annals reembed --embedder openai:text-embedding-3-small --embedding-dim 512
  annals reembed --embedder offline --embedding-dim 256`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dimension < 0 {
				return graph.Invalid("embedding-dim", "is %d; it must be 1 to %d, or 0 for as many as the model makes", dimension, embeddings.MaxDimensions)
			}
			done, err := a.reembed(cmd.Context(), cmp.Or(dimension, a.config.EmbeddingDim))
			if err != nil {
				return err
			}
			return a.tell(map[string]annals.Reembedded{"reembedded": done}, "Vectors are made by %s, %s: %d made, %d of others removed\n",
				done.Embedder, each.Count(done.Dimensions, "dimension"), done.Made, done.Dropped)
		},
	}
	cmd.Flags().IntVar(&dimension, "embedding-dim", dimension,
		"dimensions of the new vectors; else those that the model makes, offline those there are (ANNALS_EMBEDDING_DIM)")
	return cmd
}

// reembed opens the database with its current embedder, whatever the settings say, and makes
// vectors with the configured one.
func (a *app) reembed(ctx context.Context, dimension int) (annals.Reembedded, error) {
	asIs := *a
	asIs.config.Embedder, asIs.config.EmbeddingDim = "", 0
	client, err := asIs.open(ctx)
	if err != nil {
		return annals.Reembedded{}, err
	}
	defer client.Close()
	to, err := a.nextEmbedder(ctx, client, dimension)
	if err != nil {
		return annals.Reembedded{}, err
	}
	shown := a.progress("making vectors", 0, plain)
	defer shown.finish()
	return client.Reembed(ctx, to, shown.add)
}

func (a *app) nextEmbedder(ctx context.Context, client *annals.Client, dimension int) (model.Embedder, error) {
	if to, err := a.config.embedder(ctx, dimension); to != nil || err != nil {
		return to, err
	}
	if dimension == 0 {
		server, err := service.New(client).Server(ctx)
		if err != nil {
			return nil, err
		}
		dimension = server.EmbeddingDimension
	}
	to, err := model.NewHashEmbedder(dimension)
	return to, named("ANNALS_EMBEDDING_DIM", err)
}
