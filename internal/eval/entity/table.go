package entity

import (
	"fmt"
	"strings"
)

// Result is the result of a method on a data set.
type Result struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	// Precision is the share of matched pairs that are the same entity; 1 without
	// matched pairs. Recall is the share of pairs of the same entity that were
	// matched. Both are 0 to 1.
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	// Pairs is the number of pairs decided.
	Pairs          int `json:"pairs"`
	TruePositives  int `json:"true_positives"`
	FalsePositives int `json:"false_positives"`
	FalseNegatives int `json:"false_negatives"`
	// BCubed is set for clusters of mentions.
	BCubed *Rates `json:"b_cubed,omitempty"`
	// Mentions is the number of linked names. Skipped is the number of mentions
	// that are no names or mean nobody in particular.
	Mentions int `json:"mentions,omitempty"`
	Skipped  int `json:"skipped,omitempty"`
}

// Rates are precision, recall and their harmonic mean.
type Rates struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

func (r *Result) rate() {
	r.Precision, r.Recall = 1, 1
	if n := r.TruePositives + r.FalsePositives; n > 0 {
		r.Precision = float64(r.TruePositives) / float64(n)
	}
	if n := r.TruePositives + r.FalseNegatives; n > 0 {
		r.Recall = float64(r.TruePositives) / float64(n)
	}
	r.F1 = harmonic(r.Precision, r.Recall)
}

func harmonic(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// Table holds the results.
type Table struct {
	Threshold float64  `json:"threshold"` // of the matcher
	Results   []Result `json:"results"`
}

// Markdown returns the table for people.
func (t Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| data set | method | precision | recall | F1 | right | wrong | missed | pairs | B³ F1 |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range t.Results {
		bCubed := "–"
		if r.BCubed != nil {
			bCubed = fmt.Sprintf("%.3f", r.BCubed.F1)
		}
		fmt.Fprintf(&b, "| %s | %s | %.3f | %.3f | %.3f | %d | %d | %d | %d | %s |\n", r.Dataset, r.Method,
			r.Precision, r.Recall, r.F1, r.TruePositives, r.FalsePositives, r.FalseNegatives, r.Pairs, bCubed)
	}
	for _, r := range t.Results {
		if r.Method == Matcher && r.Mentions > 0 {
			fmt.Fprintf(&b, "\n%s: %d names were linked; %d mentions are no names, or of nobody in particular.\n",
				r.Dataset, r.Mentions, r.Skipped)
		}
	}
	return b.String()
}
