package ranking

import (
	"math"
	"slices"
)

// Recall returns the share of gold among the first k of ranked, 0 to 1. Neither
// list may contain duplicates. Without gold it is NaN.
func Recall(ranked, gold []string, k int) float64 {
	return float64(found(ranked, gold, k)) / float64(len(gold))
}

// Any returns 1 if any of gold is among the first k, else 0.
func Any(ranked, gold []string, k int) float64 { return oneIf(found(ranked, gold, k) > 0) }

// All returns 1 if all of gold is among the first k, else 0.
func All(ranked, gold []string, k int) float64 { return oneIf(found(ranked, gold, k) == len(gold)) }

// ReciprocalRank returns 1/rank of the first gold id, or 0 if none is found. Its
// mean over questions is MRR.
func ReciprocalRank(ranked, gold []string) float64 {
	for i, id := range ranked {
		if slices.Contains(gold, id) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// NDCG returns the normalised discounted cumulative gain of the first k, 0 to 1,
// with the usual discount of log2(rank+1) (Järvelin and Kekäläinen, Cumulated
// gain-based evaluation of IR techniques, TOIS 2002, in the form of Burges et
// al. 2005). Gold counts 1, all else 0.
func NDCG(ranked, gold []string, k int) float64 {
	return gain(ranked, gold, k, func(rank int) float64 { return math.Log2(float64(rank + 1)) })
}

// LongMemEvalNDCG is [NDCG] with the discount of LongMemEval's authors (Wu et
// al., arXiv 2410.10813, src/retrieval/eval_utils.py): none for the first two
// ranks, then log2(rank).
func LongMemEvalNDCG(ranked, gold []string, k int) float64 {
	return gain(ranked, gold, k, func(rank int) float64 { return max(1, math.Log2(float64(rank))) })
}

func gain(ranked, gold []string, k int, discount func(rank int) float64) float64 {
	sum, ideal := 0.0, 0.0
	for i := range k {
		if i < len(ranked) && slices.Contains(gold, ranked[i]) {
			sum += 1 / discount(i+1)
		}
		if i < len(gold) {
			ideal += 1 / discount(i+1)
		}
	}
	return sum / ideal
}

func found(ranked, gold []string, k int) int {
	n := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if slices.Contains(gold, id) {
			n++
		}
	}
	return n
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
