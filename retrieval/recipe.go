package retrieval

import (
	"maps"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// A recipe is a named choice of scopes, methods and rerankers. Its name lists these, like those of
// Graphiti, which calls facts edges and entities nodes.
type recipe struct {
	scopes  []graph.Kind
	methods []Method
	rerank  []Rerank
}

var (
	allScopes   = []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity}
	facts       = []graph.Kind{graph.KindFact}
	entities    = []graph.Kind{graph.KindEntity}
	episodes    = []graph.Kind{graph.KindEpisode}
	communities = []graph.Kind{graph.KindCommunity}
	hybrid      = []Method{MethodTerms, MethodVector}
	everything  = []Method{MethodTerms, MethodVector, MethodGraph}
)

var recipes = map[string]recipe{
	"auto": {allScopes, hybrid, nil},

	"combined_hybrid_rrf":    {allScopes, hybrid, nil},
	"combined_hybrid_mmr":    {allScopes, hybrid, []Rerank{RerankMMR}},
	"combined_cross_encoder": {allScopes, everything, []Rerank{RerankModel}},
	"combined_graph_rrf":     {allScopes, everything, nil},

	"facts_hybrid_rrf":              {facts, hybrid, nil},
	"facts_hybrid_mmr":              {facts, hybrid, []Rerank{RerankMMR}},
	"facts_hybrid_node_distance":    {facts, hybrid, []Rerank{RerankDistance}},
	"facts_hybrid_episode_mentions": {facts, hybrid, []Rerank{RerankMentions}},
	"facts_hybrid_cross_encoder":    {facts, everything, []Rerank{RerankModel}},
	"facts_graph_rrf":               {facts, everything, nil},

	"entities_hybrid_rrf":              {entities, hybrid, nil},
	"entities_hybrid_mmr":              {entities, hybrid, []Rerank{RerankMMR}},
	"entities_hybrid_node_distance":    {entities, hybrid, []Rerank{RerankDistance}},
	"entities_hybrid_episode_mentions": {entities, hybrid, []Rerank{RerankMentions}},
	"entities_hybrid_cross_encoder":    {entities, everything, []Rerank{RerankModel}},
	"entities_graph_rrf":               {entities, everything, nil},

	"episodes_hybrid_rrf":           {episodes, hybrid, nil},
	"episodes_hybrid_mmr":           {episodes, hybrid, []Rerank{RerankMMR}},
	"episodes_hybrid_cross_encoder": {episodes, hybrid, []Rerank{RerankModel}},
	"episodes_bm25":                 {episodes, []Method{MethodTerms}, nil},

	"communities_hybrid_rrf":           {communities, hybrid, nil},
	"communities_hybrid_mmr":           {communities, hybrid, []Rerank{RerankMMR}},
	"communities_hybrid_cross_encoder": {communities, hybrid, []Rerank{RerankModel}},
}

// Recipes lists the names that [Query.With] knows, sorted.
func Recipes() []string { return slices.Sorted(maps.Keys(recipes)) }

// With sets the scopes, methods and rerankers of a named recipe.
func (q Query) With(name string) (Query, error) {
	r, ok := recipes[name]
	if !ok {
		return q, graph.Invalid("recipe", "there is none called %q; there are %s", name, strings.Join(Recipes(), ", "))
	}
	q.Scopes, q.Methods, q.Rerank = r.scopes, r.methods, r.rerank
	return q, nil
}
