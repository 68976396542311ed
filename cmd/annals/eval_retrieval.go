package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// evaluation holds the flags that retrieval benchmarks share.
type evaluation struct {
	file, out, prefix string
	record, commit    string
	noGraph           bool
	rerank            []string
	answering         answering
	options           retrieve.Options
}

// fileFlags adds the flags of a benchmark with one data file.
func (e *evaluation) fileFlags(cmd *cobra.Command, file string) {
	require(cmd, &e.file, "file", file)
	cmd.Flags().StringVar(&e.out, "out", "", "write the tables as JSON here, with the ranks of each question's evidence")
	e.flags(cmd)
}

func (e *evaluation) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&e.record, "record", "", "write the tables into this folder, as BENCHMARK-EMBEDDER.md, with the commit and the command")
	flags.StringVar(&e.commit, "commit", revision(), "with --record: the commit that is measured; else that of the build, where it is known")
	flags.Lookup("commit").DefValue = ""
	flags.StringVar(&e.prefix, "prefix", "eval", "how the names of the groups begin; a new one reads everything anew")
	flags.BoolVar(&e.noGraph, "no-graph", false, "only words and vectors: nothing is read into the graph")
	flags.IntVar(&e.options.Limit, "limit", retrieve.DefaultLimit, "hits of each scope that are asked for")
	flags.StringSliceVar(&e.rerank, "rerank", nil, "also measure the default search reranked: cross_encoder, with ANNALS_RERANKER, or mmr")
	flags.IntSliceVar(&e.options.Budgets, "tokens", retrieve.DefaultBudgets, "tokens of the contexts that are filled")
	e.answering.flags(cmd)
}

// validate checks the flags before any data is read.
func (e *evaluation) validate() error {
	if e.record != "" && e.commit == "" {
		return graph.Invalid("record", "needs to know what was measured, and this build does not say; give --commit")
	}
	e.options.Rerank = each.Of(e.rerank, func(r string) annals.Rerank { return annals.Rerank(r) })
	return cmp.Or(e.options.Validate(), e.answering.validate())
}

// evaluate runs a retrieval benchmark and prints its report.
func (a *app) evaluate(cmd *cobra.Command, e *evaluation, run measure) error {
	if err := e.validate(); err != nil {
		return err
	}
	if slices.Contains(e.options.Rerank, annals.RerankModel) && a.config.Reranker == "" {
		return graph.Invalid("rerank", "cross_encoder needs a model; name one in ANNALS_RERANKER")
	}
	ctx := cmd.Context()
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
	if err == nil {
		err = e.keep(report, commandLine(cmd))
	}
	report.Cases = nil
	return a.printMeasured(report, err)
}

// keep writes the files that the flags name.
func (e *evaluation) keep(report retrieve.Report, command string) error {
	if e.out != "" {
		if err := writeFile(e.out, report.JSON); err != nil {
			return err
		}
	}
	if e.record == "" {
		return nil
	}
	if err := os.MkdirAll(e.record, 0o755); err != nil {
		return err // the error names the folder and the cause
	}
	record := retrieve.Record{Report: report, At: time.Now(), Commit: e.commit, Command: command}
	return writeFile(filepath.Join(e.record, record.File()), record.Markdown)
}

// commandLine returns a command as others would type it: without the folders of this machine, and
// without flags that only name outputs.
func commandLine(cmd *cobra.Command) string {
	parts := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch {
		case slices.Contains([]string{"out", "record", "commit", "json", "database-url"}, f.Name):
			return
		case f.Name == "file", f.Name == "dir":
			value = filepath.Base(value)
		case f.Value.Type() == "bool":
			parts = append(parts, "--"+f.Name)
			return
		case strings.HasSuffix(f.Value.Type(), "Slice"):
			value = strings.Trim(value, "[]")
		}
		parts = append(parts, "--"+f.Name+" "+value)
	})
	return strings.Join(parts, " ")
}
