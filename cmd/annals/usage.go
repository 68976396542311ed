package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

func usageCommand(a *app) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:   "usage",
		Short: "Show what a group has cost in calls, tokens and dollars",
		Long: `Shows what models were asked for a group, by prompt and model. The dollars are
those of the calls whose price is known, by list prices or those of ANNALS_PRICES.
The view annals.model_usage has the same by day.`,
		Example: `  annals usage --group chat`,
	}, func(ctx context.Context, s *session, _ *none) ([]annals.Usage, error) { return s.Usage(ctx, s.group) }, func(s *session, usage []annals.Usage) error {
		if len(usage) == 0 && !s.json {
			s.say("No model was asked for the group %s.", s.group)
		}
		return usageList.show(s, usage)
	})
}

var usageList = listing[annals.Usage]{
	key: "usage", header: "PROMPT\tMODEL\tCALLS\tCACHED\tREPAIRS\tFAILED\tTOKENS IN\tOUT\tUSD",
	cells: func(u annals.Usage, _ string) []string {
		return []string{
			u.Prompt, u.Model, fmt.Sprint(u.Calls), fmt.Sprint(u.Cached), fmt.Sprint(u.Repairs), fmt.Sprint(u.Failed),
			fmt.Sprint(u.InputTokens), fmt.Sprint(u.OutputTokens), dollars(u),
		}
	},
}

func dollars(u annals.Usage) string {
	if u.Unpriced > 0 && u.Cost == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.4f", u.Cost)
}
