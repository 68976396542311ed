package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/server/mcp"
)

const mcpHelp = `Serves the memory to one agent over standard input and output, by the Model
Context Protocol: hosts such as Claude Desktop, Cursor or VS Code start it by
themselves. docs/mcp.md has what to write into their settings. 'annals serve'
has the same at /mcp, for agents elsewhere.

--group is the memory of calls that name none; with --tenant no other can be
reached. What is added is read in the background. Standard error has the log, a
JSON object a line.`

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the memory to an agent over standard input and output",
		Long:  mcpHelp,
		Example: `  annals mcp --group alice
  claude mcp add annals -- annals mcp --group alice`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.config.log = slog.New(slog.NewJSONHandler(a.stderr, nil))
			return a.withClient(a.mcp)(cmd, args)
		},
	}
}

func (a *app) mcp(ctx context.Context, client *annals.Client, _ []string) error {
	options := mcp.Options{Group: a.group, Log: a.config.log, Version: version()}
	return mcp.Serve(ctx, client, options, io.NopCloser(interruptible(ctx, a.stdin)), output{a.stdout.to})
}

// output is a writer whose Close does nothing.
type output struct{ io.Writer }

// Close does nothing.
func (output) Close() error { return nil }
