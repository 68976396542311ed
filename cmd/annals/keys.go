package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// keyJSON is an API key as it is printed.
type keyJSON struct {
	ID         uuid.UUID       `json:"id"`
	Name       string          `json:"name"`
	Prefix     string          `json:"prefix"`
	Admin      bool            `json:"admin"`
	Groups     []string        `json:"groups"`
	Rights     service.Rights  `json:"rights"`
	Authority  graph.Authority `json:"authority"`
	CreatedAt  time.Time       `json:"created_at"`
	ExpiresAt  *time.Time      `json:"expires_at"`
	RevokedAt  *time.Time      `json:"revoked_at"`
	LastUsedAt *time.Time      `json:"last_used_at"`
	Secret     string          `json:"secret,omitempty"` // only of a new key
}

func keyView(k service.APIKey) keyJSON {
	return keyJSON{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Admin: k.Admin, Groups: k.Groups, Rights: k.Rights, Authority: k.Authority, CreatedAt: k.CreatedAt,
		ExpiresAt: db.Nullable(k.ExpiresAt), RevokedAt: db.Nullable(k.RevokedAt), LastUsedAt: db.Nullable(k.LastUsedAt),
	}
}

func keysCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make, list, revoke and rotate the API keys of 'annals serve'",
		Long: `API keys let programs use 'annals serve'. A key opens all groups (--admin), or
those it lists. Unless it is told otherwise, it may write, and speaks as a user. Its secret is shown once, when it is made: the database keeps
only a hash.`,
		Example: "  annals keys create --name app --groups alice,bob --expires-in 2160h\n  annals keys list",
	}
	cmd.AddCommand(keysCreateCommand(a), keysListCommand(a), keysRevokeCommand(a), keysRotateCommand(a))
	return cmd
}

func keysCreateCommand(a *app) *cobra.Command {
	var spec service.KeySpec
	var expiresIn time.Duration
	cmd := taking(a.withClient, &cobra.Command{
		Use:   "create",
		Short: "Make a key and print its secret, once",
		Example: `  annals keys create --admin --name operations
  annals keys create --groups alice,bob --expires-in 2160h
  annals keys create --groups alice --rights read`,
	}, func(ctx context.Context, s *session, _ *none) error {
		var err error
		if spec.ExpiresAt, err = expiry(expiresIn); err != nil {
			return err
		}
		if !spec.Admin && len(spec.Groups) == 0 {
			return graph.Invalid("groups", "says nothing; name the groups that the key opens, or --admin for all")
		}
		return s.printSecret(s.service().CreateAPIKey(ctx, spec))
	})
	flags := cmd.Flags()
	flags.StringVar(&spec.Name, "name", "", "what it is for")
	flags.BoolVar(&spec.Admin, "admin", false, "it opens all groups")
	flags.StringSliceVar(&spec.Groups, "groups", nil, "the groups that it opens")
	flags.DurationVar(&expiresIn, "expires-in", 0, "how long it works, as in 2160h; otherwise until it is revoked")
	flags.StringVar((*string)(&spec.Rights), "rights", "write", "what it may do: read: search and list; write: also add, correct and undo; erase: also remove for good, which nothing brings back")
	flags.StringVar((*string)(&spec.Authority), "authority", "user", "the most that its word counts: assistant; document; user, whom a person overrules; or person, whom nobody does")
	return cmd
}

func expiry(in time.Duration) (time.Time, error) {
	switch {
	case in < 0:
		return time.Time{}, graph.Invalid("expires-in", "is negative; give how long the key works")
	case in == 0:
		return time.Time{}, nil
	}
	return time.Now().Add(in), nil
}

// printSecret prints the secret alone, so that scripts can read it.
func (p *printer) printSecret(secret string, key service.APIKey, err error) error {
	if err != nil {
		return err
	}
	if p.json {
		view := keyView(key)
		view.Secret = secret
		return p.printJSON(map[string]keyJSON{"key": view})
	}
	p.say("%s opens %s. This is its secret, which is not shown again:", key.Prefix, opens(key))
	_, err = fmt.Fprintln(p.stdout, secret)
	return err
}

func opens(k service.APIKey) string {
	if k.Admin {
		return "all groups"
	}
	return strings.Join(k.Groups, ", ")
}

func keysListCommand(a *app) *cobra.Command {
	return showing(a.withClient, &cobra.Command{
		Use:     "list",
		Short:   "List keys, the newest first",
		Example: "  annals keys list",
	}, func(ctx context.Context, s *session, _ *none) ([]service.APIKey, error) {
		return s.service().APIKeys(ctx)
	}, listing[service.APIKey]{
		key: "keys", view: as(keyView), header: "PREFIX\tNAME\tOPENS\tRIGHTS\tAUTHORITY\tSTATE\tLAST USED\tID",
		cells: func(k service.APIKey, _ string) []string {
			return []string{k.Prefix, k.Name, brief(opens(k), 60), string(k.Rights), string(k.Authority), keyState(k, time.Now()), moment(k.LastUsedAt), k.ID.String()}
		},
	}.show)
}

func keyState(k service.APIKey, now time.Time) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + moment(k.RevokedAt)
	case k.ExpiresAt.IsZero():
		return "in use"
	case k.Usable(now):
		return "until " + moment(k.ExpiresAt)
	}
	return "expired " + moment(k.ExpiresAt)
}

func keysRevokeCommand(a *app) *cobra.Command {
	return showing(a.withClient, &cobra.Command{
		Use:     "revoke KEY",
		Short:   "End a key at once, by its id or prefix",
		Example: "  annals keys revoke annals_1aB2cD3e",
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) (service.APIKey, error) {
		return s.service().RevokeAPIKey(ctx, s.args[0])
	}, func(s *session, key service.APIKey) error {
		return s.tell(map[string]keyJSON{"key": keyView(key)}, "%s is revoked.\n", key.Prefix)
	})
}

func keysRotateCommand(a *app) *cobra.Command {
	var grace, expiresIn time.Duration
	cmd := taking(a.withClient, &cobra.Command{
		Use:     "rotate KEY",
		Short:   "Make a key that opens the same, and end the old one a while later",
		Example: "  annals keys rotate annals_1aB2cD3e --grace 1h",
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		at, err := expiry(expiresIn)
		if err != nil {
			return err
		}
		return s.printSecret(s.service().RotateAPIKey(ctx, s.args[0], grace, at))
	})
	cmd.Flags().DurationVar(&grace, "grace", 24*time.Hour, "how long the old one goes on working")
	cmd.Flags().DurationVar(&expiresIn, "expires-in", 0, "how long the new one works; otherwise until it is revoked")
	return cmd
}
