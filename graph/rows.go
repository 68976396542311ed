package graph

// The default and the limit for the number of rows that a list returns.
const (
	DefaultRows = 100
	MaxRows     = 10_000
)

// RowLimit checks the limit of a list; zero stands for DefaultRows.
func RowLimit(limit int) (int32, error) {
	if limit == 0 {
		limit = DefaultRows
	}
	if limit < 1 || limit > MaxRows {
		return 0, Invalid("limit", "is %d; it must be 1 to %d", limit, MaxRows)
	}
	return int32(limit), nil
}
