package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/prompts"
)

// The limits on completions: how long the shell waits, and how many are offered.
const (
	completionTime = time.Second
	completions    = 100 // offered at most
)

// choices lists the values of flags whose declaration does not, by the name of the flag.
var choices = map[string][]string{
	"source":     {string(graph.SourceMessage), string(graph.SourceText), string(graph.SourceJSON)},
	"role":       {"user", "assistant", "system", "tool"},
	"format":     {"jsonl", "text", "json"},
	"from":       {"zep", "graphiti", "zep-cloud", "mem0", "chatgpt", "claude"},
	"log-format": {"json", "text"},
	"log-level":  {"debug", "info", "warn", "error"},
	"recipe":     annals.Recipes(),
	"rerank":     {string(annals.RerankModel), string(annals.RerankMMR)},
	"answers":    each.Of(answer.Kinds, func(k answer.Kind) string { return string(k) }),
}

// complete registers completions for the flags of cmd and of all commands below it.
func (a *app) complete(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.complete(sub)
	}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		values := flag.Annotations[choicesOf]
		if values == nil && (flag.Name != "from" || cmd.Name() == "import") { // elsewhere it is a time or a number
			values = choices[flag.Name]
		}
		if values != nil {
			register(cmd, flag.Name, func(string) []string { return values })
		}
	})
	for _, name := range []string{"group", "also", "tenant", "user"} {
		register(cmd, name, a.groupsBeginning)
	}
	removes := cmd.Name() == "erase" // withheld rows can be erased too
	for _, name := range []string{"entity", "seed", "center"} {
		register(cmd, name, func(typed string) []string { return a.offers(typed, removes, graph.KindEntity) })
	}
	register(cmd, "facts", func(typed string) []string { return a.offers(typed, false, graph.KindFact) })
	register(cmd, "episode", func(typed string) []string { return a.offers(typed, removes, graph.KindEpisode) })
}

// register registers completions for one flag, if the command has it. In a list with commas it
// completes the last value.
func register(cmd *cobra.Command, name string, offers func(typed string) []string) {
	flag := cmd.LocalFlags().Lookup(name)
	if flag == nil {
		return
	}
	list := strings.HasSuffix(flag.Value.Type(), "Slice")
	err := cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if comma := strings.LastIndex(typed, ","); list && comma >= 0 {
			before, typed = typed[:comma+1], typed[comma+1:]
		}
		return each.Of(offers(typed), func(value string) string { return before + value }), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("annals: " + err.Error()) // the flag was registered twice
	}
}

// completeIDs completes arguments that are ids of some kinds.
func (a *app) completeIDs(kinds ...graph.Kind) cobra.CompletionFunc {
	return a.completing(false, kinds...)
}

// completeWithheld completes arguments that are ids, including those of withheld rows.
func (a *app) completeWithheld(kind graph.Kind) cobra.CompletionFunc { return a.completing(true, kind) }

func (a *app) completing(withheld bool, kinds ...graph.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return a.offers(typed, withheld, kinds...), cobra.ShellCompDirectiveNoFileComp
	}
}

func completePrompts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return prompts.Names(), cobra.ShellCompDirectiveNoFileComp
}

// groupsBeginning lists groups that begin with a text. A tenant has only one.
func (a *app) groupsBeginning(typed string) (groups []string) {
	if a.config.Tenant != "" {
		return []string{a.config.Tenant}
	}
	a.glance(func(ctx context.Context, queries *db.Queries) (err error) {
		groups, err = queries.GroupsBeginning(ctx, db.GroupsBeginningParams{Beginning: typed, MaxRows: completions})
		return err
	})
	return groups
}

// offers lists the short ids of the latest visible rows, or of withheld ones too, with their texts.
// If only the whole id begins with what was typed, it lists that.
func (a *app) offers(typed string, withheld bool, kinds ...graph.Kind) (offers []string) {
	group := cmp.Or(a.config.Tenant, a.group)
	a.glance(func(ctx context.Context, queries *db.Queries) error {
		rows, err := queries.IDsLatest(ctx, db.IDsLatestParams{GroupID: group, Kinds: each.Of(kinds, func(k graph.Kind) string { return string(k) }), Withheld: withheld, MaxRows: completions})
		short := shorten(each.Of(rows, func(r db.IDsLatestRow) uuid.UUID { return r.ID }))
		for _, row := range rows {
			id := short(row.ID)
			if !strings.HasPrefix(id, typed) {
				id = row.ID.String()
			}
			if strings.HasPrefix(id, typed) {
				offers = append(offers, cobra.CompletionWithDesc(id, cell(row.Words)))
			}
		}
		return err
	})
	return offers
}

// glance queries the database for completions. It starts and migrates nothing, opens no model and
// prints no errors, because the user is typing.
func (a *app) glance(at func(context.Context, *db.Queries) error) {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	url := a.config.DatabaseURL
	if url == "" {
		embedded, err := a.embedded("")
		if err != nil {
			return
		}
		if url, err = postgres.Running(ctx, embedded); err != nil {
			return
		}
	}
	pool, err := db.Open(ctx, url)
	if err != nil {
		return
	}
	defer pool.Close()
	var asked db.Pool = pool
	if a.config.Tenant != "" {
		asked = db.Tenant(pool, a.config.Tenant)
	}
	_ = at(ctx, db.New(asked))
}
