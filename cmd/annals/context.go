package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

func contextCommand(a *app) *cobra.Command {
	var q query
	var as annals.Construction
	var template string
	cmd := &cobra.Command{
		Use:   "context QUERY",
		Short: "Print what is relevant, ready for a model's prompt",
		Example: `  annals context --group demo "Where does Nora live?"
  annals context --group demo --tokens 350 --citations "Where does Nora live?"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, s *session, args []string) error {
			query, err := q.build(ctx, s, args[0])
			if err != nil {
				return err
			}
			if template != "" {
				read, err := s.readFile(template)
				if err != nil {
					return fmt.Errorf("read the template: %w", err)
				}
				as.Template = string(read)
			}
			text, err := s.ContextAs(ctx, query, as)
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(map[string]string{"context": text})
			}
			_, err = fmt.Fprint(s.stdout, text)
			return err
		}),
	}
	q.flags(cmd, "explain")
	q.Limit, cmd.Flags().Lookup("limit").DefValue = 0, "0" // left out, a budget says how much is looked for
	cmd.Flags().IntVar(&as.Hits, "hits", 0, "the most facts, entities, communities and episodes it may show in all; 0: no limit")
	cmd.Flags().IntVar(&as.Tokens, "tokens", 0, "the most tokens it may have; 0: no limit")
	cmd.Flags().BoolVar(&as.Citations, "citations", false, "say behind each line where it is from")
	cmd.Flags().BoolVar(&as.Words, "dates-in-words", false, "dates of episodes in words: 8 March 2024, instead of 2024-03-08")
	cmd.Flags().StringVar(&as.Encoding, "encoding", "", "how tokens are counted: o200k_base or cl100k_base")
	cmd.Flags().StringVar(&template, "template", "", "a file with a text/template in place of the usual form")
	return cmd
}
