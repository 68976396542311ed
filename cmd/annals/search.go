package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/retrieval"
)

const searchHelp = `Finds facts, entities, episodes and communities that fit the query.

A filter is a JSON object; all that it sets must hold:

  {"predicates": ["WORKS_AT"], "labels": ["Person", "Organization"],
   "attributes": {"path": ["salary"], "op": "gt", "value": 1000},
   "valid": [[{"op": "gte", "at": "2024-01-01T00:00:00Z"}]]}

A recipe names scopes, methods and rerankers; --scope, --method and --rerank stand
in the place of what it says. Recipes: `

func searchCommand(a *app) *cobra.Command {
	var q query
	var why []string
	cmd := taking(a.withMemory, &cobra.Command{
		Use:   "search QUERY",
		Short: "Find facts, entities, episodes and communities",
		Long:  searchHelp + strings.Join(annals.Recipes(), ", ") + ".",
		Example: `  annals search --group demo "Where does Nora live?"
  annals search --group demo --recipe facts_graph_rrf --explain "Nora"
  annals search --group demo --why 01a2075e "Where does Nora work?"    # why was this not found?
  annals search --group alice --also team,company "\"green tea\" before 2024"`,
		Args: cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		query, err := q.build(ctx, s, s.args[0])
		if err != nil {
			return err
		}
		if len(why) > 0 {
			return s.why(ctx, query, why)
		}
		query.Changes = true
		found, err := s.Search(ctx, query)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(found)
		}
		return s.printResult(found, len(q.AlsoIn) > 0)
	})
	q.flags(cmd)
	cmd.Flags().StringSliceVar(&why, "why", nil, "tell instead where this came, and what hid it: a fact, entity or episode, by its id")
	return cmd
}

func (a *app) printResult(r annals.Result, several bool) error {
	if len(r.Facts)+len(r.Entities)+len(r.Episodes)+len(r.Communities)+len(r.Observations)+len(r.Threads) == 0 {
		a.say("Nothing was found in the group %s.", a.group)
	}
	places := placesOf(r.Explanation)
	row := func(group string, id uuid.UUID, cells ...string) []string {
		if several {
			cells = append([]string{group}, cells...)
		}
		return append(cells, places(id)...)
	}
	for _, part := range []struct {
		header string
		rows   [][]string
		past   func(int) bool
	}{
		{"SCORE\tFACT\tWHEN", each.Of(r.Facts, func(h retrieval.FactHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Told(), h.Note(time.Now()))
		}), func(i int) bool { return r.Facts[i].Ended(time.Now()) }},
		{"SCORE\tENTITY\tSUMMARY", each.Of(r.Entities, func(h retrieval.EntityHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Name, brief(h.StillSo(), 80))
		}), nil},
		{"SCORE\tSAID\tBY\tEPISODE", each.Of(r.Episodes, func(h retrieval.EpisodeHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), day(h.OccurredAt), h.Speaker(), brief(noted(h), 90))
		}), nil},
		{"SCORE\tCOMMUNITY\tSUMMARY", each.Of(r.Communities, func(h retrieval.CommunityHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Name, brief(h.Summary, 80))
		}), nil},
		{"SCORE\tOBSERVATION", each.Of(r.Observations, func(h retrieval.ObservationHit) []string {
			return row(h.GroupID, h.ID, score(h.Score), h.Told())
		}), nil},
		{"SCORE\tTHREAD", each.Of(r.Threads, func(h retrieval.ThreadHit) []string {
			return row(h.GroupID, uuid.Nil, score(h.Score), h.ID)
		}), nil},
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
	if without := r.SearchedWithout(); without != "" {
		fmt.Fprintln(a.stderr, without)
	}
	return a.printSteps(r.Explanation)
}

// noted returns the text of an episode after notes on what has become of it.
func noted(h retrieval.EpisodeHit) string { return fence.Noted(h.Content, h.Note(time.Now())) }

func score(s float64) string { return fmt.Sprintf("%.4f", s) }

// placesOf lists the rank of a hit in each method; nothing without an explanation.
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

func (p *printer) printSteps(e *annals.Explanation) error {
	if e == nil {
		return nil
	}
	fmt.Fprintln(p.stdout)
	return p.table("STEP\tMS", each.Of(e.Steps, func(t retrieval.Timing) []string {
		return []string{t.Step, fmt.Sprintf("%.1f", t.Seconds*1000)}
	}))
}

// why prints the ranks of expected hits in a search, and what hid them.
func (s *session) why(ctx context.Context, q annals.Query, expected []string) error {
	var ids []uuid.UUID
	for _, text := range expected {
		id, err := s.anyID(ctx, text, graph.KindFact, graph.KindEntity, graph.KindEpisode)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	found, err := s.service().Why(ctx, q, ids)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(map[string][]service.Expected{"expected": found})
	}
	for _, e := range found {
		if err := s.printExpected(e); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) printExpected(e service.Expected) error {
	if _, err := fmt.Fprintf(p.stdout, "%s %s: %s\n", cmp.Or(e.Kind, "id"), e.ID, brief(e.Text, 90)); err != nil {
		return err
	}
	if e.Found {
		fmt.Fprintf(p.stdout, "  It is found: number %d, with a score of %s.\n", e.Rank, score(e.Score))
	} else if e.Rank > 0 {
		fmt.Fprintf(p.stdout, "  It is not found. Without what hides it, it comes %d.\n", e.Rank)
	}
	for _, method := range slices.Sorted(maps.Keys(e.Places)) {
		fmt.Fprintf(p.stdout, "  %s: number %d (%.3f)\n", method, e.Places[method].Rank, e.Places[method].Score)
	}
	for _, r := range e.Reasons {
		fmt.Fprintf(p.stdout, "  %s: %s\n", r.Code, r.Text)
	}
	return nil
}
