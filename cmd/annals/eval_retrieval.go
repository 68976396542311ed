package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/eval/answer"
	"github.com/annalsdb/annals/eval/retrieve"
)

// evaluation holds the flags that the benchmarks of retrieval share.
type evaluation struct {
	file, out, prefix string
	noGraph           bool
	answering         answering
	options           retrieve.Options
}

func (e *evaluation) flags(cmd *cobra.Command, file string) {
	requireFile(cmd, &e.file, file)
	cmd.Flags().StringVar(&e.out, "out", "", "write the table as JSON here, with the ranks of each question's evidence")
	cmd.Flags().StringVar(&e.prefix, "prefix", "eval", "how the names of the groups begin; a new one reads everything anew")
	cmd.Flags().BoolVar(&e.noGraph, "no-graph", false, "only words and vectors: nothing is read into the graph")
	cmd.Flags().IntVar(&e.options.Limit, "limit", retrieve.DefaultLimit, "hits of each scope that are asked for")
	cmd.Flags().IntSliceVar(&e.options.Budgets, "tokens", retrieve.DefaultBudgets, "tokens of the contexts that are filled")
	e.answering.flags(cmd)
}

// evaluate runs a benchmark of retrieval and prints its report.
func (a *app) evaluate(ctx context.Context, e *evaluation, run func(context.Context, *annals.Client, *answer.Examiner) (retrieve.Report, error)) error {
	if err := cmp.Or(e.options.Validate(), e.answering.validate()); err != nil {
		return err
	}
	client, where, err := a.openAt(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	examiner, dismiss, err := a.examiner(ctx, where, e.answering)
	if err != nil {
		return err
	}
	defer dismiss()
	e.options.Graph, e.options.Say = !e.noGraph, a.say
	report, err := run(ctx, client, examiner)
	if err != nil {
		return err
	}
	if e.out != "" {
		if err := writeFile(e.out, report.JSON); err != nil {
			return err
		}
	}
	report.Cases = nil
	return a.printMeasured(report)
}
