package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/chats"
	"github.com/annalsdb/annals/internal/archive/mem0"
	"github.com/annalsdb/annals/internal/archive/zepcloud"
	"github.com/annalsdb/annals/internal/each"
)

const importHelp = `Reads what 'annals export' wrote, from a file or from standard input, and stores
it in one transaction: all of it or, where the file is damaged, nothing. The
group must be empty. Vectors that the file does not have are made afterwards.

With --from it reads what others wrote:

  zep        a JSON object with what Zep's clients list: episodes, nodes, edges
  graphiti   the same as Graphiti's models dump it, or what Neo4j exports of its
             graph with apoc.export.json.all
  zep-cloud  a project of Zep, or one user or graph of it, asked of Zep's API with
             the key in ANNALS_ZEP_API_KEY. It goes on where it was stopped
  mem0       what Mem0's clients list or export, or its table in PostgreSQL where a
             postgres:// address is given
  chatgpt    the archive that ChatGPT exports, or conversations.json out of it
  claude     the archive that Claude exports, or conversations.json out of it

Importing the same again changes nothing. --dry-run counts and stores nothing;
what has no place here is counted by kind, with an example.`

// importing holds the flags of import.
type importing struct {
	From   string `json:"from" doc:"whose export it is, where it is not one of Annals: zep, graphiti, zep-cloud, mem0, chatgpt or claude"`
	As     string `json:"as" doc:"group to import into; else the one that was exported. acme:* puts a namespace before the names of several"`
	Force  string `json:"force" doc:"the exported group, if it was erased since and is meant to come back"`
	DryRun bool   `json:"dry_run" doc:"count what would be imported, and store nothing"`
	Only   string `json:"only" doc:"the group, user or agent of the other program to take, where its export has several"`
	User   string `json:"user" doc:"the user of Zep's project to take; else all users and graphs"`
	Graph  string `json:"graph" doc:"the graph of Zep's project to take; else all users and graphs"`
	URL    string `json:"url" doc:"the address of Zep's API, in version 2"`
	State  string `json:"state" default:"zep-cloud.import" doc:"folder for what was fetched of Zep's project, with which a stopped import goes on"`
	Table  string `json:"table" doc:"the table of Mem0, which its configuration calls collection_name"`
	Actor  string `json:"actor" doc:"what the person is called who talked with the model"`
}

// importFlags maps flags to the values of --from that they apply to.
var importFlags = map[string][]string{
	"only": {"zep", "graphiti", "mem0"}, "user": {fromZepCloud}, "graph": {fromZepCloud}, "url": {fromZepCloud}, "state": {fromZepCloud},
	"table": {fromMem0}, "actor": {string(chats.FromChatGPT), string(chats.FromClaude)},
}

const (
	fromZepCloud = "zep-cloud"
	fromMem0     = "mem0"
)

func importCommand(a *app) *cobra.Command {
	in := importing{URL: zepcloud.DefaultURL, Table: mem0.DefaultTable}
	cmd := &cobra.Command{
		Use:   "import [file]",
		Short: "Put back a group that was exported",
		Long:  importHelp,
		Example: `  annals import chat.jsonl
  annals import chat.jsonl --as chat-2024
  zstd -dc chat.jsonl.zst | annals import
  annals import alice.json --from zep --as acme:alice
  annals import --from zep-cloud --as 'acme:*' --dry-run
  annals import postgres://localhost/mem0 --from mem0
  annals import export.zip --from chatgpt --as alice --actor Alice`,
		Args:    cobra.MaximumNArgs(1),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return in.check(cmd.Flags().Changed) },
		RunE: a.withClient(func(ctx context.Context, s *session) error {
			switch in.From {
			case fromZepCloud:
				return s.importProject(ctx, in)
			case fromMem0, string(chats.FromChatGPT), string(chats.FromClaude):
				return s.importEpisodes(ctx, in)
			}
			return s.importGroup(ctx, in)
		}),
	}
	bind(cmd.Flags(), &in)
	return cmd
}

// check refuses --group, and flags of another --from.
func (in *importing) check(changed func(string) bool) error {
	if !slices.Contains(append([]string{""}, choices["from"]...), in.From) {
		return graph.Invalid("from", "%q is not one of %s", in.From, strings.Join(choices["from"], ", "))
	}
	if changed("group") {
		return graph.Invalid("group", "is not where an import goes: name that with --as")
	}
	for _, name := range slices.Sorted(maps.Keys(importFlags)) {
		if changed(name) && !slices.Contains(importFlags[name], in.From) {
			return graph.Invalid(name, "is only for --from %s", strings.Join(importFlags[name], ", "))
		}
	}
	if in.User != "" && in.Graph != "" {
		return graph.Invalid("user", "name a user or a graph, not both")
	}
	return nil
}

// importGroup imports the file of one group.
func (s *session) importGroup(ctx context.Context, in importing) error {
	source, err := s.importSource()
	if err != nil {
		return err
	}
	defer source.Close()
	moved, err := s.importFrom(ctx, source, annals.ImportOptions{
		From: archive.Foreign(in.From), GroupID: in.As, Force: in.Force, DryRun: in.DryRun, Only: in.Only,
	})
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string]annals.Moved{in.done(): moved})
	}
	s.printMoved(moved, in.DryRun)
	return nil
}

// importFrom imports a group and shows the progress.
func (s *session) importFrom(ctx context.Context, source io.Reader, options annals.ImportOptions) (annals.Moved, error) {
	shown := s.progress("making vectors", 0, plain)
	options.Report = shown.add
	moved, err := s.Import(ctx, source, options)
	shown.finish()
	return moved, err
}

// done returns the key of the JSON output.
func (in importing) done() string {
	if in.DryRun {
		return "would_import"
	}
	return "imported"
}

func (p *printer) printMoved(moved annals.Moved, dry bool) {
	p.leftOut(moved)
	p.unmapped(moved.Unmapped)
	did := "Imported"
	if dry {
		did = "Would import"
	}
	if moved.There {
		fmt.Fprintf(p.stdout, "%s has all of it already; nothing was stored\n", moved.GroupID)
		return
	}
	fmt.Fprintf(p.stdout, "%s %s: %s, %s, %s, %s in the history\n", did, moved.GroupID,
		each.Count(moved.Rows["episodes"], "episode"), each.Count(moved.Rows["entities"], "entity"), each.Count(moved.Rows["facts"], "fact"),
		each.Count(moved.Rows["entities_history"]+moved.Rows["facts_history"]+moved.Rows["communities_history"], "version"))
}

// unmapped lists what has no counterpart in Annals.
func (p *printer) unmapped(kinds archive.Unmapped) {
	if len(kinds) == 0 {
		return
	}
	fmt.Fprintln(p.stderr, "Not taken:")
	for _, k := range kinds {
		fmt.Fprintf(p.stderr, "  %d of: %s, such as %.200s\n", k.Count, k.Kind, k.Example)
	}
}

// leftOut lists what an import left out.
func (p *printer) leftOut(moved annals.Moved) {
	if len(moved.Erased) == 0 && len(moved.Withdrawn) == 0 {
		return
	}
	fmt.Fprintf(p.stderr, "Left out what was erased or withdrawn after the export: %s, %s\n", each.Count(len(moved.Erased), "episode"), each.Count(len(moved.Withdrawn), "fact"))
	for _, id := range moved.Erased {
		fmt.Fprintf(p.stderr, "  episode %s\n", id)
	}
	for _, id := range moved.Withdrawn {
		fmt.Fprintf(p.stderr, "  fact %s\n", id)
	}
}

// importSource opens the named file, or standard input.
func (s *session) importSource() (io.ReadCloser, error) {
	if len(s.args) == 1 && s.args[0] != "-" {
		f, err := os.Open(s.args[0])
		if err != nil {
			return nil, fmt.Errorf("read the export: %w", err)
		}
		return f, nil
	}
	if f, ok := s.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return nil, graph.Invalid("import", "name a file, or pipe an export in")
	}
	return io.NopCloser(s.stdin), nil
}
