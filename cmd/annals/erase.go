package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func (p *printer) printUndone(u annals.Undone) error {
	if p.json {
		return p.printJSON(map[string]annals.Undone{"undone": u})
	}
	_, err := fmt.Fprintf(p.stdout, "%d taken back, %d later ones placed again; facts: %d removed, %d open again, %d changed, %d added; entities: %d removed, %d changed\n",
		u.Episodes, u.Replayed, u.FactsRemoved, u.FactsReopened, u.FactsChanged, u.FactsAdded, u.EntitiesRemoved, u.EntitiesChanged)
	return err
}

// erasure holds the flags of erase.
type erasure struct {
	user, entity string
	episodes     []string
	certificate  string // the file of an earlier certificate
	copies, yes  bool
	input.Removal
}

func eraseCommand(a *app) *cobra.Command {
	var in erasure
	cmd := &cobra.Command{
		Use:   "erase",
		Short: "Remove every trace of a group, a user, episodes or an entity, for good",
		Long: `Removes every trace from all tables: rows, history, vectors, summaries and
answers of models. With --group alone the whole group goes; with --episode only
that, and what only it supports; with --entity an entity and every episode that
names it. What was erased is refused when it is added again. Prints a certificate
that holds nothing of it.

With --copies the same goes from the groups that were cloned or imported from it.
With --certificate, what an earlier erasure removed is erased again: from a backup
that was restored, or an export that was imported. The file is what --json printed.`,
		Example: `  annals erase --group alice --dry-run
  annals erase --group alice --yes
  annals erase --group chat --entity "Bob Smith" --dry-run
  annals erase --group chat --entity "Bob Smith" --yes
  annals erase --group chat --episode e7daca67 --copies --yes
  annals erase --group chat --certificate erased.json --yes    # after restoring a backup`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.user == "" && in.certificate == "" && !cmd.Flags().Changed("group") {
				return graph.Invalid("group", "is missing; name the group to erase, or to erase from")
			}
			if !in.yes && !in.DryRun {
				return graph.Invalid("yes", "is missing; nothing can bring back what is erased: add --yes to do it")
			}
			grouped := cmd.Flags().Changed("group")
			if !grouped && in.certificate == "" {
				a.group = in.user
			}
			return a.withMemory(func(ctx context.Context, s *session, _ []string) error {
				if in.certificate != "" && in.DryRun {
					return graph.Invalid("dry-run", "does not go with a certificate: what that names has no words")
				}
				if in.certificate != "" {
					return s.eraseAgain(ctx, in.certificate, grouped)
				}
				return s.erase(ctx, in, grouped)
			})(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&in.user, "user", "", "the user whose group is erased")
	flags.StringSliceVar(&in.episodes, "episode", nil, "only these episodes, by their ids")
	flags.StringVar(&in.entity, "entity", "", "only this entity, by its id or name, with the episodes that name it")
	flags.StringVar(&in.certificate, "certificate", "", "erase again what the certificate in this file names")
	flags.BoolVar(&in.copies, "copies", false, "also from the groups that were cloned or imported from it")
	bind(flags, &in.Removal)
	flags.BoolVar(&in.yes, "yes", false, "do it")
	return cmd
}

func (s *session) erase(ctx context.Context, in erasure, grouped bool) error {
	episodes, err := s.ids(ctx, graph.KindEpisode, "episode", in.episodes...)
	if err != nil {
		return err
	}
	what := annals.Erasure{UserID: in.user, EpisodeIDs: episodes, AnyReader: in.AnyReader, Copies: in.copies}
	if grouped {
		what.GroupID = s.group
	}
	if in.entity != "" {
		entity, err := s.entity(ctx, in.entity, time.Time{})
		if err != nil {
			return err
		}
		what.EntityID = entity.ID
	}
	if in.DryRun {
		preview, err := s.PreviewErase(ctx, what)
		if err != nil {
			return err
		}
		return s.printPreview(preview)
	}
	certificate, err := s.Erase(ctx, what)
	if err != nil {
		return err
	}
	return s.printCertificate(certificate)
}

// eraseAgain applies the certificate of an earlier erasure.
func (s *session) eraseAgain(ctx context.Context, file string, grouped bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}
	var wrapped struct{ Certificate *service.CertificateJSON }
	if err := json.Unmarshal(text, &wrapped); err != nil || wrapped.Certificate == nil {
		return graph.Invalid("certificate", "%s does not hold what 'annals erase --json' prints", file)
	}
	c := wrapped.Certificate.Certificate()
	if !grouped && c.Scope != "group" && c.Scope != "user" {
		return graph.Invalid("group", "is missing; name the group that the certificate is about")
	}
	done, err := service.New(s.Client).EraseAgain(ctx, s.group, c)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]*service.CertificateJSON{"erased": each.Of(done, service.CertificateOf)})
	}
	if len(done) == 0 {
		_, err := fmt.Fprintln(s.stdout, "Nothing of it is there; it is refused when it comes again.")
		return err
	}
	for _, one := range done {
		if err := s.printCertificate(one); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) printCertificate(c annals.Certificate) error {
	if p.json {
		return p.printJSON(map[string]*service.CertificateJSON{"certificate": service.CertificateOf(c)})
	}
	rows := [][]string{{"erased", c.Scope}, {"at", c.ErasedAt.Format(time.RFC3339)}, {"episodes", strconv.Itoa(c.Episodes)}}
	for _, r := range c.Removed {
		rows = append(rows, []string{"rows of " + r.Table, strconv.FormatInt(r.Rows, 10)})
	}
	for _, r := range c.Edited {
		rows = append(rows, []string{"edited in " + r.Table, strconv.FormatInt(r.Rows, 10)})
	}
	if c.Emptied > 0 {
		rows = append(rows, []string{"model calls emptied", strconv.Itoa(c.Emptied)})
	}
	for _, digest := range c.Tombstones {
		rows = append(rows, []string{"tombstone", digest})
	}
	for _, copied := range c.Copies {
		rows = append(rows, []string{"copy", each.Count(copied.Episodes, "episode")})
	}
	return p.table("", rows)
}
