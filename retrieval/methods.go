package retrieval

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// rankings are the results of the methods in one scope.
type rankings map[Method][]scored

// lists returns the rankings to fuse, in a fixed order. If words and vectors are one ranking, it
// counts twice, for both.
func (r rankings) lists() [][]scored {
	var lists [][]scored
	methods := []Method{MethodTerms, MethodVector, MethodGraph, MethodPhrase, MethodDates}
	if len(r[MethodFit]) > 0 {
		methods[0], methods[1] = MethodFit, MethodFit
	}
	for _, m := range methods {
		if len(r[m]) > 0 {
			lists = append(lists, r[m])
		}
	}
	return lists
}

// wordsOf is the word query for a kind. For episodes that are ranked with their neighbours it
// leaves out the names of speakers.
func (p *plan) wordsOf(kind graph.Kind) db.Words {
	if kind == graph.KindEpisode && p.readsAround() {
		return p.wordsSaid(p.maxSaid())
	}
	w := db.Words{Kind: kind, Text: p.query.Text, IncludeEnded: p.query.IncludeEnded, MaxRows: p.maxRows(kind)}
	return p.chosen(w)
}

// chosen adds the filter of the kind. Without a filter, a kind that [db.Shape.RankedWhole] allows
// is ranked here.
func (p *plan) chosen(w db.Words) db.Words {
	if p.narrows(w.Kind) {
		w.Filter = string(p.filterOf(w.Kind))
	}
	w.Whole = w.Filter == "" && p.validAt() == nil && p.shape.RankedWhole(w.Kind)
	return w
}

// byVector ranks a kind by vectors, in a statement of its own.
func (v *view) byVector(ctx context.Context, kind graph.Kind) ([]scored, error) {
	defer v.explanation.timed(string(kind) + " " + string(MethodVector))()
	rows, err := v.queries.NearestRows(ctx, v.nearest(kind))
	return rankingOf(rows), err
}

func (p *plan) nearest(kind graph.Kind) db.Nearest {
	n := db.Nearest{
		Kind: kind, GroupID: p.query.GroupID, Model: p.model, Vector: p.vector, Limit: p.maxRows(kind), Narrowed: p.narrows(kind),
		Filter: p.filterOf(kind), ValidAt: p.validAt(), IncludeEnded: p.query.IncludeEnded, Shape: p.shape,
	}
	if p.fits(kind) {
		n.Limit, n.Enough = max(n.Limit, mostNearby(kind)), n.Limit
	}
	if kind == graph.KindEpisode {
		n.Passages = !p.lexical()
		if p.unnamed != nil {
			n.Vector = p.unnamed
		}
	}
	return n
}
