package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
)

func usageCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "usage",
		Short: "Show what a group has cost in calls, tokens and dollars",
		Long: `Shows what models were asked for a group, by prompt and model. The dollars are
those of the calls whose price is known, by list prices or those of ANNALS_PRICES.
The view annals.model_usage has the same by day.`,
		Example: `  annals usage --group chat`,
		Args:    cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			usage, err := s.Usage(ctx, s.group)
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(map[string][]annals.Usage{"usage": append([]annals.Usage{}, usage...)})
			}
			if len(usage) == 0 {
				s.say("No model was asked for the group %s.", s.group)
			}
			return s.table("PROMPT\tMODEL\tCALLS\tCACHED\tREPAIRS\tFAILED\tTOKENS IN\tOUT\tUSD", each.Of(usage, func(u annals.Usage) []string {
				return []string{
					u.Prompt, u.Model, fmt.Sprint(u.Calls), fmt.Sprint(u.Cached), fmt.Sprint(u.Repairs), fmt.Sprint(u.Failed),
					fmt.Sprint(u.InputTokens), fmt.Sprint(u.OutputTokens), dollars(u),
				}
			}))
		}),
	}
}

func dollars(u annals.Usage) string {
	if u.Unpriced > 0 && u.Cost == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.4f", u.Cost)
}
