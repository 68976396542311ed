package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/server/mcp"
	"github.com/annalsdb/annals/internal/server/mcp/hosts"
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

// installation holds the flags of mcp install.
type installation struct {
	Name        string `json:"name" default:"annals" doc:"what the hosts call this memory"`
	Command     string `json:"command" doc:"program that they start; not set: this one"`
	Project     bool   `json:"project" doc:"into the settings of the project in this folder, which its people share"`
	WithSecrets bool   `json:"with_secrets" doc:"write passwords and keys into the settings too"`
	DryRun      bool   `json:"dry_run" doc:"print what would change, and change nothing"`
	Yes         bool   `json:"yes" doc:"do it without asking"`
}

func mcpInstallCommand(a *app) *cobra.Command {
	var in installation
	names := hostNames(hosts.All())
	cmd := &cobra.Command{
		Use:   "install [HOST...]",
		Short: "Write this memory into the settings of the programs that use it",
		Long: `Writes 'annals mcp' into the settings of hosts: ` + strings.Join(names, ", ") + `.
Without a name, of those that are used on this machine. It prints what would
change and asks; --yes does it, --dry-run does not. What the settings hold
otherwise stays, with its comments, and the old file is kept beside the new one.

--group, --tenant and the ANNALS_ variables that are set now go along. Passwords
and keys do not: the host is told to pass the variable on from its own
environment, where it can. --with-secrets writes them down.`,
		Example: `  annals mcp install --dry-run
  annals mcp install claude-code cursor --group alice
  annals mcp install vscode --project --yes    # .vscode/mcp.json of this folder`,
		ValidArgs: names,
		Args:      cobra.ArbitraryArgs,
		RunE:      func(_ *cobra.Command, args []string) error { return a.mcpInstall(in, args) },
	}
	bind(cmd.Flags(), &in)
	return cmd
}

// settingsChange is the change of the settings of one host.
type settingsChange struct {
	Host    string `json:"host"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Diff    string `json:"diff,omitempty"`
	Written bool   `json:"written"`
	Backup  string `json:"backup,omitempty"` // the copy of the former file
	Note    string `json:"note,omitempty"`   // what is left to do

	before, after []byte
	isNew         bool
	host          hosts.Host
	secret        bool // the new settings hold secrets, so only the user may read the file
}

// mcpInstall computes all changes before it writes the first.
func (a *app) mcpInstall(in installation, names []string) error {
	if err := a.installable(in); err != nil {
		return err
	}
	chosen, err := a.chosenHosts(in, names)
	if err != nil {
		return err
	}
	var changes []*settingsChange
	for _, h := range chosen {
		change, err := a.changeSettings(h, in)
		if err != nil {
			return fmt.Errorf("%s: %w", h.Title, err)
		}
		changes = append(changes, change)
	}
	if !a.json {
		a.printChanges(changes)
	}
	left := slices.DeleteFunc(slices.Clone(changes), func(c *settingsChange) bool { return !c.Changed })
	if len(left) > 0 && !in.DryRun {
		if err := a.agreed(in, len(left)); err != nil {
			return err
		}
		for _, change := range left {
			if err := a.writeSettings(change, in); err != nil {
				return err
			}
			if !a.json {
				fmt.Fprintf(a.stdout, "Wrote %s%s. Restart %s to use it.\n", change.File, keptAs(change.Backup), change.Host)
			}
		}
	}
	if a.json {
		return a.printJSON(map[string][]*settingsChange{"hosts": changes})
	}
	return nil
}

func keptAs(backup string) string {
	if backup == "" {
		return ""
	}
	return "; the old one is " + backup
}

func (a *app) installable(in installation) error {
	switch {
	case strings.Trim(in.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || in.Name == "":
		return graph.Invalid("name", "%q must be of the letters a to z, digits, - and _", in.Name)
	case in.Project && in.WithSecrets:
		return graph.Invalid("with-secrets", "does not go with --project, whose settings are shared; leave one of them out")
	case in.DryRun && in.Yes:
		return graph.Invalid("dry-run", "does not go with --yes; leave one of them out")
	case a.config.Tenant != "" && a.group != a.config.Tenant:
		return &annals.Error{Code: annals.CodeForbidden, Field: "group", Message: a.group + " is not the group this memory is bound to"}
	}
	return graph.ValidateGroupID(a.group)
}

// chosenHosts returns the named hosts, else those that are installed.
func (a *app) chosenHosts(in installation, names []string) ([]hosts.Host, error) {
	var chosen []hosts.Host
	for _, name := range names {
		h, ok := hosts.Find(name)
		if !ok {
			return nil, graph.Invalid("host", "%q is none of those that are known: %s", name, strings.Join(hostNames(hosts.All()), ", "))
		}
		chosen = append(chosen, h)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	for _, h := range hosts.All() {
		if in.Project && h.Project == "" {
			continue
		}
		if slices.ContainsFunc(h.Signs(a.machine()), exists) {
			chosen = append(chosen, h)
		}
	}
	if len(chosen) == 0 {
		return nil, graph.Invalid("host", "is missing, and none of those that are known is used here; name one of %s", strings.Join(hostNames(hosts.All()), ", "))
	}
	return chosen, nil
}

func hostNames(all []hosts.Host) []string {
	return each.Of(all, func(h hosts.Host) string { return h.Name })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (a *app) machine() hosts.Machine {
	return hosts.Machine{OS: runtime.GOOS, Environ: a.config.environ}
}

// changeSettings computes the change of the settings of a host.
func (a *app) changeSettings(h hosts.Host, in installation) (*settingsChange, error) {
	file := h.File(a.machine())
	if in.Project {
		file = filepath.FromSlash(h.Project)
	}
	if file == "" && in.Project {
		return nil, graph.Invalid("project", "is nothing that it has settings for; leave it out")
	}
	if file == "" {
		return nil, errors.New("nothing says where your home folder is; set HOME")
	}
	change := &settingsChange{host: h, Host: h.Title, File: file, secret: in.WithSecrets}
	var err error
	if change.before, err = os.ReadFile(file); errors.Is(err, fs.ErrNotExist) {
		change.isNew = true
	} else if err != nil {
		return nil, fmt.Errorf("read its settings: %w", err)
	}
	server, note, err := a.hostedServer(h, in)
	if err != nil {
		return nil, err
	}
	if change.after, err = h.Edit(change.before, server); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	change.Note = note
	change.Changed = change.isNew || !bytes.Equal(change.before, change.after)
	change.Diff = string(diff.Diff(file, change.before, file, change.after))
	return change, nil
}

// hostedServer returns the server that a host is to start, and a note on settings that the host
// cannot pass on.
func (a *app) hostedServer(h hosts.Host, in installation) (hosts.Server, string, error) {
	command, err := commandOf(in)
	if err != nil {
		return hosts.Server{}, "", err
	}
	s := hosts.Server{Name: in.Name, Command: command, Args: []string{"mcp", "--group", a.group}, Env: map[string]string{}}
	if a.config.Tenant != "" {
		s.Args = []string{"mcp", "--tenant", a.config.Tenant}
	}
	var kept []string
	for _, setting := range a.hostedSettings() {
		switch {
		case in.Project && setting.name == "XDG_DATA_HOME": // other users have their own
		case !setting.secret || in.WithSecrets:
			s.Env[setting.name] = setting.value
		case h.Passes():
			s.Passed = append(s.Passed, setting.name)
		default:
			kept = append(kept, setting.name)
			if setting.without != "" {
				s.Env[setting.name] = setting.without
			}
		}
	}
	note := ""
	switch {
	case len(kept) > 0:
		note = h.Title + " passes none of your variables on, and the secrets of " + strings.Join(kept, ", ") +
			" are not written: put the password of PostgreSQL into ~/.pgpass, or add --with-secrets"
	case len(s.Passed) > 0:
		note = h.Title + " passes on " + strings.Join(s.Passed, ", ") + ": set it where you start it, or add --with-secrets"
	}
	return s, note, nil
}

// commandOf returns the program that hosts start. Hosts have another PATH than a shell, and other
// users of a project have the program elsewhere.
func commandOf(in installation) (string, error) {
	if in.Command != "" {
		return in.Command, nil
	}
	if in.Project {
		return "annals", nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program, which --command names: %w", err)
	}
	if found, err := exec.LookPath("annals"); err == nil && sameFile(found, self) {
		if whole, err := filepath.Abs(found); err == nil {
			return whole, nil // a link that stays valid when the program is replaced
		}
	}
	return self, nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

func (p *printer) printChanges(changes []*settingsChange) {
	for _, c := range changes {
		if !c.Changed {
			fmt.Fprintf(p.stdout, "%s: %s has it already.\n", c.Host, c.File)
			continue
		}
		fmt.Fprintf(p.stdout, "%s: %s\n%s", c.Host, c.File, c.Diff)
		if c.Note != "" {
			fmt.Fprintln(p.stdout, "Note: "+c.Note+".")
		}
		fmt.Fprintln(p.stdout)
	}
}

// agreed asks for permission to write the changes.
func (a *app) agreed(in installation, files int) error {
	if in.Yes {
		return nil
	}
	if a.json {
		return graph.Invalid("yes", "is missing; with --json nobody is asked: add --yes to write, or --dry-run to look")
	}
	fmt.Fprintf(a.stderr, "Write %s? [y/N] ", each.Count(files, "file"))
	answer, err := bufio.NewReader(a.stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	if err != nil { // there is no input
		a.say("")
	}
	return errors.New("nothing was written; answer y, or add --yes")
}
