package datetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Markdown returns the table for people.
func (t Table) Markdown() string {
	var b strings.Builder
	types := t.types()
	b.WriteString("| reader | n | start right | granularity right | both right |")
	for _, typ := range types {
		fmt.Fprintf(&b, " %s |", typ)
	}
	fmt.Fprintf(&b, " false positives of %d |\n|---|--:|--:|--:|--:|", t.Negatives)
	b.WriteString(strings.Repeat("--:|", len(types)+1) + "\n")
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | **%s** |", r.Reader, r.N,
			percent(r.Start, r.N), percent(r.Granularity, r.N), percent(r.Both, r.N))
		for _, typ := range types {
			by := r.ByType[typ]
			fmt.Fprintf(&b, " %d/%d |", by.Both, by.N)
		}
		fmt.Fprintf(&b, " %d |\n", r.FalsePositives)
	}
	return b.String()
}

func (t Table) types() []string {
	if len(t.Rows) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(t.Rows[0].ByType))
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
