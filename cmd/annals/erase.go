package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// undoneJSON is what taking episodes back did.
type undoneJSON struct {
	Episodes        int `json:"episodes"`
	Replayed        int `json:"replayed"`
	FactsRemoved    int `json:"facts_removed"`
	FactsReopened   int `json:"facts_reopened"`
	FactsChanged    int `json:"facts_changed"`
	FactsAdded      int `json:"facts_added"`
	EntitiesRemoved int `json:"entities_removed"`
	EntitiesChanged int `json:"entities_changed"`
}

func (a *app) printUndone(u annals.Undone) error {
	if a.json {
		return a.printJSON(map[string]undoneJSON{"undone": {
			Episodes: u.Episodes, Replayed: u.Replayed, FactsRemoved: u.FactsRemoved, FactsReopened: u.FactsReopened,
			FactsChanged: u.FactsChanged, FactsAdded: u.FactsAdded, EntitiesRemoved: u.EntitiesRemoved, EntitiesChanged: u.EntitiesChanged,
		}})
	}
	_, err := fmt.Fprintf(a.stdout, "%d taken back, %d later ones placed again; facts: %d removed, %d open again, %d changed, %d added; entities: %d removed, %d changed\n",
		u.Episodes, u.Replayed, u.FactsRemoved, u.FactsReopened, u.FactsChanged, u.FactsAdded, u.EntitiesRemoved, u.EntitiesChanged)
	return err
}

const anyReaderHelp = "have the present model judge later episodes that another one read"

func (a *app) episodesDeleteCommand() *cobra.Command {
	var anyReader bool
	cmd := &cobra.Command{
		Use:   "delete EPISODE_ID…",
		Short: "Take episodes back: what only they support goes, what they ended holds on",
		Long: `Takes episodes back: the group believes what it would had they never come.
What only they support goes, what they ended holds on, and later episodes are
placed again. The history keeps what was believed until now; 'annals erase'
removes that too.`,
		Example: `  annals episodes delete 0199d1c0-0000-7000-8000-000000000000 --group chat`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := episodeIDs(args)
			if err != nil {
				return err
			}
			return a.withClient(func(ctx context.Context, client *annals.Client, _ []string) error {
				done, err := client.DeleteEpisodes(ctx, annals.Deletion{GroupID: a.group, EpisodeIDs: ids, AnyReader: anyReader})
				if err != nil {
					return err
				}
				return a.printUndone(done)
			})(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&anyReader, "any-reader", false, anyReaderHelp)
	return cmd
}

func episodeIDs(texts []string) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(texts))
	for i, text := range texts {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, graph.Invalid("episode", "%q is no episode id; 'annals episodes' lists them", text)
		}
		ids[i] = id
	}
	return ids, nil
}

// erasure is what the flags of erase say.
type erasure struct {
	user, entity   string
	episodes       []string
	anyReader, yes bool
}

func (a *app) eraseCommand() *cobra.Command {
	var in erasure
	cmd := &cobra.Command{
		Use:   "erase",
		Short: "Remove every trace of a group, a user, episodes or an entity, for good",
		Long: `Removes every trace from all tables: rows, history, vectors, summaries and
answers of models. With --group alone the whole group goes; with --episode only
that, and what only it supports; with --entity an entity and every episode that
names it. What was erased is refused when it is added again, unless with
'annals add --force'. Prints a certificate that holds nothing of it.`,
		Example: `  annals erase --group alice --yes
  annals erase --group chat --entity "Bob Smith" --yes
  annals erase --group chat --episode 0199d1c0-0000-7000-8000-000000000000 --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.user == "" && !cmd.Flags().Changed("group") {
				return graph.Invalid("group", "is missing; name the group to erase, or to erase from")
			}
			if !in.yes {
				return graph.Invalid("yes", "is missing; nothing can bring back what is erased: add --yes to do it")
			}
			ids, err := episodeIDs(in.episodes)
			if err != nil {
				return err
			}
			return a.withClient(func(ctx context.Context, client *annals.Client, _ []string) error {
				return a.erase(ctx, client, in, ids, cmd.Flags().Changed("group"))
			})(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&in.user, "user", "", "the user whose group is erased")
	flags.StringSliceVar(&in.episodes, "episode", nil, "only these episodes, by their ids")
	flags.StringVar(&in.entity, "entity", "", "only this entity, by its id or name, with the episodes that name it")
	flags.BoolVar(&in.anyReader, "any-reader", false, anyReaderHelp)
	flags.BoolVar(&in.yes, "yes", false, "do it")
	return cmd
}

func (a *app) erase(ctx context.Context, client *annals.Client, in erasure, episodes []uuid.UUID, grouped bool) error {
	what := annals.Erasure{UserID: in.user, EpisodeIDs: episodes, AnyReader: in.anyReader}
	if grouped {
		what.GroupID = a.group
	}
	if in.entity != "" {
		entity, err := client.Entity(ctx, a.group, in.entity)
		if err != nil {
			return err
		}
		what.EntityID = entity.ID
	}
	certificate, err := client.Erase(ctx, what)
	if err != nil {
		return err
	}
	return a.printCertificate(certificate)
}

// certificateJSON is a certificate as it is printed.
type certificateJSON struct {
	Scope      string           `json:"scope"`
	ErasedAt   time.Time        `json:"erased_at"`
	Episodes   int              `json:"episodes"`
	Removed    []engine.Removal `json:"removed"`
	Edited     []engine.Removal `json:"edited"`
	Emptied    int              `json:"model_calls_emptied"`
	Tombstones []string         `json:"tombstones"`
}

func (a *app) printCertificate(c annals.Certificate) error {
	if a.json {
		return a.printJSON(map[string]certificateJSON{"certificate": {
			Scope: c.Scope, ErasedAt: c.ErasedAt, Episodes: c.Episodes, Removed: append([]engine.Removal{}, c.Removed...), Edited: append([]engine.Removal{}, c.Edited...), Emptied: c.Emptied, Tombstones: c.Tombstones,
		}})
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
	return a.table("", rows)
}
