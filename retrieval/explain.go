package retrieval

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Explanation tells how a search came to its result.
type Explanation struct {
	Steps []Timing       `json:"steps"` // in the order they ended
	Hits  []ExplainedHit `json:"hits"`  // of all scopes, the best of each first
}

// Timing is how long a step took.
type Timing struct {
	Step    string        `json:"step"`
	Took    time.Duration `json:"-"`
	Seconds float64       `json:"seconds"`
}

// ExplainedHit is where the methods ranked a hit.
type ExplainedHit struct {
	GroupID string            `json:"group_id"`
	Kind    graph.Kind        `json:"kind"`
	ID      uuid.UUID         `json:"id"`
	Score   float64           `json:"score"` // the final one
	Places  map[Method]Placed `json:"places"`
}

// Placed is the rank, from 1, and the score that a method gave.
type Placed struct {
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// newExplanation is nil where none is wanted; its methods then do nothing.
func newExplanation(wanted bool) *Explanation {
	if !wanted {
		return nil
	}
	return &Explanation{Steps: []Timing{}, Hits: []ExplainedHit{}}
}

// begun copies the steps so far, for a search that may restart.
func (e *Explanation) begun() *Explanation {
	if e == nil {
		return nil
	}
	return &Explanation{Steps: slices.Clone(e.Steps), Hits: []ExplainedHit{}}
}

// timed times a step until the returned function is called.
func (e *Explanation) timed(step string) func() {
	if e == nil {
		return func() {}
	}
	began := time.Now()
	return func() {
		took := time.Since(began)
		e.Steps = append(e.Steps, Timing{Step: step, Took: took, Seconds: took.Seconds()})
	}
}

func (e *Explanation) add(group string, kind graph.Kind, hits []scored, found rankings) {
	if e == nil {
		return
	}
	for _, h := range hits {
		hit := ExplainedHit{GroupID: group, Kind: kind, ID: h.ID, Score: h.Score, Places: map[Method]Placed{}}
		for method, ranking := range found {
			for i, s := range ranking {
				if s.ID == h.ID {
					hit.Places[method] = Placed{Rank: i + 1, Score: s.Score}
				}
			}
		}
		e.Hits = append(e.Hits, hit)
	}
}
