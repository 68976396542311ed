package retrieval

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/prose"
)

// citedKinds has the letter that stands for a kind in a citation.
var citedKinds = []struct {
	letter string
	kind   graph.Kind
}{{"f", graph.KindFact}, {"n", graph.KindEntity}, {"c", graph.KindCommunity}, {"e", graph.KindEpisode}}

// shortest is the least number of characters of an id in a citation.
const shortest = 8

// Citations has the citation of each id in a result.
type Citations map[graph.Kind]map[uuid.UUID]string

// CitationsOf gives every id of a result, shown or not, its shortest prefix that is unique among
// the ids of its kind. Ids begin with the time at which they were made, so ids of one batch need
// more characters.
func CitationsOf(r Result) Citations {
	out := make(Citations, len(citedKinds))
	ids := r.ids()
	for _, k := range citedKinds {
		texts := each.Of(ids[k.kind], uuid.UUID.String)
		out[k.kind] = make(map[uuid.UUID]string, len(texts))
		for i, id := range ids[k.kind] {
			n := shortest
			for _, beside := range []int{i - 1, i + 1} {
				if beside >= 0 && beside < len(texts) {
					n = max(n, prose.CommonPrefix(texts[i], texts[beside])+1)
				}
			}
			out[k.kind][id] = "[" + k.letter + ":" + texts[i][:n] + "]"
		}
	}
	return out
}

// ids are the different ids of each kind in a result, sorted.
func (r Result) ids() map[graph.Kind][]uuid.UUID {
	ids := map[graph.Kind][]uuid.UUID{
		graph.KindFact:      each.Of(r.Facts, func(h FactHit) uuid.UUID { return h.ID }),
		graph.KindEntity:    each.Of(r.Entities, func(h EntityHit) uuid.UUID { return h.ID }),
		graph.KindCommunity: each.Of(r.Communities, func(h CommunityHit) uuid.UUID { return h.ID }),
		graph.KindEpisode:   each.Of(r.Episodes, func(h EpisodeHit) uuid.UUID { return h.ID }),
	}
	for _, f := range r.Facts {
		ids[graph.KindEpisode] = append(ids[graph.KindEpisode], f.Episodes...)
	}
	for _, e := range r.Episodes {
		if e.ReplyTo != nil {
			ids[graph.KindEpisode] = append(ids[graph.KindEpisode], e.ReplyTo.ID)
		}
	}
	for kind, all := range ids {
		slices.SortFunc(all, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		ids[kind] = slices.Compact(all)
	}
	return ids
}

// Cite is the citation of an id; empty where citations are not asked for.
func (c Citations) Cite(kind graph.Kind, id uuid.UUID) string { return c[kind][id] }

// Sources are the citations of the episodes that state a fact; nil where none are asked for.
func (c Citations) Sources(episodes []uuid.UUID) []string {
	if c == nil {
		return nil
	}
	return each.Of(episodes, func(id uuid.UUID) string { return c.Cite(graph.KindEpisode, id) })
}

// Cited finds the row that a citation in a context string of this result stands for, such as
// [f:0199d1c0], with or without its brackets. The row is a fact (f), an entity (n), a community (c)
// or an episode (e), including an episode that only states a fact. It reports false unless exactly
// one id of the result begins so.
func (r Result) Cited(citation string) (graph.Kind, uuid.UUID, bool) {
	citation = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(citation), "["), "]")
	letter, start, _ := strings.Cut(strings.ToLower(citation), ":")
	for _, k := range citedKinds {
		if k.letter == letter && len(start) >= shortest {
			ids := slices.DeleteFunc(r.ids()[k.kind], func(id uuid.UUID) bool { return !strings.HasPrefix(id.String(), start) })
			if len(ids) == 1 {
				return k.kind, ids[0], true
			}
		}
	}
	return "", uuid.Nil, false
}
