package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func retentionCommand(a *app) *cobra.Command {
	cmd := showing(a.withMemory, &cobra.Command{
		Use:   "retention",
		Short: "Show how long a group keeps its episodes; set and apply it",
		Example: `  annals retention set --max-age 365d --group chat
  annals retention apply --group chat`,
	}, func(ctx context.Context, s *session, _ *none) (annals.Retention, error) {
		return s.Retention(ctx, s.group)
	}, (*session).printRetention)
	cmd.AddCommand(retentionSetCommand(a), retentionApplyCommand(a))
	return cmd
}

// keeping holds the flags of retention set.
type keeping struct {
	MaxAge string `json:"max_age" to:"-" doc:"How old an episode may become, as in 90d or 36h"`
	input.Retention
}

func retentionSetCommand(a *app) *cobra.Command {
	return calling(a.withClient, &cobra.Command{
		Use:     "set",
		Short:   "Set how long a group keeps its episodes; without flags, for ever",
		Example: "  annals retention set --max-age 365d --group chat",
	}, func(ctx context.Context, s *session, in *keeping, r annals.Retention) (_ annals.Retention, err error) {
		if r.MaxAge, err = parseAge(in.MaxAge); err != nil {
			return r, err
		}
		return r, s.SetRetention(ctx, s.group, r)
	}, (*session).printRetention)
}

// parseAge parses a duration, which may be in days.
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
	return taking(a.withMemory, &cobra.Command{
		Use:   "apply",
		Short: "Undo the episodes that are older, or more, than a group keeps",
		Long: `Undoes what is older, or more, than the group's policy keeps, as
'annals undo' does: what only those episodes support goes with them.
Workers do it once a day. What is left is placed again.`,
		Example: "  annals retention apply --group chat",
	}, func(ctx context.Context, s *session, in *input.Judged) error {
		return s.printUndone(s.ApplyRetention(ctx, s.group, in.AnyReader))
	})
}

// retentionJSON is a policy as it is printed; null: no limit.
type retentionJSON struct {
	MaxAgeSeconds *float64   `json:"max_age_seconds"`
	MaxEpisodes   *int       `json:"max_episodes"`
	AppliedAt     *time.Time `json:"applied_at"`
}

func (p *printer) printRetention(r annals.Retention) error {
	if p.json {
		view := retentionJSON{db.Nullable(r.MaxAge.Seconds()), db.Nullable(r.MaxEpisodes), db.Nullable(r.AppliedAt)}
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
