package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/server/mcp"
)

const mcpHelp = `Serves the memory to one agent over standard input and output, by the Model
Context Protocol: hosts such as Claude Desktop, Cursor or VS Code start it by
themselves. 'annals mcp install' writes it into their settings, and docs/mcp.md has
what. 'annals serve' has the same at /mcp, for agents elsewhere.

--group is the memory of calls that name none; with --tenant no other can be
reached. What is added is read in the background. Standard error has the log, a
JSON object a line.

Tools answer with a short text. With --structured they declare schemas of their
answers and send objects, for programs that read them.`

func mcpCommand(a *app) *cobra.Command {
	var shown mcp.Options
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the memory to an agent over standard input and output",
		Long:  mcpHelp,
		Example: `  annals mcp install                    # into the settings of the hosts on this machine
  annals mcp --group alice              # what a host starts
  claude mcp add annals -- annals mcp --group alice`,
		PreRun: func(*cobra.Command, []string) { a.config.log = slog.New(slog.NewJSONHandler(a.stderr, nil)) },
		RunE:   a.withClient(func(ctx context.Context, s *session) error { return s.mcp(ctx, shown) }),
	}
	flags := cmd.Flags()
	flags.BoolVar(&shown.Structured, "structured", false, "answer with objects, whose schemas the tools declare, and not with short texts")
	flags.BoolVar(&shown.Aliases, "aliases", false, "list tools by their former names too")
	cmd.AddCommand(mcpInstallCommand(a))
	return cmd
}

func (s *session) mcp(ctx context.Context, options mcp.Options) error {
	options.Group, options.Log, options.Version = s.group, s.config.log, version()
	return mcp.Serve(ctx, s.Client, options, io.NopCloser(interruptible(ctx, s.stdin)), output{s.stdout.to})
}

// output is a writer whose Close does nothing.
type output struct{ io.Writer }

// Close does nothing.
func (output) Close() error { return nil }
