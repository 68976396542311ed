package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

// query holds the flags that searches share.
type query struct {
	limit        int
	asOf         string
	includeEnded bool
}

func (q *query) flags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&q.limit, "limit", 10, "hits of each sort at the most")
	cmd.Flags().StringVar(&q.asOf, "as-of", "", "only facts that held at this time")
	cmd.Flags().BoolVar(&q.includeEnded, "include-ended", false, "also facts that have ended")
}

func (q *query) build(group, text string) (annals.Query, error) {
	at, err := parseTime("as-of", q.asOf)
	return annals.Query{GroupID: group, Text: text, Limit: q.limit, ValidAt: at, IncludeEnded: q.includeEnded}, err
}

func (a *app) searchCommand() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:     "search QUERY",
		Short:   "Find facts, entities and episodes",
		Example: `  annals search --group demo "Where does Nora live?"`,
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
			found, err := client.Search(cmd.Context(), query)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			return a.printResult(found)
		},
	}
	q.flags(cmd)
	return cmd
}

func (a *app) printResult(r annals.Result) error {
	if len(r.Facts)+len(r.Entities)+len(r.Episodes) == 0 {
		fmt.Fprintf(a.stderr, "Nothing was found in the group %s.\n", a.group)
		return nil
	}
	var facts, entities, episodes [][]string
	for _, h := range r.Facts {
		facts = append(facts, []string{fmt.Sprintf("%.4f", h.Score), h.Fact.Fact, span(h.Valid)})
	}
	for _, h := range r.Entities {
		entities = append(entities, []string{fmt.Sprintf("%.4f", h.Score), h.Name, brief(h.Summary, 80)})
	}
	for _, h := range r.Episodes {
		episodes = append(episodes, []string{fmt.Sprintf("%.4f", h.Score), day(h.OccurredAt), h.Speaker(), brief(h.Content, 90)})
	}
	for _, part := range []struct {
		header string
		rows   [][]string
	}{
		{"SCORE\tFACT\tHELD", facts},
		{"SCORE\tENTITY\tSUMMARY", entities},
		{"SCORE\tSAID\tBY\tEPISODE", episodes},
	} {
		if err := a.table(part.header, part.rows); err != nil {
			return err
		}
	}
	return nil
}
