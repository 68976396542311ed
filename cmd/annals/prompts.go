package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// promptJSON is a rendered prompt as it is printed.
type promptJSON struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	System  string `json:"system"`
	User    string `json:"user"`
}

func promptsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "prompts",
		Short:   "List what language models are asked",
		Example: "  annals prompts\n  annals prompts show extract_facts",
		RunE: func(*cobra.Command, []string) error {
			return listing[promptJSON]{
				key: "prompts", header: "NAME\tVERSION\tBYTES",
				cells: func(p promptJSON, _ string) []string {
					return []string{p.Name, fmt.Sprint(p.Version), fmt.Sprint(len(p.System))}
				},
			}.print(&a.printer, each.Of(prompts.Names(), shown))
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "show NAME",
		Short:   "Print a prompt, put into words with sample input",
		Example: "  annals prompts show resolve_facts",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.showPrompt(args[0]) },

		ValidArgsFunction: completePrompts,
	})
	return cmd
}

// shown returns a prompt by its listed name. A prompt with several forms has a name for each.
func shown(name string) promptJSON {
	p, _ := prompts.Show(name)
	p.Name = name
	return promptJSON(p)
}

func (p *printer) showPrompt(name string) error {
	if !slices.Contains(prompts.Names(), name) {
		return graph.Invalid("prompt", "there is none called %q; there are %s", name, strings.Join(prompts.Names(), ", "))
	}
	prompt := shown(name)
	return p.tell(prompt, "%s, version %d\n\n── system ──\n\n%s\n\n── user ──\n\n%s\n", prompt.Name, prompt.Version, prompt.System, prompt.User)
}
