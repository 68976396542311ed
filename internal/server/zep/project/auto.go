package project

import (
	"slices"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// findAuto searches all scopes and returns the hits whose text fits into a number of characters.
func (m Memory) findAuto(in Query) (Results, error) {
	if in.Reranker == "node_distance" || in.Reranker == "episode_mentions" {
		return Results{}, graph.Invalid("reranker", "%s does not go with the scope auto", in.Reranker)
	}
	var r Reader
	budget := r.Bounded("max_characters", in.MaxCharacters, autoCharacters, maxAutoCharacters)
	if r.Err != nil {
		return Results{}, r.Err
	}
	in.Limit, in.Reranker = nil, ""
	q, err := in.query(m.ID)
	if err != nil {
		return Results{}, err
	}
	q.Limit, q.Recency = MaxSearchLimit, in.Recency
	found, _, err := m.best(q, in.Filters)
	if err != nil {
		return Results{}, err
	}
	if !byIDs(in.Filters) {
		found = withAgainst(q, found)
	}
	if in.WithoutEpisodes {
		found.Episodes = nil
	}
	threads, err := m.sagas(found, contextThreads)
	if err != nil {
		return Results{}, err
	}
	threads = slices.DeleteFunc(threads, func(s Saga) bool { return s.Summary == "" })
	all := selection{found, threads}
	note := ""
	if without := m.Call.Without; without != "" && len(without) < budget/2 {
		note = without + "\n"
	}
	text, taken, err := within(all, budget-len(note))
	if err != nil {
		return Results{}, err
	}
	out := Results{Context: note + text}
	if in.RawResults {
		if err := m.show(&out, taken.Result); err != nil {
			return Results{}, err
		}
		out.Threads = taken.threads
		out.rank()
	}
	out.Truncated = text != "" && taken.size() < all.size()
	return out, nil
}

// selection holds hits of all kinds, with the summaries of threads.
type selection struct {
	annals.Result
	threads []Saga
}

func (s selection) text() (string, error) {
	text, err := annals.Construction{Template: factLines + entityLines + episodeLines}.Construct(s.Result)
	if err != nil {
		return "", err
	}
	summaries, err := summaryLines(s.threads, "", func(t Saga) (string, string) { return t.Thread, t.Summary })
	return text + summaries, err
}

func (s selection) size() int {
	return len(s.Facts) + len(s.Entities) + len(s.Episodes) + len(s.threads)
}

// additions append the i-th hit of one kind to a selection, and report whether there is one.
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

// within takes hits in rounds, each with the next best fact, entity, episode and thread, as long as
// their text fits.
func within(found selection, budget int) (text string, taken selection, err error) {
	for i := range MaxSearchLimit {
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

// rank numbers the hits in the order in which within took them.
func (r *Results) rank() {
	rank := 0
	next := func(to *Scored) {
		rank++
		at := rank
		to.SelectionRank = &at
	}
	for i := range max(len(r.Edges), len(r.Nodes), len(r.Episodes), len(r.Threads)) {
		if i < len(r.Edges) {
			next(&r.Edges[i].Scored)
		}
		if i < len(r.Nodes) {
			next(&r.Nodes[i].Scored)
		}
		if i < len(r.Episodes) {
			next(&r.Episodes[i].Scored)
		}
		if i < len(r.Threads) {
			next(&r.Threads[i].Scored)
		}
	}
}
