package retrieval

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
)

// The limits of a query.
const (
	DefaultLimit  = 10   // hits of each scope
	MaxLimit      = 1000 // hits of each scope
	MaxQueryBytes = 8192 // of the query's text; what is longer is cut
)

// Query is what is searched for. Any text is a valid one.
type Query struct {
	GroupID string
	Text    string

	// Limit is how many hits each scope gives at the most, 1 to MaxLimit.
	// Zero: DefaultLimit.
	Limit int

	// ValidAt keeps the facts that held at that time. Zero: those that have
	// not ended.
	ValidAt time.Time

	// IncludeEnded keeps the facts that have ended as well. It has no effect
	// together with ValidAt.
	IncludeEnded bool
}

// prepared checks the query and fills in its defaults.
func (q Query) prepared() (Query, error) {
	if err := graph.ValidateGroupID(q.GroupID); err != nil {
		return q, err
	}
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	if q.Limit < 1 || q.Limit > MaxLimit {
		return q, graph.Invalid("limit", "is %d; it must be 1 to %d", q.Limit, MaxLimit)
	}
	if err := graph.ValidateTime("as_of", q.ValidAt); err != nil {
		return q, err
	}
	q.Text = cleanQuery(q.Text)
	return q, nil
}

// cleanQuery makes any bytes a text that the database takes.
func cleanQuery(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), MaxQueryBytes)], " ")
	s = strings.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}
