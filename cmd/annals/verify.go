package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/migrations"
)

const verifyHelp = `Checks all groups, or the one that --group names, against every invariant: each
fact and each entity has a source, versions do not overlap, what searches read
equals a recount from the texts, every row has its vector, what was erased or
taken back is not there, summaries cover nothing that is gone. It reads every row;
'annals doctor' is the quick look.

With --fix it mends what can be mended, and says of the rest what to do. Those who
write wait while it mends. It fails while anything is broken.`

func verifyCommand(a *app) *cobra.Command {
	var fix bool
	cmd := taking(a.withClient, &cobra.Command{
		Use:     "verify",
		Short:   "Check the memory against all that must hold of it",
		Long:    verifyHelp,
		Example: "  annals verify\n  annals verify --group chat --fix\n  annals verify --json | jq '.checks[] | select(.found > 0)'",
	}, func(ctx context.Context, s *session, _ *none) error {
		if !s.grouped() {
			return s.verify(ctx, "", fix)
		}
		if err := checkGroups(ctx, s.Client, s.group); err != nil {
			return err
		}
		return s.verify(ctx, s.group, fix)
	})
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended")
	return cmd
}

func (s *session) verify(ctx context.Context, groupID string, fix bool) error {
	structure, err := s.verifyStructure(ctx, fix)
	if err != nil {
		return err
	}
	done, err := s.service().Verify(ctx, groupID, fix)
	if err != nil {
		return err
	}
	done.Checks = append(structure, done.Checks...)
	if s.json {
		err = s.printJSON(done)
	} else {
		s.printVerification(done)
	}
	var names []string
	for _, check := range done.Broken() {
		names = append(names, check.Name)
	}
	if err == nil && len(names) > 0 {
		return fmt.Errorf("broken: %s; see above what to do", strings.Join(names, ", "))
	}
	return err
}

// verifyStructure checks the schema itself: its policies, grants and functions.
func (a *app) verifyStructure(ctx context.Context, fix bool) ([]service.Check, error) {
	where, err := a.database(ctx)
	if err != nil {
		return nil, err
	}
	before, err := migrations.Inspect(ctx, where.url)
	if err != nil {
		return nil, err
	}
	check := service.Check{Name: "schema", Says: "every object of the schema is there, and every table is guarded"}
	look := func(found migrations.Structure) {
		check.Found, check.Examples = 0, nil
		for _, c := range judgeStructure(found) {
			if c.State == checkBroken {
				check.Found++
				check.Examples = append(check.Examples, c.Name+": "+c.Found)
				check.Do = c.Do
			}
		}
	}
	look(before)
	if check.Found == 0 || !fix {
		return []service.Check{check}, nil
	}
	if _, err := migrations.Mend(ctx, where.url); err != nil {
		return nil, err
	}
	after, err := migrations.Inspect(ctx, where.url)
	if err != nil {
		return nil, err
	}
	was := check
	if look(after); check.Found == 0 {
		check = was
		check.Mended, check.Do = true, ""
	}
	return []service.Check{check}, nil
}

func (p *printer) printVerification(v service.Verification) {
	for _, check := range v.Checks {
		switch {
		case check.Found == 0:
			fmt.Fprintf(p.stdout, "ok      %s\n", check.Says)
		case check.Mended:
			fmt.Fprintf(p.stdout, "mended  %s: %s\n", check.Says, examples(check))
		default:
			fmt.Fprintf(p.stdout, "broken  %s: %s\n        %s\n", check.Says, examples(check), check.Do)
		}
		if check.Removed > 0 {
			fmt.Fprintf(p.stdout, "        removed %s\n", removed(check))
		}
	}
}

// examples returns how often an invariant is violated, with examples.
func examples(check service.Check) string {
	told := fmt.Sprintf("%d, as %s", check.Found, strings.Join(check.Examples, "; "))
	if check.Found == len(check.Examples) {
		told = strings.Join(check.Examples, "; ")
	}
	return told
}

// removed returns what the repair removed.
func removed(check service.Check) string {
	told := fmt.Sprintf("%d: %s", check.Removed, strings.Join(check.Gone, ", "))
	if more := check.Removed - len(check.Gone); more > 0 {
		told += fmt.Sprintf(" and %d more", more)
	}
	return told
}
