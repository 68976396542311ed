package project

import (
	"cmp"
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
	out.Truncated = text != "" && !slices.Equal(taken.sizes(), all.sizes())
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

func (s selection) sizes() []int {
	return []int{len(s.Facts), len(s.Entities), len(s.Episodes), len(s.threads)}
}

// rounds calls take for the best hit of each list, then for the second of each, and so on. sizes are the
// lengths of the lists.
func rounds(sizes []int, take func(list, i int)) {
	for i := range slices.Max(sizes) {
		for list, size := range sizes {
			if i < size {
				take(list, i)
			}
		}
	}
}

// with returns the selection with one more hit of another one.
func (s selection) with(from selection, list, i int) selection {
	switch list {
	case 0:
		s.Facts = append(slices.Clone(s.Facts), from.Facts[i])
	case 1:
		s.Entities = append(slices.Clone(s.Entities), from.Entities[i])
	case 2:
		s.Episodes = append(slices.Clone(s.Episodes), from.Episodes[i])
	default:
		s.threads = append(slices.Clone(s.threads), from.threads[i])
	}
	return s
}

// within takes hits in rounds, each with the next best fact, entity, episode and thread, as long as
// their text fits.
func within(found selection, budget int) (text string, taken selection, err error) {
	rounds(found.sizes(), func(list, i int) {
		next := taken.with(found, list, i)
		longer, failure := next.text()
		if err = cmp.Or(err, failure); err == nil && len([]rune(longer)) <= budget {
			text, taken = longer, next
		}
	})
	return text, taken, err
}

// rank numbers the hits in the order in which within took them.
func (r *Results) rank() {
	rank := 0
	rounds([]int{len(r.Edges), len(r.Nodes), len(r.Episodes), len(r.Threads)}, func(list, i int) {
		rank++
		at := rank
		switch list {
		case 0:
			r.Edges[i].SelectionRank = &at
		case 1:
			r.Nodes[i].SelectionRank = &at
		case 2:
			r.Episodes[i].SelectionRank = &at
		default:
			r.Threads[i].SelectionRank = &at
		}
	})
}
