package ranking

import (
	"fmt"
	"math"
	"slices"
)

// Measure is a column of a table: a number for a question. It is NaN if the
// question has no gold of its kind, or the ranking has no such ids: a ranking of
// whole sessions contains no turns.
type Measure struct {
	Name string
	Of   func(Ranking, Gold) float64
}

// TurnRecall is the share of gold turns among the first k.
func TurnRecall(k int) Measure {
	return onTurns(fmt.Sprintf("turn R@%d", k), func(ranked, gold []string) float64 { return Recall(ranked, gold, k) })
}

// TurnNDCG is the usual NDCG of the first k turns.
func TurnNDCG(k int) Measure {
	return onTurns(fmt.Sprintf("turn nDCG@%d", k), func(ranked, gold []string) float64 { return NDCG(ranked, gold, k) })
}

// TurnReciprocalRank is one over the rank of the first gold turn; its mean is MRR.
func TurnReciprocalRank() Measure { return onTurns("turn MRR", ReciprocalRank) }

// SessionAny is 1 if a gold session is among the first k, else 0.
func SessionAny(k int) Measure {
	return onSessions(fmt.Sprintf("session any@%d", k), func(ranked, gold []string) float64 { return Any(ranked, gold, k) })
}

// SessionAll is 1 if all gold sessions are among the first k, else 0.
func SessionAll(k int) Measure {
	return onSessions(fmt.Sprintf("session all@%d", k), func(ranked, gold []string) float64 { return All(ranked, gold, k) })
}

// SessionNDCG is LongMemEval's NDCG of the first k sessions.
func SessionNDCG(k int) Measure {
	return onSessions(fmt.Sprintf("session NDCG@%d", k), func(ranked, gold []string) float64 { return LongMemEvalNDCG(ranked, gold, k) })
}

// OfContexts returns the measures of contexts with these budgets in tokens: the
// share of the gold turns shown, whether all are shown, and the actual number of
// tokens. The ranking has one hit for each context, in the same order.
func OfContexts(budgets []int) []Measure {
	var shares, complete, sizes []Measure
	for i, tokens := range budgets {
		shares = append(shares, Measure{fmt.Sprintf("evidence in %d tokens", tokens), func(r Ranking, g Gold) float64 {
			shown := r[i : i+1].Turns()
			return Recall(shown, g.Turns, len(shown))
		}})
		complete = append(complete, Measure{fmt.Sprintf("all of it in %d", tokens), func(r Ranking, g Gold) float64 {
			if len(g.Turns) == 0 {
				return math.NaN()
			}
			shown := r[i : i+1].Turns()
			return All(shown, g.Turns, len(shown))
		}})
		sizes = append(sizes, Measure{fmt.Sprintf("tokens of %d", tokens), func(r Ranking, _ Gold) float64 { return float64(r[i].Tokens) }})
	}
	return slices.Concat(shares, complete, sizes)
}

func onTurns(name string, of func(ranked, gold []string) float64) Measure {
	return Measure{name, func(r Ranking, g Gold) float64 { return compared(r.Turns(), r, g.Turns, of) }}
}

func onSessions(name string, of func(ranked, gold []string) float64) Measure {
	return Measure{name, func(r Ranking, g Gold) float64 { return compared(r.Sessions(), r, g.Sessions, of) }}
}

func compared(ranked []string, r Ranking, gold []string, of func(ranked, gold []string) float64) float64 {
	if len(gold) == 0 || len(ranked) == 0 && len(r) > 0 { // an empty ranking is valid and scores 0
		return math.NaN()
	}
	return of(ranked, gold)
}
