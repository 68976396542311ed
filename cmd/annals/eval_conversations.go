package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
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
	require(cmd, &dir, "dir", "the folder with the data")
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

// measuring makes a measure of what loads the file of a benchmark and what evaluates it.
func measuring[Data any](
	e *evaluation, load func(file string) (Data, error),
	evaluate func(context.Context, *annals.Client, Data, string, retrieve.Options, *answer.Examiner) (retrieve.Report, error),
) measure {
	return func(ctx context.Context, client *annals.Client, examiner *answer.Examiner) (retrieve.Report, error) {
		data, err := load(e.file)
		if err != nil {
			return retrieve.Report{}, err
		}
		return evaluate(ctx, client, data, e.Prefix, e.options, examiner)
	}
}

// locomo measures LoCoMo; sample restricts it to one conversation.
func (e *evaluation) locomo(sample string) measure {
	return measuring(e, func(file string) ([]locomo.Conversation, error) { return sampled(file, sample) }, locomo.Evaluate)
}

// longMemEval measures LongMemEval.
func (e *evaluation) longMemEval(corpora []longmemeval.Corpus) measure {
	return measuring(e, longmemeval.Load, func(
		ctx context.Context, client *annals.Client, questions []longmemeval.Question, prefix string, options retrieve.Options, examiner *answer.Examiner,
	) (retrieve.Report, error) {
		return longmemeval.Evaluate(ctx, client, questions, corpora, prefix, options, examiner)
	})
}

// dmr measures DMR.
func (e *evaluation) dmr() measure { return measuring(e, dmr.Load, dmr.Evaluate) }

func evalLocomoCommand(a *app) *cobra.Command {
	var e evaluation
	var sample string
	cmd := &cobra.Command{
		Use:   "locomo",
		Short: "Measure how well the evidence of LoCoMo's questions is found",
		Long: `Measure how well the evidence of LoCoMo's questions is found, beside plain BM25.

Conversations are read into groups of their own (eval-locomo-SAMPLE), which are used again by the
next run: after a change to what is stored, choose another --prefix.`,
		Example: "  annals eval locomo --file locomo10.json --sample conv-26 --no-graph",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.evaluate(cmd, &e, e.locomo(sample)) },
	}
	e.fileFlags(cmd, "conversations in LoCoMo's own format, gzipped or not")
	cmd.Flags().StringVar(&sample, "sample", "", "the conversation's sample_id; otherwise all")
	cmd.AddCommand(locomoConvertCommand(a))
	return cmd
}

func locomoConvertCommand(a *app) *cobra.Command {
	var file, sample, out string
	cmd := &cobra.Command{
		Use:     "convert",
		Short:   "Write a conversation as JSON lines for 'annals add --file'",
		Example: "  annals eval locomo convert --file locomo10.json --sample conv-26 --out conv-26.jsonl",
		RunE:    func(*cobra.Command, []string) error { return a.convertLocomo(file, sample, out) },
	}
	require(cmd, &file, "file", "conversations in LoCoMo's own format, gzipped or not")
	cmd.Flags().StringVar(&sample, "sample", "", "the conversation's sample_id; otherwise all")
	cmd.Flags().StringVar(&out, "out", "", "write here instead of standard output")
	return cmd
}

// sampled reads all conversations, or only the named one.
func sampled(file, sample string) ([]locomo.Conversation, error) {
	conversations, err := locomo.Load(file)
	if err != nil || sample == "" {
		return conversations, err
	}
	for _, c := range conversations {
		if c.SampleID == sample {
			return []locomo.Conversation{c}, nil
		}
	}
	return nil, fmt.Errorf("%s has no conversation %s", file, sample)
}

func (p *printer) convertLocomo(file, sample, out string) error {
	conversations, err := sampled(file, sample)
	if err != nil {
		return err
	}
	if out == "" {
		return writeLocomo(p.stdout, conversations)
	}
	return writeFile(out, func(w io.Writer) error { return writeLocomo(w, conversations) })
}

func writeLocomo(w io.Writer, conversations []locomo.Conversation) error {
	for _, c := range conversations {
		lines, err := locomo.Convert(c)
		if err != nil {
			return err
		}
		if err := locomo.Write(w, lines); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close() // a full disk may be reported only now
}

func evalLongMemEvalCommand(a *app) *cobra.Command {
	var e evaluation
	var names []string
	cmd := &cobra.Command{
		Use:   "longmemeval",
		Short: "Measure how well the evidence of LongMemEval's questions is found",
		Long: `Measure how well the evidence of LongMemEval's questions is found, beside plain BM25.

Haystacks are read into groups of their own (eval-longmemeval-CORPUS-QUESTION), which are used again by
the next run: after a change to what is stored, choose another --prefix.`,
		Example: "  annals eval longmemeval --file longmemeval_s.json --corpus user --no-graph",
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpora, err := corporaOf(names)
			if err != nil {
				return err
			}
			return a.evaluate(cmd, &e, e.longMemEval(corpora))
		},
	}
	e.fileFlags(cmd, "questions with haystacks in LongMemEval's own format or as JSON lines, gzipped or not")
	cmd.Flags().StringSliceVar(&names, "corpus", []string{"user", "both", "pooled"}, "what is searched: user, both, pooled")
	return cmd
}

func corporaOf(names []string) ([]longmemeval.Corpus, error) {
	corpora := make([]longmemeval.Corpus, len(names))
	for i, name := range names {
		corpora[i] = longmemeval.Corpus(name)
		if !slices.Contains(longmemeval.Corpora, corpora[i]) {
			return nil, fmt.Errorf("--corpus %q is not one of user, both, pooled", name)
		}
	}
	return corpora, nil
}

func evalDMRCommand(a *app) *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:   "dmr",
		Short: "Measure what of the answers to DMR's questions is found",
		Long: `Measure what of the answers to the questions of DMR (MSC-Self-Instruct) is found, beside plain BM25.

Conversations are read into groups of their own (eval-dmr-NUMBER-ID), which are used again by the next
run: after a change to what is stored, choose another --prefix. A file of recorded answers needs none.`,
		Example: "  annals eval dmr --file msc_self_instruct.jsonl",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.evaluate(cmd, &e, e.dmr()) },
	}
	e.fileFlags(cmd, "conversations of MSC-Self-Instruct, or recorded answers, as JSON lines, gzipped or not")
	return cmd
}

// evaluation holds the flags that retrieval benchmarks share.
type evaluation struct {
	Record  string   `json:"record" doc:"write the tables into this folder, as BENCHMARK-EMBEDDER.md, with the commit and the command"`
	Prefix  string   `json:"prefix" default:"eval" doc:"how the names of the groups begin; a new one reads everything anew"`
	NoGraph bool     `json:"no_graph" doc:"only words and vectors: nothing is read into the graph"`
	Limit   int      `json:"limit" doc:"hits of each scope that are asked for"`
	Rerank  []string `json:"rerank" doc:"also measure the default search reranked: cross_encoder, with ANNALS_RERANKER, or mmr"`
	Tokens  []int    `json:"tokens" doc:"tokens of the contexts that are filled"`
	answering

	file, out, commit string
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
	e.Limit, e.Tokens, e.Repeat = retrieve.DefaultLimit, retrieve.DefaultBudgets, 1
	bind(flags, e)
	flags.StringVar(&e.commit, "commit", revision(), "with --record: the commit that is measured; else that of the build, where it is known")
	flags.Lookup("commit").DefValue = ""
}

// validate checks the flags before any data is read.
func (e *evaluation) validate() error {
	if e.Record != "" && e.commit == "" {
		return graph.Invalid("record", "needs to know what was measured, and this build does not say; give --commit")
	}
	e.options = retrieve.Options{
		Graph: !e.NoGraph, Limit: e.Limit, Budgets: e.Tokens, Rerank: each.Of(e.Rerank, func(r string) annals.Rerank { return annals.Rerank(r) }),
	}
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
	e.options.Say = a.say
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
		if err := writeFile(e.out, func(w io.Writer) error { return writeJSON(w, report) }); err != nil {
			return err
		}
	}
	if e.Record == "" {
		return nil
	}
	if err := os.MkdirAll(e.Record, 0o755); err != nil {
		return err // the error names the folder and the cause
	}
	record := retrieve.Record{Report: report, At: time.Now(), Commit: e.commit, Command: command}
	return writeFile(filepath.Join(e.Record, record.File()), record.Markdown)
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
