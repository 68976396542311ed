package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

const agentHelp = `Agents manage a memory of their own: a small context with blocks that they edit,
everything that was ever said in recall storage, an archive without bounds, and
the group's graph. They think with the model of ANNALS_LLM; docs/agent.md says
how they work.`

func agentCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "agent", Short: "Make agents that manage their own memory, and talk with them", Long: agentHelp,
		Example: "  annals agent create sam --persona 'I am Sam, a patient librarian.'\n  annals agent chat sam --calls",
	}
	cmd.AddCommand(
		agentAttachCommand(a), agentBlocksCommand(a), agentChatCommand(a), agentCreateCommand(a), agentDeleteCommand(a), agentExportCommand(a),
		agentImportCommand(a), agentListCommand(a), agentRunCommand(a),
	)
	return cmd
}

// withAgent runs work on the agent named by the first argument.
func (a *app) withAgent(o *outside, work func(ctx context.Context, one *agent.Agent, args []string) error) func(*cobra.Command, []string) error {
	return a.withMemory(func(ctx context.Context, s *session) error {
		one, err := s.agents(s.Client, o).Open(ctx, s.group, s.args[0])
		if err != nil {
			return err
		}
		return work(ctx, one, s.args[1:])
	})
}

func agentCreateCommand(a *app) *cobra.Command {
	var spec agent.Spec
	var persona, human string
	var limit int
	cmd := &cobra.Command{
		Use:     "create NAME",
		Short:   "Make an agent",
		Example: "  annals agent create sam --human 'Eva, lives in Lisbon.' --window 16384",
		Args:    cobra.ExactArgs(1),
		RunE: a.withClient(func(ctx context.Context, s *session) error {
			spec.GroupID, spec.Name, spec.Blocks = s.group, s.args[0], agent.DefaultBlocks()
			spec.Blocks[0].Value, spec.Blocks[1].Value = persona, human
			for i := range spec.Blocks {
				spec.Blocks[i].Limit = limit
			}
			one, err := s.agents(s.Client, nil).Create(ctx, spec)
			if err != nil {
				return err
			}
			return agentList.show(s, []*agent.Agent{one})
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&spec.Instructions, "instructions", "", "what it is told beside how its memory works")
	flags.StringVar(&persona, "persona", "", "who it is, to begin with")
	flags.StringVar(&human, "human", "", "who the user is, to begin with")
	flags.IntVar(&limit, "block-limit", agent.DefaultBlockLimit, "characters that each of those blocks may have")
	flags.IntVar(&spec.Settings.Window, "window", agent.DefaultWindow, "tokens that the model takes, its answer included")
	flags.IntVar(&spec.Settings.ContextTokens, "context-tokens", 0, "tokens of the graph that are put before each turn")
	flags.IntVar(&spec.Settings.HeartbeatSeconds, "heartbeat-seconds", 0, "wake it every so many seconds; 0: never")
	flags.StringVar(&spec.Settings.TimeZone, "time-zone", "", "where it lives, as Europe/Berlin")
	flags.BoolVar(&spec.Settings.NoGraph, "no-graph", false, "keep what is said from the group's graph")
	flags.BoolVar(&spec.Settings.RecordRuns, "record-runs", false, "keep its turns as runs, of which skills are learned once they are judged")
	flags.BoolVar(&spec.Settings.AllowFiles, "allow-files", false, "let it use the files of the folder that --folder names")
	flags.BoolVar(&spec.Settings.AllowHTTP, "allow-http", false, "let it send requests to the hosts that --hosts names")
	return cmd
}

func agentListCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{Use: "list", Short: "List the agents of a group"},
		func(ctx context.Context, s *session, _ *none) ([]*agent.Agent, error) {
			return s.agents(s.Client, nil).List(ctx, s.group, "", annals.MaxRows)
		}, agentList.show)
}

var agentList = listing[*agent.Agent]{
	key: "agents", header: "AGENT\tID\tMESSAGES\tIN CONTEXT\tPASSAGES\tSTEPS",
	ids: func(one *agent.Agent) []uuid.UUID { return []uuid.UUID{one.ID} },
	cells: func(one *agent.Agent, short string) []string {
		return []string{one.Name, short, fmt.Sprint(one.Messages), fmt.Sprint(one.InContext), fmt.Sprint(one.Passages), fmt.Sprint(one.Steps)}
	},
}

// telling holds the flags of agent run.
type telling struct {
	Calls      bool   `json:"calls" to:"-" doc:"show what it thinks and which functions it calls"`
	Kind       string `json:"kind" enum:"message,login,upload,alert,heartbeat" doc:"what it is told: message, login, upload, alert or heartbeat"`
	Actor      string `json:"actor" doc:"who says it"`
	ExternalID string `json:"external_id" doc:"your own name for it: told twice it is heard once"`
}

func agentRunCommand(a *app) *cobra.Command {
	var o outside
	var in telling
	cmd := &cobra.Command{
		Use:   "run NAME [MESSAGE]",
		Short: "Tell an agent something, or finish the turn that it began",
		Long: `Tells an agent something and prints what it says. Without a message it goes on
with a turn that was not finished, after a crash or an error of the model.`,
		Example: "  annals agent run sam 'What did I tell you about Lisbon?'\n  annals agent run sam --kind login\n  annals agent run sam",
		Args:    cobra.MinimumNArgs(1),
		RunE: a.withAgent(&o, func(ctx context.Context, one *agent.Agent, args []string) error {
			event, err := input.Read(in, agent.Event{Content: strings.Join(args, " ")})
			if err != nil {
				return err
			}
			report := a.reporter(in.Calls)
			if a.json {
				report = nil
			}
			var turn agent.Turn
			if event.Content == "" && in.Kind == "" {
				turn, err = one.Resume(ctx, report)
			} else {
				turn, err = one.Tell(ctx, event, report)
			}
			if err == nil && a.json {
				return a.printJSON(turn)
			}
			return err
		}),
	}
	o.flags(cmd)
	bind(cmd.Flags(), &in)
	return cmd
}

// reporter returns a function that prints the steps of an agent.
func (p *printer) reporter(calls bool) func(agent.Step) {
	return func(s agent.Step) {
		if calls && s.Thought != "" {
			fmt.Fprintf(p.stdout, "  (%s)\n", cell(s.Thought))
		}
		switch {
		case s.Message != "":
			fmt.Fprintln(p.stdout, s.Message)
		case !calls && s.Kind != agent.StepStopped:
		case s.Kind == agent.StepCall:
			fmt.Fprintf(p.stdout, "  → %s %s\n  ← %s\n", s.Function, brief(s.Arguments, 200), brief(s.Result, 400))
		case s.Kind == agent.StepThought:
		default:
			fmt.Fprintf(p.stdout, "  [%s] %s\n", s.Kind, brief(s.Result, 400))
		}
	}
}

func agentChatCommand(a *app) *cobra.Command {
	var o outside
	var calls bool
	var actor string
	cmd := &cobra.Command{
		Use:   "chat NAME",
		Short: "Talk with an agent, line by line",
		Long: `Talks with an agent: each line is a message, an empty one or the end of the input
ends the conversation. /calls shows or hides the functions that it calls.`,
		Example: "  annals agent chat sam --calls",
		Args:    cobra.ExactArgs(1),
		RunE: a.withAgent(&o, func(ctx context.Context, one *agent.Agent, _ []string) error {
			if _, err := one.Resume(ctx, a.reporter(calls)); err != nil {
				return err
			}
			return a.chat(ctx, one, actor, calls)
		}),
	}
	o.flags(cmd)
	cmd.Flags().BoolVar(&calls, "calls", false, "show what it thinks and which functions it calls")
	cmd.Flags().StringVar(&actor, "actor", "", "who you are")
	return cmd
}

func (a *app) chat(ctx context.Context, one *agent.Agent, actor string, calls bool) error {
	lines := bufio.NewScanner(a.stdin)
	lines.Buffer(nil, 1<<20)
	for {
		fmt.Fprint(a.stderr, "> ")
		if !lines.Scan() {
			return lines.Err()
		}
		text := strings.TrimSpace(lines.Text())
		switch text {
		case "":
			return nil
		case "/calls":
			calls = !calls
			continue
		}
		if _, err := one.Tell(ctx, agent.Event{Content: text, Actor: actor}, a.reporter(calls)); err != nil {
			return err
		}
	}
}

func agentAttachCommand(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "attach NAME FILE", Short: "Give an agent a document to read", Args: cobra.ExactArgs(2),
		Example: "  annals agent attach sam contract.txt",
		RunE: a.withAgent(nil, func(ctx context.Context, one *agent.Agent, args []string) error {
			text, err := a.readAll(args[0])
			if err != nil {
				return err
			}
			if name == "" {
				name = filepath.Base(args[0])
			}
			file, err := one.Attach(ctx, name, string(text))
			if err != nil {
				return err
			}
			return a.tell(file, "%s has %s and is searched in %s.\n", file.Name, each.Count(file.Lines, "line"), each.Count(file.Chunks, "part"))
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "what the agent calls it; not given: the name of the file")
	return cmd
}

// readAll reads a file; - is standard input.
func (a *app) readAll(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	return text, nil
}

func agentExportCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "export NAME", Short: "Print what an agent is: instructions, settings, blocks, documents, archive", Args: cobra.ExactArgs(1),
		Long: `Prints what an agent is, so that another can be made like it. What was said stays
behind; 'annals export' moves all of a group.`,
		Example: "  annals agent export sam > sam.json",
		RunE:    a.withAgent(nil, func(ctx context.Context, one *agent.Agent, _ []string) error { return one.Export(ctx, a.stdout) }),
	}
}

func agentImportCommand(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Make an agent of what was exported", Args: cobra.ExactArgs(1),
		Example: "  annals agent import sam.json --name sue",
		RunE: a.withClient(func(ctx context.Context, s *session) error {
			text, err := s.readAll(s.args[0])
			if err != nil {
				return err
			}
			one, err := s.agents(s.Client, nil).Import(ctx, s.group, name, strings.NewReader(string(text)))
			if err != nil {
				return err
			}
			return agentList.show(s, []*agent.Agent{one})
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "what it is called; not given: as it was")
	return cmd
}

func agentDeleteCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "delete NAME", Short: "Remove an agent with its messages, archive and documents", Args: cobra.ExactArgs(1),
		RunE: a.withAgent(nil, func(ctx context.Context, one *agent.Agent, _ []string) error {
			if !yes {
				return errors.New("this cannot be taken back; say --yes")
			}
			return one.Delete(ctx)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

// blockEdit holds the flags of agent blocks.
type blockEdit struct {
	AsOf    string  `json:"as_of" doc:"as they were at this time"`
	Label   string  `json:"label" doc:"only this block"`
	Set     *string `json:"set" doc:"what it is to say"`
	Undo    bool    `json:"undo" doc:"undo its last edit"`
	Redo    bool    `json:"redo" doc:"redo the edit that was undone last"`
	History bool    `json:"history" doc:"list what it said before"`
}

func agentBlocksCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "blocks NAME",
		Short: "Show and edit an agent's working context",
		Example: `  annals agent blocks sam
  annals agent blocks sam --as-of 2024-05-01
  annals agent blocks sam --label human --set 'Eva, lives in Lisbon.'
  annals agent blocks sam --label human --undo`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, in *blockEdit) error {
		blocks, err := s.blocks(ctx, s.agents(s.Client, nil), in)
		if err != nil {
			return err
		}
		return blockList.show(s, blocks)
	})
	cmd.MarkFlagsMutuallyExclusive("as-of", "set", "undo", "redo", "history")
	return cmd
}

var blockList = listing[agent.Block]{
	key: "blocks", header: "BLOCK\tVERSION\tSINCE\tBY\tSAYS",
	cells: func(b agent.Block, _ string) []string {
		return []string{b.Label, fmt.Sprint(b.Version), b.Since.Format(time.DateTime), b.EditedBy, brief(b.Value, 200)}
	},
}

// blocks shows or edits the blocks of the agent that the argument names.
func (s *session) blocks(ctx context.Context, agents *agent.Agents, e *blockEdit) ([]agent.Block, error) {
	one, err := agents.Open(ctx, s.group, s.args[0])
	if err != nil {
		return nil, err
	}
	if e.Label == "" || e.AsOf != "" {
		if e.Set != nil || e.Undo || e.Redo || e.History {
			return nil, graph.Invalid("label", "is not given; say which block is meant")
		}
		return blocksAt(ctx, one, e)
	}
	b, err := one.Block(ctx, e.Label)
	if err != nil {
		return nil, err
	}
	const operator = "operator"
	switch {
	case e.History:
		return agents.BlockHistory(ctx, s.group, b.ID)
	case e.Undo:
		b, err = agents.Undo(ctx, s.group, b.ID, operator)
	case e.Redo:
		b, err = agents.Redo(ctx, s.group, b.ID, operator)
	case e.Set != nil:
		b.Value, b.EditedBy = *e.Set, operator
		b, err = agents.EditBlock(ctx, s.group, b)
	}
	return []agent.Block{b}, err
}

func blocksAt(ctx context.Context, one *agent.Agent, e *blockEdit) (blocks []agent.Block, err error) {
	at, err := input.Time("as-of", e.AsOf)
	if err != nil {
		return nil, err
	}
	if at.IsZero() {
		blocks, err = one.Blocks(ctx)
	} else {
		blocks, err = one.BlocksAt(ctx, at)
	}
	if err != nil || e.Label == "" {
		return blocks, err
	}
	// Look up the current block first: a mistyped label must not look like an empty history.
	if _, err := one.Block(ctx, e.Label); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(blocks, func(b agent.Block) bool { return b.Label != e.Label }), nil
}
