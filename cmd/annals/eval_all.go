package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/eval/dmr"
	"github.com/annalsdb/annals/internal/eval/locomo"
	"github.com/annalsdb/annals/internal/eval/longmemeval"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

func evalAllCommand(a *app) *cobra.Command {
	var e evaluation
	var dir string
	cmd := &cobra.Command{
		Use:   "all",
		Short: "Measure on every benchmark of conversations that a folder has",
		Long: `Measure on every benchmark of conversations that a folder, or one within it, has: LoCoMo
(locomo*.json), LongMemEval (longmemeval*.json or .jsonl) and DMR (msc*.jsonl), gzipped or not.`,
		Example: "  annals eval all --dir data --record docs/benchmarks",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := benchmarkFiles(dir)
			if err != nil {
				return err
			}
			for i, f := range files {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				e.file = f.path
				if err := a.evaluate(cmd, &e, f.benchmark.of(&e)); err != nil {
					return fmt.Errorf("%s: %w", filepath.Base(f.path), err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the folder with the data")
	_ = cmd.MarkFlagRequired("dir") // fails only for an unknown flag
	e.flags(cmd)
	return cmd
}

// benchmark is a benchmark and the names of its data files.
type benchmark struct {
	named *regexp.Regexp // matches the names of its files
	of    func(*evaluation) measure
}

// measure fills memories and measures what searches find in them.
type measure func(context.Context, *annals.Client, *answer.Examiner) (retrieve.Report, error)

var benchmarks = []benchmark{
	{regexp.MustCompile(`^locomo.*\.json(\.gz)?$`), func(e *evaluation) measure { return e.locomo("") }},
	{regexp.MustCompile(`^longmemeval.*\.jsonl?(\.gz)?$`), func(e *evaluation) measure { return e.longMemEval(longmemeval.Corpora) }},
	{regexp.MustCompile(`^msc.*\.jsonl(\.gz)?$`), (*evaluation).dmr},
}

type benchmarkFile struct {
	benchmark benchmark
	path      string
}

// benchmarkFiles lists the data files below a folder, in the order of the benchmarks.
func benchmarkFiles(dir string) ([]benchmarkFile, error) {
	var files []benchmarkFile
	for _, b := range benchmarks {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && b.named.MatchString(strings.ToLower(entry.Name())) {
				files = append(files, benchmarkFile{b, path})
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for benchmarks: %w", err)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no data of a benchmark: no file is called locomo*.json, longmemeval*.jsonl or msc*.jsonl", dir)
	}
	return files, nil
}

// locomo measures LoCoMo; sample restricts it to one conversation.
func (e *evaluation) locomo(sample string) measure {
	return func(ctx context.Context, client *annals.Client, examiner *answer.Examiner) (retrieve.Report, error) {
		conversations, err := sampled(e.file, sample)
		if err != nil {
			return retrieve.Report{}, err
		}
		return locomo.Evaluate(ctx, client, conversations, e.prefix, e.options, examiner)
	}
}

// longMemEval measures LongMemEval.
func (e *evaluation) longMemEval(corpora []longmemeval.Corpus) measure {
	return func(ctx context.Context, client *annals.Client, examiner *answer.Examiner) (retrieve.Report, error) {
		questions, err := longmemeval.Load(e.file)
		if err != nil {
			return retrieve.Report{}, err
		}
		return longmemeval.Evaluate(ctx, client, questions, corpora, e.prefix, e.options, examiner)
	}
}

// dmr measures DMR.
func (e *evaluation) dmr() measure {
	return func(ctx context.Context, client *annals.Client, examiner *answer.Examiner) (retrieve.Report, error) {
		file, err := dmr.Load(e.file)
		if err != nil {
			return retrieve.Report{}, err
		}
		return dmr.Evaluate(ctx, client, file, e.prefix, e.options, examiner)
	}
}
