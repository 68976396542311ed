package mcp

import (
	"cmp"
	"context"
	"reflect"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func (d *door) searching() {
	nodes := tool{
		name: "search_nodes", title: "Search entities", reads: true,
		about: "Search memory for entities: people, things, places, topics, each with a summary of what is known of it.",
	}
	facts := tool{
		name: "search_memory_facts", title: "Search facts", reads: true,
		about: "Search memory for facts between entities, each with the time during which it holds. What has ended is left out, unless " +
			"include_ended or a filter on dates is given, or the query asks about a past time.",
	}
	add(d, nodes, d.searchNodes)
	add(d, facts, d.searchFacts)
	addAlias(d, "search_memory_nodes", nodes, d.searchNodes)
	addAlias(d, "search_facts", facts, d.searchFacts)
	add(d, tool{
		name: "memory_as_of", title: "Memory as of a time", reads: true,
		about: "What held at a time (as_of), as memory believed it at a time (known_at): the world then, or our knowledge then. With a " +
			"query the facts that fit it, without one all, in the order in which they began to hold.",
	}, d.asOf)
	add(d, tool{
		name: "get_context", title: "Context for a question", reads: true,
		about: "Everything in memory that bears on a question (facts with their dates, entities, episodes) as one text that is ready to " +
			"be read. The best first call before answering.",
	}, d.context)
}

type searchNodesInput struct {
	Query string `json:"query" minLength:"1" maxLength:"8192"`
	OfGroups
	MaxNodes       int      `json:"max_nodes,omitempty" minimum:"1" maximum:"200" default:"10"`
	EntityTypes    []string `json:"entity_types,omitempty" maxItems:"100" doc:"only entities of these types, such as Person"`
	CenterNodeUUID string   `json:"center_node_uuid,omitempty" doc:"an entity: what is nearer to it comes first"`
}

type nodesOutput struct {
	Message string     `json:"message"`
	Nodes   []nodeView `json:"nodes"`
	Without string     `json:"without,omitempty" jsonschema:"which models did not answer, so that memory was searched without them"`
}

func (d *door) searchNodes(ctx context.Context, in searchNodesInput) (nodesOutput, error) {
	q := annals.Query{
		Text: in.Query, Limit: in.MaxNodes, Scopes: []graph.Kind{graph.KindEntity}, Filter: annals.Filter{Labels: in.EntityTypes},
	}
	found, err := d.search(ctx, in.GroupIDs, in.CenterNodeUUID, q)
	if err != nil {
		return nodesOutput{}, err
	}
	out := nodesOutput{Message: "Nodes retrieved successfully", Nodes: each.Of(found.Entities, viewNode), Without: found.SearchedWithout()}
	if len(out.Nodes) == 0 {
		out.Message = "No relevant nodes found"
	}
	return out, nil
}

// search searches the groups and adds what has become of the hits. A disputed fact follows the fact
// that disputes it. If center names an entity, hits near it come first.
func (d *door) search(ctx context.Context, named groupIDs, center string, q annals.Query) (annals.Result, error) {
	c, groups, err := d.several(ctx, named)
	if err != nil {
		return annals.Result{}, err
	}
	q.GroupID, q.AlsoIn = groups[0], groups[1:]
	if q.Center, err = parseOptionalID("center_node_uuid", center); err != nil {
		return annals.Result{}, err
	}
	if center != "" {
		q.Rerank = []annals.Rerank{rerankDistance}
	}
	q.Changes = true
	found, err := c.Search(ctx, q)
	if err != nil {
		return annals.Result{}, err
	}
	if reflect.DeepEqual(q.Filter, annals.Filter{}) { // a filter may exclude these facts
		found = found.WithAgainst()
	}
	found.Facts = found.Facts[:min(len(found.Facts), cmp.Or(q.Limit, annals.DefaultLimit))]
	return found, nil
}

// rerankDistance sorts hits by their distance from an entity.
const rerankDistance annals.Rerank = "node_distance"

type searchFactsInput struct {
	Query string `json:"query" minLength:"1" maxLength:"8192"`
	OfGroups
	MaxFacts        int      `json:"max_facts,omitempty" minimum:"1" maximum:"200" default:"10"`
	CenterNodeUUID  string   `json:"center_node_uuid,omitempty" doc:"an entity: what is nearer to it comes first"`
	EdgeTypes       []string `json:"edge_types,omitempty" maxItems:"100" doc:"only facts of these kinds, such as LIVES_IN"`
	ValidAtAfter    string   `json:"valid_at_after,omitempty" doc:"began to hold then or later, RFC 3339 or a date"`
	ValidAtBefore   string   `json:"valid_at_before,omitempty" doc:"began to hold then or earlier"`
	InvalidAtAfter  string   `json:"invalid_at_after,omitempty" doc:"stopped holding then or later"`
	InvalidAtBefore string   `json:"invalid_at_before,omitempty" doc:"stopped holding then or earlier"`
	IncludeEnded    bool     `json:"include_ended,omitempty" doc:"also facts that have ended"`
	ToldBy          string   `json:"told_by,omitempty"`
}

// tellers returns the filter for a speaker; empty: any.
func tellers(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

type factsOutput struct {
	Message string     `json:"message"`
	Facts   []factView `json:"facts"`
	Without string     `json:"without,omitempty" jsonschema:"which models did not answer, so that memory was searched without them"`
}

func (d *door) searchFacts(ctx context.Context, in searchFactsInput) (factsOutput, error) {
	q := annals.Query{
		Text: in.Query, Limit: in.MaxFacts, Scopes: []graph.Kind{graph.KindFact}, IncludeEnded: in.IncludeEnded,
		Filter: annals.Filter{Predicates: in.EdgeTypes, ToldBy: tellers(in.ToldBy)},
	}
	var err error
	if q.Filter.Valid, err = between("valid_at", in.ValidAtAfter, in.ValidAtBefore); err != nil {
		return factsOutput{}, err
	}
	if q.Filter.Invalid, err = between("invalid_at", in.InvalidAtAfter, in.InvalidAtBefore); err != nil {
		return factsOutput{}, err
	}
	if q.Filter.Valid != nil || q.Filter.Invalid != nil {
		q.IncludeEnded = true
	}
	found, err := d.search(ctx, in.GroupIDs, in.CenterNodeUUID, q)
	if err != nil {
		return factsOutput{}, err
	}
	return factsFound(found), nil
}

// factsFound formats the facts of a search.
func factsFound(found annals.Result) factsOutput {
	out := factsShown(found.Facts)
	out.Without = found.SearchedWithout()
	return out
}

func factsShown(facts []annals.FactHit) factsOutput {
	message := "Facts retrieved successfully"
	if len(facts) == 0 {
		message = "No relevant facts found"
	}
	return factsOutput{Message: message, Facts: each.Of(facts, viewFact)}
}

// between returns a condition with two bounds; nil if both are empty.
func between(field, after, before string) (annals.TimeCondition, error) {
	from, err := graph.ParseTime(field+"_after", after)
	if err != nil {
		return nil, err
	}
	until, err := graph.ParseTime(field+"_before", before)
	if err != nil {
		return nil, err
	}
	var tests []annals.TimeTest
	if !from.IsZero() {
		tests = append(tests, annals.TimeTest{Op: "gte", At: from})
	}
	if !until.IsZero() {
		tests = append(tests, annals.TimeTest{Op: "lte", At: until})
	}
	if tests == nil {
		return nil, nil
	}
	return annals.TimeCondition{tests}, nil
}

type asOfInput struct {
	AsOf    string `json:"as_of,omitempty" doc:"the time in the world, RFC 3339 or a date; left out: now"`
	KnownAt string `json:"known_at,omitempty" doc:"as memory believed it at this time; left out: as it does now"`
	Query   string `json:"query,omitempty" minLength:"1" maxLength:"8192" doc:"what to look for; left out: all facts"`
	OfGroups
	MaxFacts int    `json:"max_facts,omitempty" minimum:"1" maximum:"200" default:"10"`
	ToldBy   string `json:"told_by,omitempty"`
}

type asOfOutput struct {
	Message string     `json:"message"`
	Facts   []factView `json:"facts"`
	AsOf    time.Time  `json:"as_of"`
	KnownAt *time.Time `json:"known_at" jsonschema:"null: now"`
	Without string     `json:"without,omitempty" jsonschema:"which models did not answer, so that memory was searched without them"`
}

func (d *door) asOf(ctx context.Context, in asOfInput) (asOfOutput, error) {
	q, err := annals.QueryInput{Query: in.Query, Limit: in.MaxFacts, Scopes: []string{string(graph.KindFact)}, AsOf: in.AsOf, KnownAt: in.KnownAt, ToldBy: tellers(in.ToldBy)}.In("", nil)
	if err != nil {
		return asOfOutput{}, err
	}
	if q.ValidAt.IsZero() && q.KnownAt.IsZero() {
		return asOfOutput{}, graph.Invalid("as_of", "is missing, and so is known_at; give one of them, such as 2024-03-15")
	}
	out := asOfOutput{}
	if q.ValidAt.IsZero() {
		q.ValidAt = time.Now().UTC()
	}
	if !q.KnownAt.IsZero() {
		out.KnownAt = &q.KnownAt
	}
	out.AsOf = q.ValidAt
	facts, err := d.factsAt(ctx, in.GroupIDs, q)
	out.Message, out.Facts, out.Without = facts.Message, facts.Facts, facts.Without
	return out, err
}

func (d *door) factsAt(ctx context.Context, groups groupIDs, q annals.Query) (factsOutput, error) {
	if q.Text == "" {
		return d.listFacts(ctx, groups, q)
	}
	found, err := d.search(ctx, groups, "", q)
	return factsFound(found), err
}

// listFacts lists facts without a query, group by group.
func (d *door) listFacts(ctx context.Context, named groupIDs, q annals.Query) (factsOutput, error) {
	c, groups, err := d.several(ctx, named)
	if err != nil {
		return factsOutput{}, err
	}
	var all []annals.FactHit
	for _, group := range groups {
		left := q.Limit - len(all)
		if left == 0 {
			break
		}
		facts, err := c.Facts(ctx, annals.FactFilter{GroupID: group, ValidAt: q.ValidAt, KnownAt: q.KnownAt, ToldBy: q.Filter.ToldBy, Limit: left})
		if err != nil {
			return factsOutput{}, err
		}
		found, err := client{c, group}.annotated(ctx, q, service.Rows{Facts: facts})
		if err != nil {
			return factsOutput{}, err
		}
		all = append(all, found.Facts...)
	}
	return factsShown(all), nil
}

type contextInput struct {
	Query string `json:"query" to:"-" minLength:"1" maxLength:"8192" doc:"the question, or the latest message"`
	OfGroups
	MaxHits   int `json:"max_hits,omitempty" minimum:"0" maximum:"1000000" doc:"how many facts, entities, communities and episodes it may show in all; left out: no limit"`
	MaxTokens int `json:"max_tokens,omitempty" minimum:"0" maximum:"1000000" default:"4000" doc:"how long the text may be; 0: no limit"`
	input.Times
	Citations bool   `json:"citations,omitempty" doc:"end each line with the id of what it is from"`
	ToldBy    string `json:"told_by,omitempty" to:"-"`
}

type contextOutput struct {
	Context string `json:"context"`
}

func (d *door) context(ctx context.Context, in contextInput) (contextOutput, error) {
	c, groups, err := d.several(ctx, in.GroupIDs)
	if err != nil {
		return contextOutput{}, err
	}
	q, err := annals.QueryInput{Query: in.Query, AlsoIn: groups[1:], AsOf: in.AsOf, KnownAt: in.KnownAt, ToldBy: tellers(in.ToldBy)}.In(groups[0], nil)
	if err != nil {
		return contextOutput{}, err
	}
	text, err := c.ContextAs(ctx, q, annals.Construction{Hits: in.MaxHits, Tokens: in.MaxTokens, Citations: in.Citations})
	return contextOutput{Context: text}, err
}
