// Package bm25 has the formulas of Okapi BM25 (Robertson and Zaragoza, The
// Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.3), which
// searching and the baselines of evaluations share. The database's functions
// (annals_internal.bm25 and others) say the same in SQL; a test compares them.
package bm25

import "math"

// The parameters, as most use them.
const (
	K1 = 1.2  // how soon further occurrences of a word stop counting
	B  = 0.75 // how much the length of a text counts against it
)

// IDF is the weight of a word that holders of the documents hold: the rarer, the higher. It is
// never negative.
func IDF(documents, holders float64) float64 {
	return math.Log(1 + (max(documents, holders)-holders+0.5)/(holders+0.5))
}

// Saturated is the weight of a word that a document holds tf times. length is that of the document,
// as a multiple of the mean.
func Saturated(tf, length float64) float64 {
	return tf * (K1 + 1) / (tf + K1*(1-B+B*length))
}
