package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

func erasuresCommand(a *app) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "erasures",
		Short: "Show the certificates of what was erased",
		Long: `Shows what was erased, when, by whom and by which way, the latest first: of the
group that is named with --group, or of all, with groups that are gone. --json
prints the certificates whole. They hold nothing of what was erased.`,
		Example: "  annals erasures\n  annals erasures --group chat --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			group := ""
			if cmd.Flags().Changed("group") || a.config.Tenant != "" {
				group = a.group
			}
			return a.withClient(func(ctx context.Context, s *session, _ []string) error {
				list, err := service.New(s.Client).Erasures(ctx, group, limit)
				if err != nil {
					return err
				}
				return printList(&s.printer, "erasures", list, func(e service.PastErasure) service.PastErasure { return e },
					"WHEN\tSCOPE\tGROUP\tBY\tDOOR\tEPISODES\tROWS\tTOMBSTONES", erasureCells)
			})(cmd, args)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "how many at the most")
	return cmd
}

func erasureCells(e service.PastErasure) []string {
	rows := int64(0)
	for _, removed := range e.Certificate.Removed {
		rows += removed.Rows
	}
	return []string{
		moment(e.ErasedAt), e.Certificate.Scope, e.GroupID, e.By, e.Door, strconv.Itoa(e.Certificate.Episodes),
		strconv.FormatInt(rows, 10), strconv.Itoa(len(e.Certificate.Tombstones)),
	}
}
