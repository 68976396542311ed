package main

import (
	"context"
	"time"

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
		Args: cobra.NoArgs, RunE: showHelp,
	}
	cmd.AddCommand(benchIngestCommand(a), benchSearchCommand(a), benchServeCommand(a))
	return cmd
}

// benchOptions returns the options that all benchmarks share. It migrates only the embedded
// database.
func (a *app) benchOptions(ctx context.Context) (bench.Options, error) {
	client, where, err := a.openAt(ctx)
	if err != nil {
		return bench.Options{}, err
	}
	client.Close()
	return bench.Options{
		DatabaseURL: where.url, Sample: string(testdata.Conversation), Progress: func(what string) { a.say("%s …", what) },
	}, nil
}

func benchSearchCommand(a *app) *cobra.Command {
	var facts []int
	var others, queries, indexedFrom int
	var budget time.Duration
	cmd := &cobra.Command{
		Use:     "search",
		Short:   "Time every search method in groups of several sizes, and compare approximate with exact results",
		Example: "  annals bench search --facts 1000,10000,100000 --others 100000",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := a.benchOptions(cmd.Context())
			if err != nil {
				return err
			}
			options.Facts, options.Others, options.Queries, options.IndexedFrom = facts, others, queries, indexedFrom
			options.Budget = budget
			report, err := bench.Search(cmd.Context(), options)
			if err != nil {
				return err
			}
			return a.printMeasured(report)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&facts, "facts", bench.DefaultSizes, "sizes of the groups, in facts")
	flags.IntVar(&others, "others", 0, "facts of other groups in the database, whose sizes fall off by Zipf's law")
	flags.IntVar(&queries, "queries", bench.DefaultQueries, "queries of each class")
	flags.DurationVar(&budget, "budget", bench.DefaultBudget, "about how long one method is measured in one group")
	flags.IntVar(&indexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}

func benchIngestCommand(a *app) *cobra.Command {
	var facts []int
	var episodes, indexedFrom int
	cmd := &cobra.Command{
		Use:     "ingest",
		Short:   "Time what an episode costs beside the language model",
		Example: "  annals bench ingest --facts 1000,100000 --episodes 200",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := a.benchOptions(cmd.Context())
			if err != nil {
				return err
			}
			options.Facts, options.Queries, options.IndexedFrom = facts, episodes, indexedFrom
			report, err := bench.Ingest(cmd.Context(), options)
			if err != nil {
				return err
			}
			return a.printMeasured(report)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&facts, "facts", []int{1000, 10_000}, "sizes of the groups that episodes are taken into, in facts")
	flags.IntVar(&episodes, "episodes", 200, "episodes to take in")
	flags.IntVar(&indexedFrom, "index-from", 0, "vectors from which on a group gets an index; 0: as in production, negative: none")
	return cmd
}
