package zep

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// findAuto searches all scopes and puts together what fits into a number of
// characters.
func (c *call) findAuto(p place, in query) (results, error) {
	if strings.TrimSpace(in.Query) == "" {
		return results{}, graph.Invalid("query", "is empty")
	}
	if in.Reranker == "node_distance" || in.Reranker == "episode_mentions" {
		return results{}, graph.Invalid("reranker", "%s does not go with the scope auto", in.Reranker)
	}
	budget := autoCharacters
	if in.MaxCharacters != nil {
		if budget = *in.MaxCharacters; budget < 1 || budget > maxAutoCharacters {
			return results{}, graph.Invalid("max_characters", "is %d; it must be 1 to %d", budget, maxAutoCharacters)
		}
	}
	in.Limit, in.Reranker = nil, ""
	q, kept, err := in.query(p.group)
	if err != nil {
		return results{}, err
	}
	q.Limit, q.Recency = maxSearchLimit, in.recency
	found, err := p.Search(c.ctx(), q)
	if err != nil {
		return results{}, err
	}
	if err := c.narrow(p, &found, kept); err != nil {
		return results{}, err
	}
	if !kept.any() {
		found = withAgainst(q, found)
	}
	if in.withoutEpisodes {
		found.Episodes = nil
	}
	threads, err := c.sagas(p, found, contextThreads)
	if err != nil {
		return results{}, err
	}
	threads = slices.DeleteFunc(threads, func(s sagaView) bool { return s.Summary == "" })
	text, taken, err := within(selection{found, threads}, budget)
	if err != nil {
		return results{}, err
	}
	out := results{Context: text}
	if in.RawResults {
		if err := c.show(p, &out, taken.Result); err != nil {
			return results{}, err
		}
		out.Threads = taken.threads
		out.rank()
	}
	out.truncated = text != "" && len(taken.Facts)+len(taken.Entities)+len(taken.Episodes)+len(taken.threads) < len(found.Facts)+len(found.Entities)+len(found.Episodes)+len(threads)
	return out, nil
}

// selection holds hits of every kind, with the summaries of conversations.
type selection struct {
	annals.Result
	threads []sagaView
}

func (s selection) text() (string, error) {
	text, err := annals.Construction{Template: factLines + entityLines + episodeLines}.Construct(s.Result)
	if err != nil {
		return "", err
	}
	summaries, err := summaryLines(s.threads, "", func(t sagaView) (string, string) { return t.Name, t.Summary })
	return text + summaries, err
}

// additions each add the hit of one kind at a place to a selection, if there is
// one.
var additions = []func(to *selection, from selection, i int) bool{
	func(to *selection, from selection, i int) bool { return add(&to.Facts, from.Facts, i) },
	func(to *selection, from selection, i int) bool { return add(&to.Entities, from.Entities, i) },
	func(to *selection, from selection, i int) bool { return add(&to.Episodes, from.Episodes, i) },
	func(to *selection, from selection, i int) bool { return add(&to.threads, from.threads, i) },
}

func add[Hit any](to *[]Hit, from []Hit, i int) bool {
	if i >= len(from) {
		return false
	}
	*to = append(slices.Clone(*to), from[i])
	return true
}

// within takes hits in turns, the best fact, entity, episode and conversation
// first, while their text fits.
func within(found selection, budget int) (text string, taken selection, err error) {
	for i := range maxSearchLimit {
		for _, addition := range additions {
			next := taken
			if !addition(&next, found, i) {
				continue
			}
			longer, err := next.text()
			if err != nil {
				return "", taken, err
			}
			if len([]rune(longer)) <= budget {
				text, taken = longer, next
			}
		}
	}
	return text, taken, nil
}

// rank numbers the hits in the order in which they were taken.
func (r *results) rank() {
	place := 0
	next := func() *int {
		place++
		n := place
		return &n
	}
	for i := range max(len(r.Edges), len(r.Nodes), len(r.Episodes), len(r.Threads)) {
		if i < len(r.Edges) {
			r.Edges[i].SelectionRank = next()
		}
		if i < len(r.Nodes) {
			r.Nodes[i].SelectionRank = next()
		}
		if i < len(r.Episodes) {
			r.Episodes[i].SelectionRank = next()
		}
		if i < len(r.Threads) {
			r.Threads[i].SelectionRank = next()
		}
	}
}
