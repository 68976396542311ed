package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func trustCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Show what a group does not believe until it is confirmed; set, release it",
		Example: `  annals trust --group chat
  annals trust set --assistants --group chat            # what assistants say waits for a user
  annals trust set --documents --group chat             # documents and what tools say wait until they are released
  annals trust release --thread-id inbox --group chat
  annals facts --trust candidate --group chat           # what waits`,
		Args: cobra.NoArgs,
		RunE: a.withMemory(func(ctx context.Context, s *session, _ []string) error {
			policy, err := service.New(s.Client).TrustPolicy(ctx, s.group)
			if err != nil {
				return err
			}
			return s.printTrust(policy)
		}),
	}
	cmd.AddCommand(trustSetCommand(a), trustReleaseCommand(a))
	return cmd
}

// policy holds the flags of trust set.
type policy struct {
	graph.TrustPolicy
	Nothing bool `json:"nothing" doc:"Nothing: all is believed"`
}

func trustSetCommand(a *app) *cobra.Command {
	cmd := taking(a.withClient, &cobra.Command{
		Use:   "set",
		Short: "Say what a group does not believe until it is confirmed, in place of what it said before",
		Example: `  annals trust set --assistants --documents --group chat
  annals trust set --door mcp --relation ALLERGIC_TO --group chat
  annals trust set --records-succeed --group chat       # a record of a later time ends what a user said
  annals trust set --nothing --group chat               # all is believed again`,
	}, func(ctx context.Context, s *session, in *policy, _ []string) error {
		if err := service.New(s.Client).SetTrustPolicy(ctx, s.group, in.TrustPolicy); err != nil {
			return err
		}
		set, err := service.New(s.Client).TrustPolicy(ctx, s.group)
		if err != nil {
			return err
		}
		return s.printTrust(set)
	})
	held := []string{"assistants", "documents", "thread-id", "door", "role", "source", "relation"}
	cmd.MarkFlagsOneRequired(append([]string{"records-succeed", "skill-proof", "nothing"}, held...)...)
	for _, other := range held {
		cmd.MarkFlagsMutuallyExclusive("nothing", other)
	}
	return cmd
}

func trustReleaseCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "release [EPISODE…]",
		Short: "Release what is in quarantine: episodes, those of a conversation, or all",
		Long: `Takes episodes out of quarantine, on record: documents, and what comes by a door,
from a role or from a source that the group withholds. What was read in them is
believed then. What comes later is held again. --undo puts back what was released.
Facts of a relation that is withheld are confirmed instead ('annals facts confirm').`,
		Example: `  annals trust release 63f4d958 --group chat
  annals trust release --all --undo --group chat`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeWithheld(graph.KindEpisode),
	}, func(ctx context.Context, s *session, in *input.ReleaseBody, args []string) error {
		release, err := input.Read(in, service.Release{})
		if err == nil {
			release.EpisodeIDs, err = s.ids(ctx, graph.KindEpisode, "episode", args...)
		}
		if err != nil {
			return err
		}
		n, err := service.New(s.Client).Release(ctx, s.group, release)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string]int{"released": n})
		}
		what := "Released"
		if release.Hold {
			what = "Put back"
		}
		_, err = fmt.Fprintf(s.stdout, "%s: %d\n", what, n)
		return err
	})
}

// confirmation holds the flags of facts confirm.
type confirmation struct {
	Undo bool `json:"undo" doc:"Take the confirmation back"`
}

func factsConfirmCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "confirm FACT…",
		Short: "Confirm facts by hand: they are believed, as the word of who confirms them",
		Example: `  annals facts --trust candidate --group chat
  annals facts confirm 63f4d958 --group chat
  annals facts confirm 63f4d958 --undo --group chat`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeWithheld(graph.KindFact),
	}, func(ctx context.Context, s *session, in *confirmation, args []string) error {
		ids, err := s.ids(ctx, graph.KindFact, "fact", args...)
		if err != nil {
			return err
		}
		facts, err := service.New(s.Client).Confirm(ctx, s.group, ids, !in.Undo)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(map[string][]graph.FactJSON{"facts": each.Of(facts, annals.Fact.JSON)})
		}
		return s.printFacts(facts, time.Time{})
	})
}

func (p *printer) printTrust(policy service.TrustPolicy) error {
	if p.json {
		return p.printJSON(map[string]service.TrustPolicy{"trust": policy})
	}
	var held []string
	if policy.Assistants {
		held = append(held, "what assistants say, until a user or a person confirms it")
	}
	if policy.Documents {
		held = append(held, "documents and what tools and systems say, until they are released")
	} else if len(policy.Threads) > 0 {
		held = append(held, "documents and what tools and systems say in "+strings.Join(policy.Threads, ", ")+", until they are released")
	}
	for _, l := range []struct {
		what, until string
		names       []string
	}{
		{"what comes by ", "it is released", policy.Doors},
		{"what is said in the role ", "it is released", policy.Roles},
		{"what comes from ", "it is released", policy.Sources},
		{"facts of ", "they are confirmed", policy.Relations},
	} {
		if len(l.names) > 0 {
			held = append(held, l.what+strings.Join(l.names, ", ")+", until "+l.until)
		}
	}
	if len(held) == 0 {
		held = append(held, "nothing: what is said is believed")
	}
	records := ""
	if policy.RecordsSucceed {
		records = "Records of a later time end what a user said of an earlier one.\n"
	}
	if policy.SkillProof > 0 {
		records += fmt.Sprintf("Skills are confirmed once they worked %s in a row.\n", each.Count(policy.SkillProof, "time"))
	}
	_, err := fmt.Fprintf(p.stdout, "Not believed: %s.\n%s", strings.Join(held, "; "), records)
	return err
}
