package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/eval/datetime"
)

func evalCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval", Short: "Measure, and convert what is measured with", Args: cobra.NoArgs, RunE: showHelp,
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
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := os.Open(file)
			if err != nil {
				return fmt.Errorf("read the cases: %w", err)
			}
			defer f.Close()
			table, err := datetime.Score(f, datetime.Annals())
			if err != nil {
				return err
			}
			return a.printMeasured(table)
		},
	}
	requireFile(cmd, &file, "cases of Recognizers-Text, JSON lines, gzipped or not")
	return cmd
}

// showHelp is the RunE of commands that only group others. With it, an unknown subcommand is an
// error.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

func requireFile(cmd *cobra.Command, file *string, usage string) {
	cmd.Flags().StringVar(file, "file", "", usage)
	_ = cmd.MarkFlagRequired("file") // fails only for an unknown flag
}
