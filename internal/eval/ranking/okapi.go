package ranking

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/retrieval/bm25"
)

// Okapi ranks documents in memory by BM25, as in package bm25. It is the
// baseline.
type Okapi struct {
	analyse  func(string) []string
	postings map[string][]posting
	lengths  []int
	mean     float64
}

type posting struct{ document, frequency int }

// NewOkapi indexes documents by the terms that analyse returns.
func NewOkapi(documents []string, analyse func(string) []string) *Okapi {
	o := &Okapi{analyse: analyse, postings: map[string][]posting{}, lengths: make([]int, len(documents))}
	total := 0
	for i, text := range documents {
		frequencies := map[string]int{}
		for _, term := range analyse(text) {
			frequencies[term]++
			o.lengths[i]++
		}
		for term, n := range frequencies {
			o.postings[term] = append(o.postings[term], posting{i, n})
		}
		total += o.lengths[i]
	}
	o.mean = max(1, float64(total)/float64(max(1, len(documents))))
	return o
}

// Rank returns the numbers of the documents that share a term with the query,
// best first, at most limit. Ties keep the order of the documents.
func (o *Okapi) Rank(query string, limit int) []int {
	scores := map[int]float64{}
	terms := o.analyse(query)
	slices.Sort(terms) // sums of floats depend on the order
	for _, term := range slices.Compact(terms) {
		found := o.postings[term]
		idf := bm25.IDF(float64(len(o.lengths)), float64(len(found)))
		for _, p := range found {
			scores[p.document] += idf * bm25.Saturated(float64(p.frequency), float64(o.lengths[p.document])/o.mean)
		}
	}
	ranked := make([]int, 0, len(scores))
	for document := range scores {
		ranked = append(ranked, document)
	}
	slices.SortFunc(ranked, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return ranked[:min(limit, len(ranked))]
}

// Words returns the runs of letters and digits of a text in lower case.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Stems returns the words of a text without stop words, stemmed by Snowball's
// rules for English.
func Stems(text string) []string {
	var stems []string
	for _, word := range Words(text) {
		if !english.IsStopWord(word) {
			stems = append(stems, english.Stem(word, false))
		}
	}
	return stems
}
