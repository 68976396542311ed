package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// construction is the form of a context: the declared fields, or a template.
type construction struct {
	input.Construction
	Template string `json:"template" to:"-" doc:"A file with a text/template in place of the usual form"`
}

func contextCommand(a *app) *cobra.Command {
	var q query
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "context QUERY",
		Short: "Print what is relevant, ready for a model's prompt",
		Example: `  annals context --group demo "Where does Nora live?"
  annals context --group demo --tokens 350 --citations "Where does Nora live?"`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, in *construction) error {
		query, err := q.build(ctx, s, s.args[0])
		if err != nil {
			return err
		}
		form, err := input.Read(in, annals.Construction{})
		if err != nil {
			return err
		}
		if in.Template != "" {
			read, err := s.readFile(in.Template)
			if err != nil {
				return fmt.Errorf("read the template: %w", err)
			}
			form.Template = string(read)
		}
		text, err := s.ContextAs(ctx, query, form)
		if err != nil {
			return err
		}
		return s.tell(map[string]string{"context": text}, "%s", text)
	})
	q.flags(cmd, "explain")
	q.Limit, cmd.Flags().Lookup("limit").DefValue = 0, "0" // without --limit, the budget decides how much is searched
	return cmd
}
