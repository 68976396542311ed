package annals

import (
	"errors"
	"time"

	"github.com/annalsdb/annals/graph"
)

// The default and the maximum number of rows that a list returns.
const (
	DefaultRows = graph.DefaultRows
	MaxRows     = graph.MaxRows
)

func (c *Client) listBounds(groupID string, limit int) (int32, error) {
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return 0, err
	}
	return rows, c.admit(groupID)
}

// validateTimes validates the two times of a filter.
func validateTimes(validAt, knownAt time.Time) error {
	return errors.Join(graph.ValidateTime("as_of", validAt), graph.ValidateTime("known_at", knownAt))
}
