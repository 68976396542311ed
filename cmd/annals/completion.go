package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/postgres"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/retrieval"
)

// The limits on completions: how long the shell waits, and how many are offered.
const (
	completionTime = time.Second
	completions    = 100 // offered at most
)

// choices lists the values of flags, by the name of the flag.
var choices = map[string][]string{
	"state":      {string(graph.StatePending), string(graph.StateProcessing), string(graph.StateDone), string(graph.StateFailed)},
	"source":     {string(graph.SourceMessage), string(graph.SourceText), string(graph.SourceJSON)},
	"role":       {"user", "assistant", "system", "tool"},
	"format":     {"jsonl", "text", "json"},
	"encoding":   {"o200k_base", "cl100k_base"},
	"from":       {"zep", "graphiti", "zep-cloud", "mem0", "chatgpt", "claude"},
	"log-format": {"json", "text"},
	"log-level":  {"debug", "info", "warn", "error"},
	"recipe":     annals.Recipes(),
	"scope":      {string(graph.KindFact), string(graph.KindEntity), string(graph.KindEpisode), string(graph.KindCommunity), string(graph.KindObservation), string(graph.KindThread)},
	"method":     {string(annals.MethodTerms), string(annals.MethodVector), string(retrieval.MethodGraph)},
	"rerank": {
		string(annals.RerankMMR), string(annals.RerankMentions), string(annals.RerankSalience), string(retrieval.RerankDistance), string(retrieval.RerankModel),
	},
	"answers": each.Of(answer.Kinds, func(k answer.Kind) string { return string(k) }),
	"kind":    {string(agent.KindMessage), string(agent.KindLogin), string(agent.KindUpload), string(agent.KindAlert), string(agent.KindHeartbeat)},
}

// complete registers completions for the flags of cmd and of all commands below it.
func (a *app) complete(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.complete(sub)
	}
	for name, values := range choices {
		if name == "from" && cmd.Name() != "import" {
			continue // elsewhere it is a time or a number
		}
		register(cmd, name, func(string) []string { return values })
	}
	for _, name := range []string{"group", "also", "tenant"} {
		register(cmd, name, a.groupsBeginning)
	}
	register(cmd, "user", a.groupsBeginning)
	removes := cmd.Name() == "erase" // withheld rows can be erased too
	for _, name := range []string{"entity", "seed", "center"} {
		register(cmd, name, func(typed string) []string { return a.offers(typed, removes, graph.KindEntity) })
	}
	register(cmd, "facts", func(typed string) []string { return a.latest(typed, graph.KindFact) })
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

// completeWithheld completes arguments that are ids, including those of withheld rows.
func (a *app) completeWithheld(kind graph.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return a.offers(typed, true, kind), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeIDs completes arguments that are ids of some kinds.
func (a *app) completeIDs(kinds ...graph.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return a.latest(typed, kinds...), cobra.ShellCompDirectiveNoFileComp
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

// latest lists the short ids of the latest visible rows, with their texts. If only the whole id
// begins with what was typed, it lists that.
func (a *app) latest(typed string, kinds ...graph.Kind) []string {
	return a.offers(typed, false, kinds...)
}

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
