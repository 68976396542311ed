package main

import (
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/eval/entity"
)

func evalEntityCommand(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "entity",
		Short: "Compare the matcher of entities with two baselines",
		Long: `Compare the matcher of entities with two baselines: equal names, and Jaro–Winkler similarity of names.

The data sets are found by the names of their files: friends_character_identification_*.json.gz,
febrl_*.csv.gz and magellan_NAME_{train,valid,test}.tsv.`,
		Example: "  annals eval entity --dir data/entity",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			table, err := entity.Score(cmd.Context(), dir)
			if err != nil {
				return err
			}
			return a.printMeasured(table)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "folder of data sets")
	_ = cmd.MarkFlagRequired("dir") // fails only for an unknown flag
	return cmd
}
