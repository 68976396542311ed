package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func retentionCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retention",
		Short: "Show how long a group keeps its episodes; set and apply it",
		Example: `  annals retention set --max-age 365d --group chat
  annals retention apply --group chat`,
		Args: cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			r, err := s.Retention(ctx, s.group)
			if err != nil {
				return err
			}
			return s.printRetention(r)
		}),
	}
	cmd.AddCommand(retentionSetCommand(a), retentionApplyCommand(a))
	return cmd
}

func retentionSetCommand(a *app) *cobra.Command {
	var age string
	var r annals.Retention
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Set how long a group keeps its episodes; without flags, for ever",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.MaxAge, err = parseAge(age); err != nil {
				return err
			}
			return a.withClient(func(ctx context.Context, s *session, _ []string) error {
				if err := s.SetRetention(ctx, s.group, r); err != nil {
					return err
				}
				return s.printRetention(r)
			})(cmd, args)
		},
	}
	cmd.Flags().StringVar(&age, "max-age", "", "how old an episode may become, as in 90d or 36h")
	cmd.Flags().IntVar(&r.MaxEpisodes, "max-episodes", 0, "how many episodes are kept, the latest")
	return cmd
}

// parseAge reads a duration, which may be in days.
func parseAge(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 100_000 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	if age, err := time.ParseDuration(s); err == nil && age > 0 {
		return age, nil
	}
	return 0, graph.Invalid("max-age", "%q is no length of time; write it as 90d or 36h", s)
}

func retentionApplyCommand(a *app) *cobra.Command {
	var anyReader bool
	cmd := &cobra.Command{
		Use:   "apply",
		Short: "Undo the episodes that are older, or more, than a group keeps",
		Long: `Undoes what is older, or more, than the group's policy keeps, as
'annals undo' does: what only those episodes support goes with them.
Workers do it once a day. What is left is placed again.`,
		Args: cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			done, err := s.ApplyRetention(ctx, s.group, anyReader)
			if err != nil {
				return err
			}
			return s.printUndone(done)
		}),
	}
	cmd.Flags().BoolVar(&anyReader, "any-reader", false, anyReaderHelp)
	return cmd
}

// retentionJSON is a policy as it is printed; null: without end.
type retentionJSON struct {
	MaxAgeSeconds *float64   `json:"max_age_seconds"`
	MaxEpisodes   *int       `json:"max_episodes"`
	AppliedAt     *time.Time `json:"applied_at"`
}

func (p *printer) printRetention(r annals.Retention) error {
	if p.json {
		var view retentionJSON
		if seconds := r.MaxAge.Seconds(); seconds > 0 {
			view.MaxAgeSeconds = &seconds
		}
		if r.MaxEpisodes > 0 {
			view.MaxEpisodes = &r.MaxEpisodes
		}
		if !r.AppliedAt.IsZero() {
			view.AppliedAt = &r.AppliedAt
		}
		return p.printJSON(map[string]retentionJSON{"retention": view})
	}
	age, episodes := "any", "any number"
	if r.MaxAge > 0 {
		age = fmt.Sprintf("%g days", r.MaxAge.Hours()/24)
	}
	if r.MaxEpisodes > 0 {
		episodes = strconv.Itoa(r.MaxEpisodes)
	}
	return p.table("", [][]string{{"max age", age}, {"max episodes", episodes}, {"applied", moment(r.AppliedAt)}})
}
