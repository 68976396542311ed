package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// groupJSON is a group as it is printed.
type groupJSON struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"`
	Kind          graph.GroupKind `json:"kind"`
	Episodes      int64           `json:"episodes"`
	Entities      int64           `json:"entities"`
	Facts         int64           `json:"facts"`
	LastEpisodeAt *time.Time      `json:"last_episode_at"`
	Language      string          `json:"language"`
	LanguageFrom  string          `json:"language_from"`
}

func groupView(g db.GroupsHeldRow) groupJSON {
	return groupJSON{
		ID: g.GroupID, Name: g.Name, Kind: g.Kind, Episodes: g.Episodes, Entities: g.Entities, Facts: g.Facts,
		LastEpisodeAt: db.Nullable(g.LastEpisodeAt.UTC()), Language: g.Language, LanguageFrom: g.TextSearchFrom,
	}
}

// language describes the language of a group, in which its words are stemmed, and where the setting
// comes from.
func language(of, from string) string {
	if from == "default" {
		return of + " until it is detected"
	}
	return of + ", " + from
}

func groupsCommand(a *app) *cobra.Command {
	var after string
	var limit int
	cmd := taking(a.withClient, &cobra.Command{
		Use:   "groups",
		Short: "List memories, by name, and what they hold",
		Example: `  annals groups
  annals groups --after alice --limit 100    # those that come after alice`,
	}, func(ctx context.Context, s *session, _ *none) error {
		if limit < 1 || limit > annals.MaxRows {
			return graph.Invalid("limit", "is %d; it must be 1 to %d", limit, annals.MaxRows)
		}
		groups, err := s.groupsHeld(ctx, after, limit)
		if err != nil {
			return err
		}
		if err := groupList.show(s, groups); err != nil {
			return err
		}
		if len(groups) == limit && !s.json {
			s.say("There may be more: 'annals groups --after %s' goes on.", groups[limit-1].GroupID)
		}
		return nil
	})
	cmd.AddCommand(groupsCreateCommand(a))
	cmd.Flags().IntVar(&limit, "limit", annals.DefaultRows, "groups at the most")
	cmd.Flags().StringVar(&after, "after", "", "only groups whose names come after this one")
	return cmd
}

var groupList = listing[db.GroupsHeldRow]{
	key: "groups", view: as(groupView), header: "GROUP\tNAME\tKIND\tEPISODES\tENTITIES\tFACTS\tLAST EPISODE\tLANGUAGE",
	cells: func(g db.GroupsHeldRow, _ string) []string {
		return []string{
			g.GroupID, brief(g.Name, 40), string(g.Kind), fmt.Sprint(g.Episodes), fmt.Sprint(g.Entities), fmt.Sprint(g.Facts), day(g.LastEpisodeAt),
			language(g.Language, g.TextSearchFrom),
		}
	},
	none: "There is no group yet; 'annals add' makes one.",
}

// created holds the flags of groups create.
type created struct {
	Kind  graph.GroupKind `json:"kind" enum:"graph,user" default:"graph" doc:"whose memory it is: graph, or user"`
	Force bool            `json:"force" doc:"make it again although it was erased"`
}

func groupsCreateCommand(a *app) *cobra.Command {
	return calling(a.withClient, &cobra.Command{
		Use:   "create",
		Short: "Make a memory, or make one again that was erased",
		Long: `Makes a memory. There is mostly no need to: 'annals add' makes the one it adds to.
One that was erased is made again only with --force, which is put on record. Its
name is free then, and what it held is not refused when it is added again.`,
		Example: `  annals groups create --group alice --kind user
  annals groups create --group alice --kind user --force    # it was erased`,
	}, func(ctx context.Context, s *session, _ *created, g annals.Group) (_ annals.Group, err error) {
		g.ID = s.group
		if g.Kind == graph.GroupUser {
			_, err = s.service().CreateUser(ctx, service.User{GroupID: g.ID, Force: g.Force})
		} else {
			_, err = s.CreateGroup(ctx, g)
		}
		if err != nil {
			return g, err
		}
		return s.Group(ctx, g.ID)
	}, func(s *session, made annals.Group) error {
		return s.tell(map[string]annals.Group{"group": made}, "Made %s.\n", made.ID)
	})
}

func (s *session) groupsHeld(ctx context.Context, after string, limit int) (groups []db.GroupsHeldRow, err error) {
	err = s.InSnapshot(ctx, s.group, func(tx pgx.Tx) error {
		groups, err = db.New(tx).GroupsHeld(ctx, db.GroupsHeldParams{After: after, MaxRows: int32(limit)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the groups: %w", err)
	}
	return groups, nil
}

// checkGroups returns an error if a group does not exist, and suggests the nearest name. A tenant
// sees no other groups and gets no suggestion.
func checkGroups(ctx context.Context, client *annals.Client, groups ...string) error {
	for _, group := range groups {
		there, alike := false, []string(nil)
		err := client.InSnapshot(ctx, group, func(tx pgx.Tx) (err error) {
			queries := db.New(tx)
			if there, err = queries.GroupExists(ctx, group); there || err != nil {
				return err
			}
			alike, err = queries.GroupsAlike(ctx, db.GroupsAlikeParams{Name: group, MaxRows: maxAlike})
			return err
		})
		if err != nil {
			return err
		}
		if !there {
			return noGroup(group, alike)
		}
	}
	return nil
}

// maxAlike is how many groups are compared with a name letter by letter. Those that share the most
// trigrams with it are compared.
const maxAlike = 100

// defaultGroup is the group if none is named.
const defaultGroup = "default"

func noGroup(group string, alike []string) error {
	near := nearest(group, alike)
	if group == defaultGroup && near == "" {
		return fmt.Errorf("there is no group %q, which is meant where --group names none; 'annals groups' lists those there are", group)
	}
	switch {
	case near != "":
		return fmt.Errorf("there is no group %q; did you mean %q?", group, near)
	case len(alike) > 0:
		return fmt.Errorf("there is no group %q; 'annals groups' lists those there are, 'annals add' makes one", group)
	}
	return fmt.Errorf("there is no group %q; 'annals add' makes it", group)
}

// nearest returns the name with the smallest edit distance, or one with the mistyped text as its
// prefix. It uses cobra's suggestions for mistyped commands.
func nearest(mistyped string, names []string) string {
	candidates := &cobra.Command{}
	for _, name := range names {
		candidates.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for letters := range min(3, (len(mistyped)+1)/2) {
		candidates.SuggestionsMinimumDistance = letters + 1
		if near := candidates.SuggestionsFor(mistyped); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}
