package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/eval/locomo"
)

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
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evaluate(cmd, &e, e.locomo(sample))
		},
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
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.convertLocomo(file, sample, out) },
	}
	requireFile(cmd, &file, "conversations in LoCoMo's own format, gzipped or not")
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
