package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// app is one run of the command: its streams, settings and flags.
type app struct {
	printer
	stdin  io.Reader
	config config
	group  string

	began bool   // a subcommand has begun: later errors are not usage errors
	ended func() // exports the remaining spans
}

// run runs the command and returns its exit code. It does not exit the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, environ map[string]string) int {
	a := &app{stdin: stdin, printer: printer{stdout: newScreen(stdout, environ), stderr: newScreen(stderr, environ)}, ended: func() {}}
	defer a.stdout.flush()
	defer a.stderr.flush()
	var err error
	if a.config, err = readConfig(environ); err != nil {
		return a.fail(err, exitUsage)
	}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err = root.ExecuteContext(graph.WithOrigin(ctx, graph.Origin{Door: "cli", Key: environ["USER"]}))
	a.ended()
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		return a.fail(errors.New("interrupted; what was stored is kept, and 'annals retry' reads what waits"), exitFailed)
	case !a.began:
		return a.fail(err, exitUsage)
	}
	return a.fail(err, exitFailed)
}

// fail prints an error on one line and returns code.
func (p *printer) fail(err error, code int) int {
	_ = p.stderr.paint(red, "annals:") // the exit code still reports the failure
	fmt.Fprintln(p.stderr, "", strings.Join(strings.Fields(err.Error()), " "))
	return code
}

// say prints a note to standard error.
func (p *printer) say(format string, args ...any) { fmt.Fprintf(p.stderr, format+"\n", args...) }

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "annals",
		Short:         "Long-term memory for AI agents, kept in PostgreSQL",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd {
				return nil // the shell asks for completions
			}
			if err := cmd.ValidateRequiredFlags(); err != nil {
				return err
			}
			if err := refuseEmptyNames(cmd); err != nil {
				return err
			}
			a.began = true
			if err := a.config.nameOfflineEmbedder(); err != nil {
				return err
			}
			if err := a.observe(cmd.Context()); err != nil {
				return err
			}
			return a.bindTenant(cmd)
		},
	}
	root.SetFlagErrorFunc(explainFlag)
	flags := root.PersistentFlags()
	flags.StringVar(&a.config.DatabaseURL, "database-url", a.config.DatabaseURL, "PostgreSQL to use instead of the embedded one (ANNALS_DATABASE_URL)")
	flags.Lookup("database-url").DefValue = "" // --help would show the password in it
	flags.StringVar(&a.config.LLM, "llm", a.config.LLM, "language model that reads episodes, as provider:model; offline: rules (ANNALS_LLM)")
	flags.StringVar(&a.config.Embedder, "embedder", a.config.Embedder, "what makes vectors, as provider:model; offline: feature hashing (ANNALS_EMBEDDER)")
	flags.StringVarP(&a.group, "group", "g", a.config.Group, "the memory to work on (ANNALS_GROUP)")
	flags.StringVar(&a.config.Tenant, "tenant", a.config.Tenant, "the only group that can be reached; the database sees to that (ANNALS_TENANT)")
	flags.BoolVar(&a.json, "json", false, "print JSON")
	flags.StringVar(&a.config.LogFormat, "log-format", a.config.LogFormat, "how the log is written: json or text (ANNALS_LOG_FORMAT)")
	flags.StringVar(&a.config.LogLevel, "log-level", a.config.LogLevel,
		"what is logged to standard error: debug, info, warn or error; not set: by services info, else nothing (ANNALS_LOG_LEVEL)")
	a.addCommands(root)
	takeNothing(root)
	a.complete(root)
	return root
}

// takeNothing has the commands below cmd refuse arguments, unless they say which they take.
func takeNothing(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.Args == nil {
			sub.Args = cobra.NoArgs
		}
		takeNothing(sub)
	}
}

const rootHelp = `Annals keeps what an agent hears as episodes, builds a graph of entities and
facts from them, and finds what is relevant again.

Without ANNALS_DATABASE_URL it runs a private PostgreSQL of its own, which it
starts when needed and leaves running; 'annals down' stops it.`
