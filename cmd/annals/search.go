package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// query holds the flags that searches share.
type query struct {
	also           []string
	limit          int
	asOf, knownAt  string
	askedAt        string
	includeEnded   bool
	minScore       float64
	recency        string
	mentionBoost   float64
	recipe         string
	scopes         []string
	methods        []string
	rerank         []string
	lambda         float64
	seeds          []string
	hops           int
	center         string
	filter         string
	explain        bool
	threads, roles []string
}

func (q *query) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&q.also, "also", nil, "more groups to search, up to 19")
	flags.IntVar(&q.limit, "limit", 10, "hits of each sort at the most")
	flags.StringVar(&q.asOf, "as-of", "", "only facts that held at this time")
	flags.StringVar(&q.knownAt, "known-at", "", "as we believed it at this time")
	flags.StringVar(&q.askedAt, "asked-at", "", "when the question is asked, for \"last year\" in it; otherwise now")
	flags.Float64Var(&q.minScore, "min-score", 0, "leave out hits that score less")
	flags.StringVar(&q.recency, "recency", "", "prefer what is new, by this half-life, as in 30d, 2w or 12h")
	flags.Float64Var(&q.mentionBoost, "mention-boost", 0, "prefer what is spoken of often: 0 to 10, such as 0.2")
	flags.BoolVar(&q.includeEnded, "include-ended", false, "also facts that have ended")
	flags.StringVar(&q.recipe, "recipe", "", "a named way of searching; 'annals search --help' lists them")
	flags.StringSliceVar(&q.scopes, "scope", nil, "what to look for: fact, entity, episode, community, thread; otherwise all but the last")
	flags.StringSliceVar(&q.methods, "method", nil, "how to look: bm25, cosine, bfs; otherwise the first two")
	flags.StringSliceVar(&q.rerank, "rerank", nil, "how to put what was found into another order: mmr, mentions, salience, node_distance, cross_encoder")
	flags.Float64Var(&q.lambda, "lambda", 0, "what relevance weighs against diversity in mmr, up to 1; 0: a half")
	flags.StringSliceVar(&q.seeds, "seed", nil, "the entities that bfs starts from, by id or name; otherwise those of the first hits")
	flags.IntVar(&q.hops, "hops", 0, "how far bfs goes, 1 to 4; 0: 2")
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

A recipe names scopes, methods and rerankers; --scope, --method and --rerank stand
in the place of what it says. Recipes: `

// build makes the query that the flags describe.
func (q *query) build(ctx context.Context, a *app, client *annals.Client, text string) (annals.Query, error) {
	built := annals.Query{
		GroupID: a.group, AlsoIn: q.also, Text: text, Limit: q.limit, IncludeEnded: q.includeEnded, MinScore: q.minScore,
		MentionBoost: q.mentionBoost, Lambda: q.lambda, Hops: q.hops, Explain: q.explain,
	}
	err := checkGroups(ctx, client, q.also...)
	if err != nil {
		return built, err
	}
	if q.recipe != "" {
		if built, err = built.With(q.recipe); err != nil {
			return built, err
		}
	}
	q.ways(&built)
	if err := q.times(&built); err != nil {
		return built, err
	}
	if built.Filter, err = parseFilter(q.filter); err != nil {
		return built, err
	}
	if len(q.threads) > 0 && len(built.Filter.Threads) > 0 {
		return built, graph.Invalid("thread-id", "is named twice: by the filter as well")
	}
	if len(q.roles) > 0 && len(built.Filter.Roles) > 0 {
		return built, graph.Invalid("role", "is named twice: by the filter as well")
	}
	built.Filter.Threads = append(built.Filter.Threads, q.threads...)
	built.Filter.Roles = append(built.Filter.Roles, q.roles...)
	return built, q.entities(ctx, a, client, &built)
}

// ways puts what is asked for in the place of what a recipe says.
func (q *query) ways(built *annals.Query) {
	if len(q.scopes) > 0 {
		built.Scopes = views(q.scopes, func(s string) graph.Kind { return graph.Kind(s) })
	}
	if len(q.methods) > 0 {
		built.Methods = views(q.methods, func(m string) annals.Method { return annals.Method(m) })
	}
	if len(q.rerank) > 0 {
		built.Rerank = views(q.rerank, func(r string) annals.Rerank { return annals.Rerank(r) })
	}
}

// entities finds those that flags name.
func (q *query) entities(ctx context.Context, a *app, client *annals.Client, built *annals.Query) error {
	for _, name := range q.seeds {
		seed, err := a.entity(ctx, client, name, built.KnownAt)
		if err != nil {
			return err
		}
		built.Seeds = append(built.Seeds, seed.ID)
	}
	if q.center == "" {
		return nil
	}
	center, err := a.entity(ctx, client, q.center, built.KnownAt)
	built.Center = center.ID
	return err
}

// times reads the flags that are times.
func (q *query) times(built *annals.Query) error {
	for _, t := range []struct {
		flag, text string
		into       *time.Time
	}{{"as-of", q.asOf, &built.ValidAt}, {"known-at", q.knownAt, &built.KnownAt}, {"asked-at", q.askedAt, &built.AskedAt}} {
		at, err := parseTime(t.flag, t.text)
		if err != nil {
			return err
		}
		*t.into = at
	}
	var err error
	built.Recency, err = parseDays("recency", q.recency)
	return err
}

func parseFilter(text string) (annals.Filter, error) {
	var f annals.Filter
	if text == "" {
		return f, nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, graph.Invalid("filter", "cannot be read: %v; 'annals search --help' shows one", err)
	}
	if decoder.More() {
		return f, graph.Invalid("filter", "has more after its object; 'annals search --help' shows one")
	}
	return f, nil
}

func (a *app) searchCommand() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find facts, entities, episodes and communities",
		Long:  searchHelp + strings.Join(annals.Recipes(), ", ") + ".",
		Example: `  annals search --group demo "Where does Nora live?"
  annals search --group demo --recipe facts_graph_rrf --explain "Nora"
  annals search --group alice --also team,company "\"green tea\" before 2024"`,
		Args: cobra.ExactArgs(1),
		RunE: a.withMemory(func(ctx context.Context, client *annals.Client, args []string) error {
			query, err := q.build(ctx, a, client, args[0])
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
			return a.printResult(found, len(q.also) > 0)
		}),
	}
	q.flags(cmd)
	cmd.Flags().BoolVar(&q.explain, "explain", false, "show where each method ranked each hit, and how long each step took")
	return cmd
}

func (a *app) printResult(r annals.Result, several bool) error {
	if len(r.Facts)+len(r.Entities)+len(r.Episodes)+len(r.Communities)+len(r.Threads) == 0 {
		a.say("Nothing was found in the group %s.", a.group)
	}
	places := placesOf(r.Explanation)
	row := func(group string, id uuid.UUID, cells ...string) []string {
		if several {
			cells = append([]string{group}, cells...)
		}
		return append(cells, places(id)...)
	}
	now := func(int) bool { return false }
	for _, part := range []struct {
		header string
		rows   [][]string
		past   func(int) bool
	}{
		{"SCORE\tFACT\tWHEN", views(r.Facts, func(h retrieval.FactHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Told(), h.When(time.Now()))
		}), func(i int) bool { return r.Facts[i].Ended(time.Now()) }},
		{"SCORE\tENTITY\tSUMMARY", views(r.Entities, func(h retrieval.EntityHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Name, brief(h.Summary, 80))
		}), now},
		{"SCORE\tSAID\tBY\tEPISODE", views(r.Episodes, func(h retrieval.EpisodeHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), day(h.OccurredAt), h.Speaker(), brief(h.Content, 90))
		}), now},
		{"SCORE\tCOMMUNITY\tSUMMARY", views(r.Communities, func(h retrieval.CommunityHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Name, brief(h.Summary, 80))
		}), now},
		{"SCORE\tTHREAD", views(r.Threads, func(h retrieval.ThreadHit) []string {
			return row(h.GroupID, uuid.Nil, score(h.Score), h.ID)
		}), now},
	} {
		if several {
			part.header = "GROUP\t" + part.header
		}
		if r.Explanation != nil {
			part.header += "\tFOUND BY"
		}
		if err := a.tableWith(part.header, part.rows, part.past); err != nil {
			return err
		}
	}
	return a.printSteps(r.Explanation)
}

func score(s float64) string { return fmt.Sprintf("%.4f", s) }

// placesOf tells where the methods ranked a hit; nothing without an explanation.
func placesOf(e *annals.Explanation) func(uuid.UUID) []string {
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

func (a *app) printSteps(e *annals.Explanation) error {
	if e == nil {
		return nil
	}
	fmt.Fprintln(a.stdout)
	return a.table("STEP\tMS", views(e.Steps, func(t retrieval.Timing) []string {
		return []string{t.Step, fmt.Sprintf("%.1f", t.Seconds*1000)}
	}))
}
