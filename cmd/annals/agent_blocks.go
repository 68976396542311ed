package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// blockEdit holds the flags of agent blocks.
type blockEdit struct {
	asOf, label, value       string
	set, undo, redo, history bool
}

func agentBlocksCommand(a *app) *cobra.Command {
	var e blockEdit
	cmd := &cobra.Command{
		Use:   "blocks NAME",
		Short: "Show and edit an agent's working context",
		Example: `  annals agent blocks sam
  annals agent blocks sam --as-of 2024-05-01
  annals agent blocks sam --label human --set 'Eva, lives in Lisbon.'
  annals agent blocks sam --label human --undo`,
		Args: cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&e.asOf, "as-of", "", "as they were at this time")
	flags.StringVar(&e.label, "label", "", "only this block")
	flags.StringVar(&e.value, "set", "", "what it is to say")
	flags.BoolVar(&e.undo, "undo", false, "undo its last edit")
	flags.BoolVar(&e.redo, "redo", false, "redo the edit that was undone last")
	flags.BoolVar(&e.history, "history", false, "list what it said before")
	cmd.MarkFlagsMutuallyExclusive("as-of", "set", "undo", "redo", "history")
	cmd.RunE = func(c *cobra.Command, args []string) error {
		e.set = flags.Changed("set")
		return a.withMemory(func(ctx context.Context, s *session, args []string) error {
			return s.editBlocks(ctx, s.agents(s.Client, nil), args[0], e)
		})(c, args)
	}
	return cmd
}

func (a *app) editBlocks(ctx context.Context, agents *agent.Agents, name string, e blockEdit) error {
	one, err := agents.Open(ctx, a.group, name)
	if err != nil {
		return err
	}
	if e.label == "" || e.asOf != "" {
		if e.set || e.undo || e.redo || e.history {
			return graph.Invalid("label", "is not given; say which block is meant")
		}
		return a.showBlocks(ctx, one, e)
	}
	b, err := one.Block(ctx, e.label)
	if err != nil {
		return err
	}
	const operator = "operator"
	shown := []agent.Block{b}
	switch {
	case e.history:
		shown, err = agents.BlockHistory(ctx, a.group, b.ID)
	case e.undo:
		shown[0], err = agents.Undo(ctx, a.group, b.ID, operator)
	case e.redo:
		shown[0], err = agents.Redo(ctx, a.group, b.ID, operator)
	case e.set:
		b.Value, b.EditedBy = e.value, operator
		shown[0], err = agents.EditBlock(ctx, a.group, b)
	}
	if err != nil {
		return err
	}
	return a.printBlocks(shown)
}

func (p *printer) showBlocks(ctx context.Context, one *agent.Agent, e blockEdit) error {
	at, err := parseTime("as-of", e.asOf)
	if err != nil {
		return err
	}
	blocks, err := one.Blocks(ctx)
	if !at.IsZero() {
		blocks, err = one.BlocksAt(ctx, at)
	}
	if err != nil {
		return err
	}
	if e.label != "" {
		// Look up the current block first: a mistyped label must not look like an empty history.
		if _, err := one.Block(ctx, e.label); err != nil {
			return err
		}
		blocks = slices.DeleteFunc(blocks, func(b agent.Block) bool { return b.Label != e.label })
	}
	return p.printBlocks(blocks)
}

func (p *printer) printBlocks(blocks []agent.Block) error {
	if p.json {
		return p.printJSON(map[string][]agent.Block{"blocks": blocks})
	}
	return p.table("BLOCK\tVERSION\tSINCE\tBY\tSAYS", each.Of(blocks, func(b agent.Block) []string {
		return []string{b.Label, fmt.Sprint(b.Version), b.Since.Format(time.DateTime), b.EditedBy, brief(b.Value, 200)}
	}))
}
