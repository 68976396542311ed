package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

func exportCommand(a *app) *cobra.Command {
	var output string
	var options annals.ExportOptions
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "export",
		Short: "Write a group to a file, with its history",
		Long: `Writes a group as lines of JSON: episodes, graph, history, communities, threads,
ontology, traces and the ledger of model calls, with ids and times as they are
and a checksum at the end. 'annals import' puts it back, into any database.`,
		Example: `  annals export --group chat --output chat.jsonl
  annals export --group chat | zstd > chat.jsonl.zst`,
	}, func(ctx context.Context, s *session, _ *none) error {
		if output == "" || output == "-" {
			if s.stdout.terminal() {
				return graph.Invalid("output", "name a file, or pipe the export somewhere")
			}
			_, err := s.Export(ctx, s.group, s.stdout.to, options) // byte by byte: its end has a checksum
			return err
		}
		var moved annals.Moved
		err := writeWhole(output, func(w io.Writer) (err error) {
			moved, err = s.Export(ctx, s.group, w, options)
			return err
		})
		if err != nil {
			return err
		}
		return s.tell(map[string]annals.Moved{"exported": moved}, "Exported %s to %s: %s, SHA-256 %s\n", s.group, output, each.Count(moved.Lines, "line"), moved.SHA256)
	})
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write; else standard output")
	cmd.Flags().BoolVar(&options.Vectors, "vectors", false, "export the vectors too, else they are made anew on import")
	return cmd
}

// writeWhole writes a file that appears under its name only when it is complete.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // fails after the rename
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
