package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/eval/datetime"
	"github.com/annalsdb/annals/eval/locomo"
)

func (a *app) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval", Short: "Measure, and convert what is measured with", Args: cobra.NoArgs, RunE: showHelp,
	}
	cmd.AddCommand(a.evalDatetimeCommand(), a.evalEntityCommand(), a.evalLocomoCommand())
	return cmd
}

func (a *app) evalDatetimeCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "datetime",
		Short:   "Compare the reader of time expressions with two libraries",
		Example: "  annals eval datetime --file datetime_en_dev.jsonl.gz",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := os.Open(file)
			if err != nil {
				return fmt.Errorf("read the cases: %w", err)
			}
			defer f.Close()
			table, err := datetime.Score(f)
			if err != nil {
				return err
			}
			if a.json {
				return table.JSON(a.stdout)
			}
			return table.Markdown(a.stdout)
		},
	}
	requireFile(cmd, &file, "cases of Recognizers-Text, JSON lines, gzipped or not")
	return cmd
}

func (a *app) evalLocomoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "locomo", Short: "Work with LoCoMo conversations", Args: cobra.NoArgs, RunE: showHelp,
	}
	var file, sample, out string
	convert := &cobra.Command{
		Use:     "convert",
		Short:   "Write a conversation as JSON lines for 'annals add --file'",
		Example: "  annals eval locomo convert --file locomo10.json --sample conv-26 --out conv-26.jsonl",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.convertLocomo(file, sample, out) },
	}
	requireFile(convert, &file, "conversations in LoCoMo's own format, gzipped or not")
	convert.Flags().StringVar(&sample, "sample", "", "the conversation's sample_id; otherwise all")
	convert.Flags().StringVar(&out, "out", "", "write here instead of standard output")
	cmd.AddCommand(convert)
	return cmd
}

// showHelp is what a command does that only holds others. With it, a word that
// names none of them is a misuse.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

func requireFile(cmd *cobra.Command, file *string, usage string) {
	cmd.Flags().StringVar(file, "file", "", usage)
	_ = cmd.MarkFlagRequired("file") // it fails only for a flag that is not there
}

func (a *app) convertLocomo(file, sample, out string) error {
	conversations, err := locomo.Load(file)
	if err != nil {
		return err
	}
	if out == "" {
		return writeLocomo(a.stdout, conversations, file, sample)
	}
	f, err := os.Create(out)
	if err != nil {
		return fmt.Errorf("write the lines: %w", err)
	}
	if err := writeLocomo(f, conversations, file, sample); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close() // a full disk may only tell now
}

func writeLocomo(w io.Writer, conversations []locomo.Conversation, file, sample string) error {
	found := false
	for _, c := range conversations {
		if sample != "" && c.SampleID != sample {
			continue
		}
		found = true
		lines, err := locomo.Convert(c)
		if err != nil {
			return err
		}
		if err := locomo.Write(w, lines); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s has no conversation %s", file, sample)
	}
	return nil
}
