// Package bm25 has the formulas of Okapi BM25 (Robertson and Zaragoza, The
// Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.3), which
// searching and the baselines of evaluations share. The database's functions
// (annals_internal.bm25 and others) say the same in SQL; a test compares them.
package bm25

import "math"

// The parameters, as most use them.
const (
	K1 = 1.2  // how soon another occurrence of a word counts no more
	B  = 0.75 // how much a long text is held against it
)

// IDF is how rare a word is that so many of the documents hold, never negative.
func IDF(documents, holders float64) float64 {
	return math.Log(1 + (max(documents, holders)-holders+0.5)/(holders+0.5))
}

// Saturated is how much a word counts that a document holds tf times. length is
// how many times as long as the average the document is.
func Saturated(tf, length float64) float64 {
	return tf * (K1 + 1) / (tf + K1*(1-B+B*length))
}
