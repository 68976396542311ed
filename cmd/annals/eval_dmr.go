package main

import "github.com/spf13/cobra"

func evalDMRCommand(a *app) *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:   "dmr",
		Short: "Measure what of the answers to DMR's questions is found",
		Long: `Measure what of the answers to the questions of DMR (MSC-Self-Instruct) is found, beside plain BM25.

Conversations are read into groups of their own (eval-dmr-NUMBER-ID), which are used again by the next
run: after a change to what is stored, choose another --prefix. A file of recorded answers needs none.`,
		Example: "  annals eval dmr --file msc_self_instruct.jsonl",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evaluate(cmd, &e, e.dmr())
		},
	}
	e.fileFlags(cmd, "conversations of MSC-Self-Instruct, or recorded answers, as JSON lines, gzipped or not")
	return cmd
}
