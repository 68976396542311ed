package bench

import (
	"fmt"
	"strings"
)

// String describes the machine in a line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d CPUs, PostgreSQL %s, pgvector %s, vectors of %s", m.System, m.CPUs, m.PostgreSQL, m.PGVector, m.Embedder)
}

// Markdown returns the report for people: all classes together, and single
// classes for methods that depend on them.
func (r SearchReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%d facts in %d groups, and %d in others. Times in milliseconds, warm, one query at a time.\n\n",
		r.Machine, r.facts(), len(r.Groups), r.Others)
	for _, g := range r.Groups {
		if g.Load > 0 {
			fmt.Fprintf(&b, "%s was written in %.1f s: %.0f facts a second.\n", g.ID, g.Load, float64(g.Facts)/g.Load)
		}
		for _, x := range g.Indexes {
			fmt.Fprintf(&b, "%s: the index of %d %s vectors was %s in %.1f s.\n", g.ID, x.Vectors, x.Kind, x.Change, x.Took.Seconds())
		}
	}
	b.WriteString("\n| facts | method | queries | p50 | p95 | p99 | recall@10 |\n|--:|---|---|--:|--:|--:|--:|\n")
	for _, m := range r.Measurements {
		if !m.told() {
			continue
		}
		recall := "–"
		if m.Recall != nil {
			recall = fmt.Sprintf("%.3f", *m.Recall)
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %.2f | %.2f | %.2f | %s |\n", m.Facts, m.Method, m.Class, m.P50, m.P95, m.P99, recall)
	}
	return b.String()
}

func (r SearchReport) facts() int {
	sum := 0
	for _, g := range r.Groups {
		sum += g.Facts
	}
	return sum
}

// told reports whether a measurement gets a line: vectors do not depend on the
// frequency of words.
func (m Measurement) told() bool {
	return m.Class == ClassAll || m.Method == "bm25" || strings.HasPrefix(m.Method, "hybrid")
}
