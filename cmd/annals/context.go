package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

func (a *app) contextCommand() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:     "context QUERY",
		Short:   "Print what is relevant, ready for a model's prompt",
		Example: `  annals context --group demo "Where does Nora live?"`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withClient(func(ctx context.Context, client *annals.Client, args []string) error {
			query, err := q.build(ctx, client, a.group, args[0])
			if err != nil {
				return err
			}
			text, err := client.Context(ctx, query)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]string{"context": text})
			}
			_, err = fmt.Fprint(a.stdout, text)
			return err
		}),
	}
	q.flags(cmd)
	return cmd
}
