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

// erasure holds the flags of erase.
type erasure struct {
	User        string   `json:"user" doc:"the user whose group is erased"`
	Episodes    []string `json:"episode" doc:"only these episodes, by their ids"`
	Entity      string   `json:"entity" doc:"only this entity, by its id or name, with the episodes that name it"`
	Certificate string   `json:"certificate" doc:"erase again what the certificate in this file names"`
	Copies      bool     `json:"copies" doc:"also from the groups that were cloned or imported from it"`
	Yes         bool     `json:"yes" doc:"do it"`
	input.Removal
}

func eraseCommand(a *app) *cobra.Command {
	cmd := taking(a.withMemory, &cobra.Command{
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
	}, func(ctx context.Context, s *session, in *erasure) error {
		switch {
		case in.Certificate == "":
			return s.erase(ctx, in)
		case in.DryRun:
			return graph.Invalid("dry-run", "does not go with a certificate: what that names has no words")
		}
		return s.eraseAgain(ctx, in.Certificate)
	})
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		given := cmd.Flags().Changed
		switch {
		case !given("user") && !given("certificate") && !given("group"):
			return graph.Invalid("group", "is missing; name the group to erase, or to erase from")
		case !isSet(cmd, "yes") && !isSet(cmd, "dry-run"):
			return graph.Invalid("yes", "is missing; nothing can bring back what is erased: add --yes to do it")
		case !given("group") && !given("certificate"):
			a.group = cmd.Flag("user").Value.String()
		}
		return nil
	}
	return cmd
}

// isSet reports whether a flag that is true or false is true.
func isSet(cmd *cobra.Command, flag string) bool { return cmd.Flag(flag).Value.String() == "true" }

func (s *session) erase(ctx context.Context, in *erasure) error {
	episodes, err := s.ids(ctx, graph.KindEpisode, "episode", in.Episodes...)
	if err != nil {
		return err
	}
	what := annals.Erasure{UserID: in.User, EpisodeIDs: episodes, AnyReader: in.AnyReader, Copies: in.Copies}
	if s.grouped() {
		what.GroupID = s.group
	}
	if in.Entity != "" {
		entity, err := s.entity(ctx, in.Entity, time.Time{})
		if err != nil {
			return err
		}
		what.EntityID = entity.ID
	}
	if in.DryRun {
		return s.printPreview(s.PreviewErase(ctx, what))
	}
	certificate, err := s.Erase(ctx, what)
	if err != nil {
		return err
	}
	return s.printCertificate(certificate)
}

// eraseAgain applies the certificate of an earlier erasure.
func (s *session) eraseAgain(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}
	var wrapped struct{ Certificate *annals.Certificate }
	if err := json.Unmarshal(text, &wrapped); err != nil || wrapped.Certificate == nil {
		return graph.Invalid("certificate", "%s does not hold what 'annals erase --json' prints", file)
	}
	c := *wrapped.Certificate
	if !s.grouped() && c.Scope != "group" && c.Scope != "user" {
		return graph.Invalid("group", "is missing; name the group that the certificate is about")
	}
	done, err := s.service().EraseAgain(ctx, s.group, c)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]annals.Certificate{"erased": some(done)})
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
		return p.printJSON(map[string]annals.Certificate{"certificate": c})
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

func erasuresCommand(a *app) *cobra.Command {
	return showing(a.withClient, &cobra.Command{
		Use:   "erasures",
		Short: "Show the certificates of what was erased",
		Long: `Shows what was erased, when, by whom and by which way, the latest first: of the
group that is named with --group, or of all, with groups that are gone. --json
prints the certificates whole. They hold nothing of what was erased.`,
		Example: "  annals erasures\n  annals erasures --group chat --json",
	}, func(ctx context.Context, s *session, in *atMost) ([]service.PastErasure, error) {
		group := ""
		if s.grouped() || s.config.Tenant != "" {
			group = s.group
		}
		return s.service().Erasures(ctx, group, in.Limit)
	}, listing[service.PastErasure]{
		key: "erasures", header: "WHEN\tSCOPE\tGROUP\tBY\tDOOR\tEPISODES\tROWS\tTOMBSTONES", cells: erasureCells,
	}.show)
}

func erasureCells(e service.PastErasure, _ string) []string {
	rows := int64(0)
	for _, removed := range e.Certificate.Removed {
		rows += removed.Rows
	}
	return []string{
		moment(e.ErasedAt), e.Certificate.Scope, e.GroupID, e.By, e.Door, strconv.Itoa(e.Certificate.Episodes),
		strconv.FormatInt(rows, 10), strconv.Itoa(len(e.Certificate.Tombstones)),
	}
}
