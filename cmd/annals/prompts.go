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
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string][]promptJSON{"prompts": each.Of(prompts.Names(), shown)})
			}
			return a.table("NAME\tVERSION\tBYTES", each.Of(prompts.Names(), func(name string) []string {
				p := shown(name)
				return []string{name, fmt.Sprint(p.Version), fmt.Sprint(len(p.System))}
			}))
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
	if p.json {
		return p.printJSON(prompt)
	}
	_, err := fmt.Fprintf(p.stdout, "%s, version %d\n\n── system ──\n\n%s\n\n── user ──\n\n%s\n", prompt.Name, prompt.Version, prompt.System, prompt.User)
	return err
}
