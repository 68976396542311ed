package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) contextCommand() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:     "context QUERY",
		Short:   "Print what is relevant, ready for a model's prompt",
		Example: `  annals context --group demo "Where does Nora live?"`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			query, err := q.build(a.group, args[0])
			if err != nil {
				return err
			}
			client, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			text, err := client.Context(cmd.Context(), query)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]string{"context": text})
			}
			_, err = fmt.Fprint(a.stdout, text)
			return err
		},
	}
	q.flags(cmd)
	return cmd
}
