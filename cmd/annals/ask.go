package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/each"
)

// asking holds the flags of ask besides those of a search.
type asking struct {
	Tokens int    `json:"tokens" doc:"the most tokens of what the answer is made from; 0: 2000"`
	Schema string `json:"schema" doc:"a file with a JSON Schema of values that are filled in as well"`
	Keep   bool   `json:"keep" doc:"keep the question answered; only --tokens and --schema go with it"`
}

func askCommand(a *app) *cobra.Command {
	var q query
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question from what the memory has, with citations",
		Long: `Searches, and has the model answer from what was found and from nothing else. Each
sentence cites what it rests on; a sentence whose words do not stand in what it cites
is cut. Without a model (ANNALS_LLM) the facts that answer by their relation are the
answer, each with when it holds and the message it rests on; where none does, the best
passages are shown.

With --keep the group keeps the question answered: it is asked again where something
bears on it that was added or changed, and 'annals answers' shows it.`,
		Example: `  annals ask --group demo "Where does Nora live?"
  annals ask --group demo --as-of 2024-01-01 "Where does Nora live?"
  annals ask --group demo --schema profile.json "Who is Nora?"
  annals ask --group demo --keep "What does Nora like to eat?"`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, in *asking) (err error) {
		asked := annals.Question{Query: annals.Query{GroupID: s.group, Text: s.args[0]}, Tokens: in.Tokens}
		if in.Schema != "" {
			if asked.Schema, err = s.readFile(in.Schema); err != nil {
				return fmt.Errorf("read the schema: %w", err)
			}
			if len(bytes.TrimSpace(asked.Schema)) == 0 {
				return graph.Invalid("schema", "is empty: %s holds nothing", in.Schema)
			}
		}
		if in.Keep {
			return s.keepAnswer(ctx, asked)
		}
		if asked.Query, err = q.build(ctx, s, s.args[0]); err != nil {
			return err
		}
		got, err := s.Ask(ctx, asked)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(got)
		}
		return s.printAnswer(got)
	})
	q.flags(cmd, "explain")
	q.Limit, cmd.Flags().Lookup("limit").DefValue = 0, "0" // without --limit, the budget decides how much is searched
	return cmd
}

// printAnswer prints the sentences, each with the ids of its evidence.
func (p *printer) printAnswer(got annals.Answer) error {
	if note := got.Note(); note != "" {
		p.say("%s", note)
	}
	if len(got.Sentences) == 0 {
		fmt.Fprintln(p.stdout, got.Text)
	}
	for _, s := range got.Sentences {
		fmt.Fprintln(p.stdout, s.Text, cites(s.Cites))
	}
	for _, s := range got.Slots {
		fmt.Fprintf(p.stdout, "%s: %s %s\n", s.Name, s.Value, cites(s.Cites))
	}
	if len(got.Missing) > 0 {
		p.say("Nothing fills what the schema requires: %s.", strings.Join(got.Missing, ", "))
	}
	return nil
}

func cites(all []answer.Citation) string {
	return "[" + strings.Join(each.Of(all, func(c answer.Citation) string { return string(c.Kind) + " " + c.ID.String() }), ", ") + "]"
}
