package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/eval/reading"
)

// readingRun holds the flags of eval reading.
type readingRun struct {
	cases, questions, stories string
	options                   reading.Options
}

func evalReadingCommand(a *app) *cobra.Command {
	var r readingRun
	cmd := &cobra.Command{
		Use:   "reading",
		Short: "Check what contexts tell, question by question",
		Long: `Check what contexts tell, question by question.

Questions are asked of cases of eval truth, which are read with their own answers, and of stories, which the
offline rules read. A context must tell what holds in a line that is no message, must mark what is over, and
must not have what nobody told: with default settings, and within a budget of tokens.`,
		Example: `  annals eval reading --cases truth.jsonl --questions reading.jsonl
  annals eval reading --stories stories.jsonl --tokens 500`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.options.Tokens < 1 {
				return graph.Invalid("tokens", "is %d; give the budget of the second context", r.options.Tokens)
			}
			return a.evalReading(cmd.Context(), r)
		},
	}
	cmd.Flags().StringVar(&r.cases, "cases", "", "cases of eval truth, as JSON lines")
	cmd.Flags().StringVar(&r.questions, "questions", "", "what is asked of the cases, as JSON lines; docs/search.md has their form")
	cmd.Flags().StringVar(&r.stories, "stories", "", "stories with their questions, as JSON lines")
	cmd.Flags().IntVar(&r.options.Tokens, "tokens", reading.DefaultTokens, "the budget that contexts must do with, too")
	cmd.Flags().BoolVar(&r.options.Keep, "keep", false, "leave the groups in the database, to look at")
	cmd.MarkFlagsRequiredTogether("cases", "questions")
	cmd.MarkFlagsOneRequired("questions", "stories")
	return cmd
}

func (a *app) evalReading(ctx context.Context, r readingRun) error {
	report := reading.Report{Tokens: r.options.Tokens}
	for _, from := range []struct {
		file    string
		offline bool
		load    func() ([]reading.Memory, error)
	}{
		{r.questions, false, func() ([]reading.Memory, error) { return reading.LoadCases(r.cases, r.questions) }},
		{r.stories, true, func() ([]reading.Memory, error) { return reading.LoadStories(r.stories) }},
	} {
		if from.file == "" {
			continue
		}
		memories, err := from.load()
		if err != nil {
			return err
		}
		part, err := a.readAndAsk(ctx, memories, from.offline, r.options)
		if err != nil {
			return err
		}
		report.Parts = append(report.Parts, part.Parts...)
	}
	if err := a.printMeasured(report); err != nil {
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
