package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func (a *app) importCommand() *cobra.Command {
	var options annals.ImportOptions
	cmd := &cobra.Command{
		Use:   "import [file]",
		Short: "Put back a group that was exported",
		Long: `Reads what 'annals export' wrote, from a file or from standard input, and stores
it in one transaction: all of it or, where the file is damaged, nothing. The
group must be empty. Vectors that the file does not have are made afterwards.

With --from it reads what Zep's client lists, or what Graphiti's models dump: a
JSON object with the lists episodes, nodes and edges.`,
		Example: `  annals import chat.jsonl
  annals import chat.jsonl --as chat-2024
  zstd -dc chat.jsonl.zst | annals import
  annals import alice.json --from zep --as acme:alice`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.withClient(func(ctx context.Context, client *annals.Client, args []string) error {
			source, err := a.importSource(args)
			if err != nil {
				return err
			}
			defer source.Close()
			bar := a.counting("making vectors")
			options.Report = func(made int) { _ = bar.Add(made) }
			moved, err := client.Import(ctx, source, options)
			_ = bar.Finish()
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]annals.Moved{"imported": moved})
			}
			a.leftOut(moved)
			fmt.Fprintf(a.stdout, "Imported %s: %d episodes, %d entities, %d facts, %d versions in the history\n",
				moved.GroupID, moved.Rows["episodes"], moved.Rows["entities"], moved.Rows["facts"],
				moved.Rows["entities_history"]+moved.Rows["facts_history"]+moved.Rows["communities_history"])
			return nil
		}),
	}
	cmd.Flags().StringVar((*string)(&options.From), "from", "", "whose export it is, where it is not one of Annals: zep or graphiti")
	cmd.Flags().StringVar(&options.GroupID, "as", "", "group to import into; else the one that was exported")
	cmd.Flags().StringVar(&options.Force, "force", "", "the exported group, if it was erased since and is meant to come back")
	return cmd
}

// leftOut names what an import left out.
func (a *app) leftOut(moved annals.Moved) {
	if len(moved.Erased) == 0 && len(moved.Withdrawn) == 0 {
		return
	}
	fmt.Fprintf(a.stderr, "Left out what was erased or withdrawn after the export: %d episodes, %d facts\n", len(moved.Erased), len(moved.Withdrawn))
	for _, id := range moved.Erased {
		fmt.Fprintf(a.stderr, "  episode %s\n", id)
	}
	for _, id := range moved.Withdrawn {
		fmt.Fprintf(a.stderr, "  fact %s\n", id)
	}
}

// importSource opens the file that is named, or standard input.
func (a *app) importSource(args []string) (io.ReadCloser, error) {
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return nil, fmt.Errorf("read the export: %w", err)
		}
		return f, nil
	}
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return nil, graph.Invalid("import", "name a file, or pipe an export in")
	}
	return io.NopCloser(a.stdin), nil
}
