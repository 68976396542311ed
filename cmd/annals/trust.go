package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func trustCommand(a *app) *cobra.Command {
	cmd := showing(a.withMemory, &cobra.Command{
		Use:   "trust",
		Short: "Show what a group does not believe until it is confirmed; set, release it",
		Example: `  annals trust --group chat
  annals trust set --assistants --group chat            # what assistants say waits for a user
  annals trust set --documents --group chat             # documents and what tools say wait until they are released
  annals trust release --thread-id inbox --group chat
  annals facts --trust candidate --group chat           # what waits`,
	}, func(ctx context.Context, s *session, _ *none) (service.TrustPolicy, error) {
		return s.service().TrustPolicy(ctx, s.group)
	}, (*session).printTrust)
	cmd.AddCommand(trustSetCommand(a), trustReleaseCommand(a))
	return cmd
}

// policy holds the flags of trust set.
type policy struct {
	graph.TrustPolicy
	Nothing bool `json:"nothing" doc:"Nothing: all is believed"`
}

func trustSetCommand(a *app) *cobra.Command {
	cmd := showing(a.withClient, &cobra.Command{
		Use:   "set",
		Short: "Say what a group does not believe until it is confirmed, in place of what it said before",
		Example: `  annals trust set --assistants --documents --group chat
  annals trust set --door mcp --relation ALLERGIC_TO --group chat
  annals trust set --records-succeed --group chat       # a record of a later time ends what a user said
  annals trust set --nothing --group chat               # all is believed again`,
	}, func(ctx context.Context, s *session, in *policy) (service.TrustPolicy, error) {
		if err := s.service().SetTrustPolicy(ctx, s.group, in.TrustPolicy); err != nil {
			return service.TrustPolicy{}, err
		}
		return s.service().TrustPolicy(ctx, s.group)
	}, (*session).printTrust)
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
	}, func(ctx context.Context, s *session, in *input.ReleaseBody) error {
		release, err := input.Read(in, service.Release{})
		if err == nil {
			release.EpisodeIDs, err = s.ids(ctx, graph.KindEpisode, "episode", s.args...)
		}
		if err != nil {
			return err
		}
		n, err := s.service().Release(ctx, s.group, release)
		if err != nil {
			return err
		}
		what := "Released"
		if release.Hold {
			what = "Put back"
		}
		return s.tell(map[string]int{"released": n}, "%s: %d\n", what, n)
	})
}

func (p *printer) printTrust(policy service.TrustPolicy) error {
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
	return p.tell(map[string]service.TrustPolicy{"trust": policy}, "Not believed: %s.\n%s", strings.Join(held, "; "), records)
}
