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
