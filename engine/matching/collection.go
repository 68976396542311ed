package matching

import (
	"cmp"
	"maps"
	"slices"
)

// Collection holds records that are compared with each other. It counts which of their words are
// rare: two records that share "Smith" have less in common than two that share "Wollensky". It is
// safe for concurrent use.
type Collection struct {
	records []record
}

// NewCollection prepares records for comparison. A record is referred to by its index.
func NewCollection(records []Record) *Collection {
	c := &Collection{records: make([]record, len(records))}
	seen := &rarity{seen: map[string]float64{}}
	for i, r := range records {
		c.records[i] = newRecord(r)
		seen.count(&c.records[i])
	}
	for i := range c.records {
		seen.tell(&c.records[i])
	}
	return c
}

// Compare judges two records by their indices. It panics if an index is out of range.
func (c *Collection) Compare(i, j int) Verdict {
	v, _ := judge(&c.records[i], &c.records[j])
	return v
}

// Pair is the indices of two records, the lower one first.
type Pair struct{ A, B int }

// Pairs lists, in order, the pairs of records that are worth comparing: those that share a word or
// value which at most 50 records have. Comparing all records grows with the square of their number;
// this grows with the number itself.
func (c *Collection) Pairs() []Pair {
	blocks := map[string][]int{}
	for i := range c.records {
		for key := range c.records[i].keys() {
			blocks[key] = append(blocks[key], i)
		}
	}
	found := map[Pair]bool{}
	for _, members := range blocks {
		if len(members) > largestBlock {
			continue
		}
		for n, i := range members {
			for _, j := range members[n+1:] {
				found[Pair{i, j}] = true
			}
		}
	}
	out := slices.Collect(maps.Keys(found))
	slices.SortFunc(out, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return out
}

const largestBlock = 50
