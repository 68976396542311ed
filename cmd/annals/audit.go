package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

func auditCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show, check and export who changed, undid and erased",
		Long: `Shows the latest entries of the audit of a group: who edited, undid, erased, changed
settings, retention, agents and blocks, added facts by hand, swept and mended, and by
which way. Each entry has the hash of the one before it, so that none can be changed
or taken out unseen. With --service it is the service's own: its keys, and groups that
were erased as a whole.`,
		Example: `  annals audit --group chat
  annals audit head --group chat
  annals audit verify --group chat --head 9f86d081884c7d65…
  annals audit export --group chat --output audit.jsonl`,
	}
	limit := cmd.Flags().Int("limit", annals.DefaultRows, "entries at the most, the latest")
	cmd.RunE = a.withChain(cmd, func(ctx context.Context, s *service.Service, chain string) error {
		head, err := s.AuditHead(ctx, chain)
		if err != nil {
			return err
		}
		entries, err := s.Audit(ctx, service.AuditFilter{GroupID: chain, After: max(head.Position-int64(max(*limit, 0)), 0), Limit: *limit})
		if err != nil {
			return err
		}
		return listing[service.AuditEntry]{
			key: "audit", header: "NUMBER\tWHEN\tWHAT\tBY\tDOOR",
			cells: func(e service.AuditEntry, _ string) []string {
				return []string{fmt.Sprint(e.Position), e.NotedAt, e.Action, e.WrittenBy, e.Door}
			},
		}.print(&a.printer, entries)
	})
	cmd.AddCommand(auditExportCommand(a), auditHeadCommand(a), auditVerifyCommand(a))
	return cmd
}

// withChain adds the flag --service to a command, and runs it with the chain of the group, or with
// "" for that of the service.
func (a *app) withChain(cmd *cobra.Command, run func(ctx context.Context, s *service.Service, chain string) error) func(*cobra.Command, []string) error {
	own := cmd.Flags().Bool("service", false, "the service's own: its keys, and groups erased as a whole")
	return a.withClient(func(ctx context.Context, s *session) error {
		if *own {
			return run(ctx, s.service(), "")
		}
		if err := checkGroups(ctx, s.Client, s.group); err != nil {
			return err
		}
		return run(ctx, s.service(), s.group)
	})
}

func auditExportCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write all entries as lines of JSON, which anybody can check",
		Long: `Writes every entry with the row that it tells of, one line of JSON for each. Whoever
has the file can check it without Annals: docs/security.md has a script of ten lines.`,
		Example: "  annals audit export --group chat --output audit.jsonl",
	}
	output := cmd.Flags().StringP("output", "o", "", "file to write; else standard output")
	cmd.RunE = a.withChain(cmd, func(ctx context.Context, s *service.Service, chain string) error {
		if *output == "" || *output == "-" {
			return exportAudit(ctx, s, chain, a.stdout.to) // byte by byte, because digests cover it
		}
		return writeWhole(*output, func(w io.Writer) error { return exportAudit(ctx, s, chain, w) })
	})
	return cmd
}

func exportAudit(ctx context.Context, s *service.Service, chain string, w io.Writer) error {
	lines := json.NewEncoder(w)
	for after := int64(0); ; {
		entries, err := s.Audit(ctx, service.AuditFilter{GroupID: chain, After: after, Limit: annals.MaxRows})
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if err := lines.Encode(e); err != nil {
				return fmt.Errorf("write the audit: %w", err)
			}
		}
		after = entries[len(entries)-1].Position
	}
}

func auditHeadCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "head",
		Short: "Print the hash of the last entry, to be kept elsewhere",
		Long: `Prints the hash of the last entry. Keep it where nobody who can change the database
can change it: 'annals audit verify --head' then finds out whether the chain was cut
off before it, or made anew.`,
		Example: "  annals audit head --group chat",
	}
	cmd.RunE = a.withChain(cmd, func(ctx context.Context, s *service.Service, chain string) error {
		head, err := s.AuditHead(ctx, chain)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(head)
		}
		if head.Position > 0 {
			fmt.Fprintln(a.stdout, head.Hash)
		}
		return nil
	})
	return cmd
}

func auditVerifyCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that no entry and no row that it tells of was changed or taken out",
		Long: `Checks each entry against the one before it, and the rows that it tells of against
their hashes. With --head it also looks for an entry that was the last one once: it is
missing where the end of the chain was cut off, or all of it made anew. It fails where
anything is wrong.`,
		Example: "  annals audit verify --group chat --head $(cat head-of-yesterday)",
	}
	head := cmd.Flags().String("head", "", "a hash that 'annals audit head' printed once")
	cmd.RunE = a.withChain(cmd, func(ctx context.Context, s *service.Service, chain string) error {
		v, err := s.VerifyAudit(ctx, chain, *head)
		if err != nil {
			return err
		}
		if a.json {
			err = a.printJSON(v)
		} else {
			for _, b := range v.Breaks {
				fmt.Fprintf(a.stdout, "broken  %s\n", b)
			}
			if len(v.Breaks) == 0 {
				fmt.Fprintf(a.stdout, "whole: %s, the last is %s\n", each.Count(v.Position, "entry"), v.Hash)
			}
		}
		if err == nil && len(v.Breaks) > 0 {
			return fmt.Errorf("the audit is broken in %s; compare it with a backup, or with an export that was kept", each.Count(len(v.Breaks), "place"))
		}
		return err
	})
	return cmd
}
