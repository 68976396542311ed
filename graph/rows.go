package graph

// The bounds on how many rows a list returns.
const (
	DefaultRows = 100
	MaxRows     = 10_000
)

// RowLimit checks how many rows a list is to return at the most; zero stands
// for DefaultRows.
func RowLimit(limit int) (int32, error) {
	if limit == 0 {
		limit = DefaultRows
	}
	if limit < 1 || limit > MaxRows {
		return 0, Invalid("limit", "is %d; it must be 1 to %d", limit, MaxRows)
	}
	return int32(limit), nil
}
