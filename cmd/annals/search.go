package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// query holds the flags that searches share.
type query struct {
	limit          int
	asOf, knownAt  string
	includeEnded   bool
	recipe         string
	scopes         []string
	methods        []string
	center         string
	filter         string
	explain        bool
	threads, roles []string
}

func (q *query) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&q.limit, "limit", 10, "hits of each sort at the most")
	flags.StringVar(&q.asOf, "as-of", "", "only facts that held at this time")
	flags.StringVar(&q.knownAt, "known-at", "", "as we believed it at this time")
	flags.BoolVar(&q.includeEnded, "include-ended", false, "also facts that have ended")
	flags.StringVar(&q.recipe, "recipe", "", "a named way of searching; 'annals search --help' lists them")
	flags.StringSliceVar(&q.scopes, "scope", nil, "what to look for: fact, entity, episode, community; otherwise all")
	flags.StringSliceVar(&q.methods, "method", nil, "how to look: bm25, cosine, bfs; otherwise the first two")
	flags.StringVar(&q.center, "center", "", "the entity that node_distance measures from, by id or name")
	flags.StringVar(&q.filter, "filter", "", "a JSON object that narrows the search")
	flags.StringSliceVar(&q.threads, "thread-id", nil, "only what these conversations say")
	flags.StringSliceVar(&q.roles, "role", nil, "only what speakers of these roles say")
}

const searchHelp = `Finds facts, entities, episodes and communities that fit the query.

A filter is a JSON object; all that it sets must hold:

  {"predicates": ["WORKS_AT"], "labels": ["Person", "Organization"],
   "attributes": {"path": ["salary"], "op": "gt", "value": 1000},
   "valid": [[{"op": "gte", "at": "2024-01-01T00:00:00Z"}]]}

Recipes: `

// build makes the query that the flags describe.
func (q *query) build(ctx context.Context, client *annals.Client, group, text string) (annals.Query, error) {
	built := annals.Query{GroupID: group, Text: text, Limit: q.limit, IncludeEnded: q.includeEnded, Explain: q.explain}
	var err error
	if q.recipe != "" {
		if built, err = built.With(q.recipe); err != nil {
			return built, err
		}
	}
	for _, s := range q.scopes {
		built.Scopes = append(built.Scopes[:len(built.Scopes):len(built.Scopes)], graph.Kind(s))
	}
	for _, m := range q.methods {
		built.Methods = append(built.Methods[:len(built.Methods):len(built.Methods)], retrieval.Method(m))
	}
	if built.ValidAt, err = parseTime("as-of", q.asOf); err != nil {
		return built, err
	}
	if built.KnownAt, err = parseTime("known-at", q.knownAt); err != nil {
		return built, err
	}
	if built.Filter, err = parseFilter(q.filter); err != nil {
		return built, err
	}
	built.Filter.Threads = append(built.Filter.Threads, q.threads...)
	built.Filter.Roles = append(built.Filter.Roles, q.roles...)
	if q.center != "" {
		center, err := client.Entity(ctx, group, q.center)
		if err != nil {
			return built, err
		}
		built.Center = center.ID
	}
	return built, nil
}

func parseFilter(text string) (retrieval.Filter, error) {
	var f retrieval.Filter
	if text == "" {
		return f, nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, graph.Invalid("filter", "cannot be read: %v; 'annals search --help' shows one", err)
	}
	return f, nil
}

func (a *app) searchCommand() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find facts, entities, episodes and communities",
		Long:  searchHelp + strings.Join(retrieval.Recipes(), ", ") + ".",
		Example: `  annals search --group demo "Where does Nora live?"
  annals search --group demo --recipe facts_graph_rrf --explain "Nora"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withClient(func(ctx context.Context, client *annals.Client, args []string) error {
			query, err := q.build(ctx, client, a.group, args[0])
			if err != nil {
				return err
			}
			found, err := client.Search(ctx, query)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			return a.printResult(found)
		}),
	}
	q.flags(cmd)
	cmd.Flags().BoolVar(&q.explain, "explain", false, "show where each method ranked each hit, and how long each step took")
	return cmd
}

func (a *app) printResult(r annals.Result) error {
	if len(r.Facts)+len(r.Entities)+len(r.Episodes)+len(r.Communities) == 0 {
		a.say("Nothing was found in the group %s.", a.group)
	}
	places := placesOf(r.Explanation)
	var facts, entities, episodes, communities [][]string
	for _, h := range r.Facts {
		facts = append(facts, append([]string{score(h.Score), h.Fact.Fact, span(h.Valid)}, places(h.ID)...))
	}
	for _, h := range r.Entities {
		entities = append(entities, append([]string{score(h.Score), h.Name, brief(h.Summary, 80)}, places(h.ID)...))
	}
	for _, h := range r.Episodes {
		episodes = append(episodes, append([]string{score(h.Score), day(h.OccurredAt), h.Speaker(), brief(h.Content, 90)}, places(h.ID)...))
	}
	for _, h := range r.Communities {
		communities = append(communities, append([]string{score(h.Score), h.Name, brief(h.Summary, 80)}, places(h.ID)...))
	}
	for _, part := range []struct {
		header string
		rows   [][]string
	}{
		{"SCORE\tFACT\tHELD", facts},
		{"SCORE\tENTITY\tSUMMARY", entities},
		{"SCORE\tSAID\tBY\tEPISODE", episodes},
		{"SCORE\tCOMMUNITY\tSUMMARY", communities},
	} {
		if err := a.table(part.header, part.rows); err != nil {
			return err
		}
	}
	return a.printSteps(r.Explanation)
}

func score(s float64) string { return fmt.Sprintf("%.4f", s) }

// placesOf tells where the methods ranked a hit; nothing without an explanation.
func placesOf(e *retrieval.Explanation) func(uuid.UUID) []string {
	return func(id uuid.UUID) []string {
		if e == nil {
			return nil
		}
		var places []string
		for _, h := range e.Hits {
			if h.ID != id {
				continue
			}
			for method, p := range h.Places {
				places = append(places, fmt.Sprintf("%s %d. (%.3f)", method, p.Rank, p.Score))
			}
		}
		slices.Sort(places)
		return []string{strings.Join(places, ", ")}
	}
}

func (a *app) printSteps(e *retrieval.Explanation) error {
	if e == nil {
		return nil
	}
	fmt.Fprintln(a.stdout)
	return a.table("STEP\tMS", views(e.Steps, func(t retrieval.Timing) []string {
		return []string{t.Step, fmt.Sprintf("%.1f", t.Seconds*1000)}
	}))
}
