package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/bench"
	"github.com/annalsdb/annals/testdata"
)

func benchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what searching, taking in and serving cost",
		Long: `Measure what searching, taking in and serving cost.

The groups that are measured are made up, in the database at hand. Their names
begin with bench-, and they stay, so that the next run need not make them anew.`,
		RunE: showHelp,
	}
	cmd.AddCommand(benchIngestCommand(a), benchSearchCommand(a), benchServeCommand(a))
	return cmd
}

// benchOn sets the options that all benchmarks share. It migrates only the embedded database.
func (a *app) benchOn(ctx context.Context, o *bench.Options) error {
	client, where, err := a.openAt(ctx)
	if err != nil {
		return err
	}
	client.Close()
	o.DatabaseURL, o.Sample, o.Progress = where.url, string(testdata.Conversation), func(what string) { a.say("%s …", what) }
	return nil
}

func benchSearchCommand(a *app) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:     "search",
		Short:   "Time every search method in groups of several sizes, and compare approximate with exact results",
		Example: "  annals bench search --facts 1000,10000,100000 --others 100000",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.benchOn(cmd.Context(), &o); err != nil {
				return err
			}
			return a.printMeasured(bench.Search(cmd.Context(), o))
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&o.Facts, "facts", bench.DefaultSizes, "sizes of the groups, in facts")
	flags.IntVar(&o.Others, "others", 0, "facts of other groups in the database, whose sizes fall off by Zipf's law")
	flags.IntVar(&o.Queries, "queries", bench.DefaultQueries, "queries of each class")
	flags.DurationVar(&o.Budget, "budget", bench.DefaultBudget, "about how long one method is measured in one group")
	flags.IntVar(&o.IndexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}

func benchIngestCommand(a *app) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:     "ingest",
		Short:   "Time what an episode costs beside the language model",
		Example: "  annals bench ingest --facts 1000,100000 --episodes 200",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.benchOn(cmd.Context(), &o); err != nil {
				return err
			}
			return a.printMeasured(bench.Ingest(cmd.Context(), o))
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&o.Facts, "facts", []int{1000, 10_000}, "sizes of the groups that episodes are taken into, in facts")
	flags.IntVar(&o.Queries, "episodes", 200, "episodes to take in")
	flags.IntVar(&o.IndexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}
