package ranking

import (
	"math"
	"slices"
	"time"

	"github.com/annalsdb/annals/internal/each"
)

// Overall is the category of all questions.
const Overall = "all"

// Sheet collects the scores of questions, by method and category.
type Sheet struct {
	measures []Measure
	rows     []*row
}

type row struct {
	method, category string
	n                int
	sums             []float64
	counted          []int // questions that have the measure
	took             []time.Duration
}

// NewSheet returns a sheet with these columns.
func NewSheet(measures ...Measure) *Sheet { return &Sheet{measures: measures} }

// Add scores the result of a method for a question, under [Overall] and its
// category, which may be empty. took is the time of the search; zero: not
// measured.
func (s *Sheet) Add(method, category string, r Ranking, g Gold, took time.Duration) {
	scores := each.Of(s.measures, func(measure Measure) float64 { return measure.Of(r, g) })
	s.row(method, Overall).add(scores, took)
	if category != "" {
		s.row(method, category).add(scores, took)
	}
}

func (s *Sheet) row(method, category string) *row {
	at := slices.IndexFunc(s.rows, func(r *row) bool { return r.method == method && r.category == category })
	if at < 0 {
		at = len(s.rows)
		s.rows = append(s.rows, &row{
			method: method, category: category, sums: make([]float64, len(s.measures)), counted: make([]int, len(s.measures)),
		})
	}
	return s.rows[at]
}

func (r *row) add(scores []float64, took time.Duration) {
	r.n++
	for i, score := range scores {
		if !math.IsNaN(score) {
			r.sums[i] += score
			r.counted[i]++
		}
	}
	if took > 0 {
		r.took = append(r.took, took)
	}
}

// Table returns the means. Methods come in the order of addition, each with its
// categories by name and [Overall] last.
func (s *Sheet) Table() Table {
	var methods []string
	for _, r := range s.rows {
		if !slices.Contains(methods, r.method) {
			methods = append(methods, r.method)
		}
	}
	var t Table
	for _, measure := range s.measures {
		t.Columns = append(t.Columns, measure.Name)
	}
	for _, r := range s.rows {
		t.Rows = append(t.Rows, r.means(t.Columns))
	}
	t.Sort(methods)
	return t
}

func (r *row) means(names []string) Row {
	out := Row{Method: r.method, Category: r.category, N: r.n, Scores: map[string]float64{}}
	for i, name := range names {
		if r.counted[i] > 0 {
			out.Scores[name] = r.sums[i] / float64(r.counted[i])
		}
	}
	if len(r.took) > 0 {
		out.Median, out.P95 = quantile(r.took, 0.5), quantile(r.took, 0.95)
	}
	return out
}

// quantile returns the smallest time that at least the share q of the times
// does not exceed.
func quantile(times []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
