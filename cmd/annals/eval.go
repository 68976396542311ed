package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/eval/datetime"
	"github.com/annalsdb/annals/internal/eval/entity"
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
