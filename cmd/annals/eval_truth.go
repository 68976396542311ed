package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/truth"
)

// truthRun holds the flags of eval truth.
type truthRun struct {
	file         string
	offline, all bool
	options      truth.Options
}

func evalTruthCommand(a *app) *cobra.Command {
	var r truthRun
	cmd := &cobra.Command{
		Use:   "truth",
		Short: "Check what is believed about time, case by case",
		Long: `Check what is believed about time, case by case.

A case is a few messages, what a model would answer about them, and what must then hold when. It goes
through the pipeline into a group of its own, which is removed afterwards. No model is asked: the case
answers. With --offline the rules read the texts alone, of the cases that are marked for them. With --reverse the
messages arrive last first, of the cases where order must not matter.`,
		Example: `  annals eval truth --file cases.jsonl
  annals eval truth --file cases.jsonl --offline --all`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.all && !r.offline && !r.options.Reverse {
				return graph.Invalid("all", "is for --offline and --reverse, which else read only the cases that are for them")
			}
			return a.evalTruth(cmd.Context(), r)
		},
	}
	requireFile(cmd, &r.file, "cases, as JSON lines; docs/temporal.md has their form")
	cmd.Flags().BoolVar(&r.offline, "offline", false, "have the offline rules read the texts, without the cases' answers")
	cmd.Flags().BoolVar(&r.all, "all", false, "with --offline or --reverse: also those cases that are not for it")
	cmd.Flags().IntVar(&r.options.Window, "window", 1, "messages that arrive, and are read, together")
	cmd.Flags().BoolVar(&r.options.Reverse, "reverse", false, "read the messages of each case last first, each with its own time")
	cmd.Flags().BoolVar(&r.options.Keep, "keep", false, "leave the groups of the cases in the database, to look at")
	return cmd
}

func (a *app) evalTruth(ctx context.Context, r truthRun) error {
	cases, err := truth.Load(r.file)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c truth.Case) bool {
		return !r.all && (r.offline && !c.Offline || r.options.Reverse && !c.AnyOrder())
	})
	client, analyst, err := a.truthClient(ctx, r.offline, r.options.Window)
	if err != nil {
		return err
	}
	defer client.Close()
	report, err := truth.Run(ctx, client, analyst, cases, r.options)
	if err != nil {
		return err
	}
	if err := a.printMeasured(report); err != nil {
		return err
	}
	if report.Failed() > 0 {
		return fmt.Errorf("%d of %d cases fail", report.Failed(), len(report.Cases))
	}
	return nil
}

// truthClient opens a client whose analyst is the cases' own, or the offline rules.
func (a *app) truthClient(ctx context.Context, offline bool, window int) (*annals.Client, *truth.Analyst, error) {
	where, err := a.database(ctx)
	if err != nil {
		return nil, nil, err
	}
	settings := annals.Config{Window: window, Log: a.config.log}
	var analyst *truth.Analyst
	if !offline {
		analyst = truth.NewAnalyst()
		settings.Analyst = analyst
	}
	client, err := a.openIn(ctx, where, settings)
	return client, analyst, err
}
