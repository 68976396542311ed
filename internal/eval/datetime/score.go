package datetime

import (
	"io"
	"slices"
)

// Table is the comparison of readers on one file.
type Table struct {
	Cases     int   `json:"cases"`
	Negatives int   `json:"negatives"`
	Rows      []Row `json:"readers"`
}

// Row is the result of a reader.
type Row struct {
	Reader string `json:"reader"`
	Tally
	ByType map[string]*Tally `json:"by_type"`
	// FalsePositives is the number of negatives in which the reader found anything.
	FalsePositives int `json:"false_positives"`
}

// Tally counts right answers.
type Tally struct {
	N           int `json:"n"`
	Start       int `json:"start_right"`
	Granularity int `json:"granularity_right"`
	Both        int `json:"both_right"`
}

// Share returns the share of cases with both start and granularity right, from 0 to 1.
func (t Tally) Share() float64 {
	if t.N == 0 {
		return 0
	}
	return float64(t.Both) / float64(t.N)
}

// Score runs readers over the cases of r, JSON lines, gzipped or not.
func Score(r io.Reader, readers ...Reader) (Table, error) {
	set, err := Load(r)
	if err != nil {
		return Table{}, err
	}
	t := Table{Cases: len(set.Cases), Negatives: len(set.Negatives)}
	for _, reader := range readers {
		t.Rows = append(t.Rows, score(reader, set))
	}
	return t, nil
}

func score(reader Reader, set Set) Row {
	row := Row{Reader: reader.Name, ByType: map[string]*Tally{}}
	for _, c := range set.Cases {
		start, unit := c.judge(reader.Find(c.Input, c.Reference))
		if row.ByType[c.Type] == nil {
			row.ByType[c.Type] = &Tally{}
		}
		row.add(start, unit)
		row.ByType[c.Type].add(start, unit)
	}
	for _, n := range set.Negatives {
		if len(reader.Find(n.Input, n.Reference)) > 0 {
			row.FalsePositives++
		}
	}
	return row
}

// judge compares the first dated finding with the gold.
func (c Case) judge(found []Finding) (start, unit bool) {
	i := slices.IndexFunc(found, func(f Finding) bool { return f.Dated })
	if i < 0 {
		return false, false
	}
	return found[i].Start.Equal(c.Start), slices.Contains(c.Units, folded(found[i].Granularity))
}

func (t *Tally) add(start, unit bool) {
	t.N++
	if start {
		t.Start++
	}
	if unit {
		t.Granularity++
	}
	if start && unit {
		t.Both++
	}
}
