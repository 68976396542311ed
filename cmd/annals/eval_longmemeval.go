package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/eval/longmemeval"
)

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
		Args:    cobra.NoArgs,
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
