package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/datetime"
	"github.com/annalsdb/annals/internal/eval/entity"
	"github.com/annalsdb/annals/internal/eval/reading"
	"github.com/annalsdb/annals/internal/eval/truth"
)

func evalCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval", Short: "Measure, and convert what is measured with", RunE: showHelp,
	}
	cmd.AddCommand(evalDatetimeCommand(a), evalEntityCommand(a), evalLocomoCommand(a), evalLongMemEvalCommand(a), evalDMRCommand(a), evalAllCommand(a), evalTruthCommand(a), evalReadingCommand(a))
	return cmd
}

func evalDatetimeCommand(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "datetime",
		Short:   "Measure how well time expressions are read",
		Example: "  annals eval datetime --file datetime_en_dev.jsonl.gz",
		RunE: func(*cobra.Command, []string) error {
			f, err := os.Open(file)
			if err != nil {
				return fmt.Errorf("read the cases: %w", err)
			}
			defer f.Close()
			return a.printMeasured(datetime.Score(f, datetime.Annals()))
		},
	}
	require(cmd, &file, "file", "cases of Recognizers-Text, JSON lines, gzipped or not")
	return cmd
}

func evalEntityCommand(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "entity",
		Short: "Compare the matcher of entities with two baselines",
		Long: `Compare the matcher of entities with two baselines: equal names, and Jaro–Winkler similarity of names.

The data sets are found by the names of their files: friends_character_identification_*.json.gz,
febrl_*.csv.gz and magellan_NAME_{train,valid,test}.tsv.`,
		Example: "  annals eval entity --dir data/entity",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.printMeasured(entity.Score(cmd.Context(), dir)) },
	}
	require(cmd, &dir, "dir", "folder of data sets")
	return cmd
}

// showHelp is the RunE of commands that only group others. With it, an unknown subcommand is an
// error.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// require adds a flag that must be given.
func require(cmd *cobra.Command, value *string, name, usage string) {
	cmd.Flags().StringVar(value, name, "", usage)
	_ = cmd.MarkFlagRequired(name) // fails only for an unknown flag
}

// truthRun holds the flags of eval truth.
type truthRun struct {
	File    string `json:"file" required:"true" doc:"cases, as JSON lines; docs/temporal.md has their form"`
	Offline bool   `json:"offline" doc:"have the offline rules read the texts, without the cases' answers"`
	All     bool   `json:"all" doc:"with --offline or --reverse: also those cases that are not for it"`
	Window  int    `json:"window" default:"1" doc:"messages that arrive, and are read, together"`
	Reverse bool   `json:"reverse" doc:"read the messages of each case last first, each with its own time"`
	Keep    bool   `json:"keep" doc:"leave the groups of the cases in the database, to look at"`
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.All && !r.Offline && !r.Reverse {
				return graph.Invalid("all", "is for --offline and --reverse, which else read only the cases that are for them")
			}
			return a.evalTruth(cmd.Context(), r)
		},
	}
	bind(cmd.Flags(), &r)
	return cmd
}

func (a *app) evalTruth(ctx context.Context, r truthRun) error {
	cases, err := truth.Load(r.File)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c truth.Case) bool {
		return !r.All && (r.Offline && !c.Offline || r.Reverse && !c.AnyOrder())
	})
	client, analyst, err := a.truthClient(ctx, r.Offline, r.Window)
	if err != nil {
		return err
	}
	defer client.Close()
	report, err := truth.Run(ctx, client, analyst, cases, truth.Options{Window: r.Window, Reverse: r.Reverse, Keep: r.Keep})
	if err := a.printMeasured(report, err); err != nil {
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

// readingRun holds the flags of eval reading.
type readingRun struct {
	Cases     string `json:"cases" doc:"cases of eval truth, as JSON lines"`
	Questions string `json:"questions" doc:"what is asked of the cases, as JSON lines; docs/search.md has their form"`
	Stories   string `json:"stories" doc:"stories with their questions, as JSON lines"`
	Tokens    int    `json:"tokens" doc:"the budget that contexts must do with, too"`
	Keep      bool   `json:"keep" doc:"leave the groups in the database, to look at"`
}

func evalReadingCommand(a *app) *cobra.Command {
	r := readingRun{Tokens: reading.DefaultTokens}
	cmd := &cobra.Command{
		Use:   "reading",
		Short: "Check what contexts tell, question by question",
		Long: `Check what contexts tell, question by question.

Questions are asked of cases of eval truth, which are read with their own answers, and of stories, which the
offline rules read. A context must tell what holds in a line that is no message, must mark what is over, and
must not have what nobody told: with default settings, and within a budget of tokens.`,
		Example: `  annals eval reading --cases truth.jsonl --questions reading.jsonl
  annals eval reading --stories stories.jsonl --tokens 500`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.Tokens < 1 {
				return graph.Invalid("tokens", "is %d; give the budget of the second context", r.Tokens)
			}
			return a.evalReading(cmd.Context(), r)
		},
	}
	bind(cmd.Flags(), &r)
	cmd.MarkFlagsRequiredTogether("cases", "questions")
	cmd.MarkFlagsOneRequired("questions", "stories")
	return cmd
}

func (a *app) evalReading(ctx context.Context, r readingRun) error {
	report := reading.Report{Tokens: r.Tokens}
	for _, from := range []struct {
		file    string
		offline bool
		load    func() ([]reading.Memory, error)
	}{
		{r.Questions, false, func() ([]reading.Memory, error) { return reading.LoadCases(r.Cases, r.Questions) }},
		{r.Stories, true, func() ([]reading.Memory, error) { return reading.LoadStories(r.Stories) }},
	} {
		if from.file == "" {
			continue
		}
		memories, err := from.load()
		if err != nil {
			return err
		}
		part, err := a.readAndAsk(ctx, memories, from.offline, reading.Options{Tokens: r.Tokens, Keep: r.Keep})
		if err != nil {
			return err
		}
		report.Parts = append(report.Parts, part.Parts...)
	}
	if err := a.printMeasured(report, nil); err != nil {
		return err
	}
	if wrong := len(report.Wrong()); wrong > 0 {
		return fmt.Errorf("%d of %d questions fall short", wrong, report.Asked())
	}
	return nil
}

func (a *app) readAndAsk(ctx context.Context, memories []reading.Memory, offline bool, options reading.Options) (reading.Report, error) {
	client, analyst, err := a.truthClient(ctx, offline, 1)
	if err != nil {
		return reading.Report{}, err
	}
	defer client.Close()
	return reading.Run(ctx, client, analyst, memories, options)
}
