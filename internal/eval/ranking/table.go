package ranking

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
)

// Table holds means over questions.
type Table struct {
	Columns []string // names of measures, in order
	Rows    []Row
}

// Row is the result of a method on the questions of a category.
type Row struct {
	Method   string
	Category string
	N        int // questions

	// Scores holds the mean of each measure that at least one question has.
	Scores map[string]float64

	// Median and P95 are the times of searches. Zero: not measured.
	Median, P95 time.Duration
}

// Sort orders the rows by method, first as listed and then by name, each with its
// categories by name and [Overall] last.
func (t Table) Sort(methods []string) {
	place := func(method string) int {
		if i := slices.Index(methods, method); i >= 0 {
			return i
		}
		return len(methods)
	}
	each.Sort(t.Rows, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(place(a.Method), place(b.Method)), cmp.Compare(a.Method, b.Method),
			cmp.Compare(oneIf(a.Category == Overall), oneIf(b.Category == Overall)), cmp.Compare(a.Category, b.Category))
	})
}

// Row returns the row of a method and category.
func (t Table) Row(method, category string) (Row, bool) {
	for _, r := range t.Rows {
		if r.Method == method && r.Category == category {
			return r, true
		}
	}
	return Row{}, false
}

// Markdown returns the table for people, with times if any were measured.
func (t Table) Markdown() string {
	var b strings.Builder
	columns, timed := t.Columns, slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Median > 0 })
	if timed {
		columns = slices.Concat(columns, []string{"ms p50", "ms p95"})
	}
	fmt.Fprintf(&b, "| method | category | n | %s |\n", strings.Join(columns, " | "))
	fmt.Fprintf(&b, "|---|---|--:|%s\n", strings.Repeat("--:|", len(columns)))
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "| %s | %s | %d |", r.Method, r.Category, r.N)
		for _, name := range t.Columns {
			b.WriteString(" " + r.cell(name) + " |")
		}
		if timed {
			fmt.Fprintf(&b, " %s | %s |", milliseconds(r.Median), milliseconds(r.P95))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Untimed returns the table without times.
func (t Table) Untimed() Table {
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		t.Rows[i].Median, t.Rows[i].P95 = 0, 0
	}
	return t
}

// cell formats a score: a share with three decimals, a count with none.
func (r Row) cell(name string) string {
	score, ok := r.Scores[name]
	switch {
	case !ok:
		return "–"
	case score > 1:
		return fmt.Sprintf("%.0f", score)
	}
	return fmt.Sprintf("%.3f", score)
}

func milliseconds(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", d.Seconds()*1000)
}

// MarshalJSON encodes the rows; a missing measure is null.
func (t Table) MarshalJSON() ([]byte, error) {
	type rowJSON struct {
		Method   string              `json:"method"`
		Category string              `json:"category"`
		N        int                 `json:"n"`
		Scores   map[string]*float64 `json:"scores"`
		Median   *float64            `json:"p50_ms"`
		P95      *float64            `json:"p95_ms"`
	}
	rows := make([]rowJSON, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = rowJSON{Method: r.Method, Category: r.Category, N: r.N, Scores: map[string]*float64{}}
		for _, name := range t.Columns {
			rows[i].Scores[name] = nil
			if score, ok := r.Scores[name]; ok {
				rows[i].Scores[name] = &score
			}
		}
		if r.Median > 0 {
			median, p95 := r.Median.Seconds()*1000, r.P95.Seconds()*1000
			rows[i].Median, rows[i].P95 = &median, &p95
		}
	}
	return json.Marshal(rows)
}
