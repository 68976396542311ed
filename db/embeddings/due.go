package embeddings

import (
	"slices"

	"github.com/annalsdb/annals/db"
)

// step is a change that one index needs.
type step struct {
	change  string
	index   db.VectorIndexListRow // without a name: it has to be built
	vectors int64
}

// due returns the changes that a group's indexes of the counted kinds need. Between half the
// threshold and the threshold, an existing index stays and none is built, so that a group of about
// that size does not flap.
func due(kinds []string, counts []db.VectorCountsRow, indexes []db.VectorIndexListRow, threshold int64) []step {
	var steps []step
	for _, index := range indexes {
		if !slices.Contains(kinds, string(index.Kind)) {
			continue
		}
		vectors := countOf(counts, index)
		switch {
		case 2*vectors < threshold:
			steps = append(steps, step{IndexDropped, index, vectors})
		case vectors >= 2*index.RowsAtBuild:
			steps = append(steps, step{IndexRebuilt, index, vectors})
		}
	}
	for _, c := range counts {
		built := slices.ContainsFunc(indexes, func(x db.VectorIndexListRow) bool { return x.Kind == c.Kind && x.Model == c.Model })
		if !built && c.Vectors >= threshold {
			steps = append(steps, step{IndexBuilt, db.VectorIndexListRow{Kind: c.Kind, Model: c.Model}, c.Vectors})
		}
	}
	return steps
}

func countOf(counts []db.VectorCountsRow, index db.VectorIndexListRow) int64 {
	for _, c := range counts {
		if c.Kind == index.Kind && c.Model == index.Model {
			return c.Vectors
		}
	}
	return 0
}
