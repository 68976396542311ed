package ranking

import "strings"

// Source is a turn that a hit stands for.
type Source struct {
	Turn    string // empty: the hit is a whole session
	Session string
}

// Hit is a line of a result.
type Hit struct {
	Sources []Source
	Line    string // as a context shows it; empty for a whole session
	Tokens  int    // size of the line
}

// Ranking is the result of a search, best first.
type Ranking []Hit

// Gold is the expected result. Neither list contains duplicates.
type Gold struct {
	Turns    []string `json:"turns,omitempty"`
	Sessions []string `json:"sessions,omitempty"`
}

// Turns returns the distinct turns of the hits, in order of first occurrence.
func (r Ranking) Turns() []string { return r.distinct(func(s Source) string { return s.Turn }) }

// Sessions returns the distinct sessions, each at the rank of its best turn.
func (r Ranking) Sessions() []string { return r.distinct(func(s Source) string { return s.Session }) }

func (r Ranking) distinct(id func(Source) string) []string {
	var ids []string
	seen := map[string]bool{"": true}
	for _, hit := range r {
		for _, source := range hit.Sources {
			if id := id(source); !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Within returns the first hits that fit into a number of tokens, up to the
// first that does not fit. It cuts no line.
func (r Ranking) Within(tokens int) Ranking {
	for i, hit := range r {
		if tokens -= hit.Tokens; tokens < 0 {
			return r[:i]
		}
	}
	return r
}

// Joined returns one hit with all lines, which together have the given number
// of tokens.
func (r Ranking) Joined(tokens int) Hit {
	joined := Hit{Tokens: tokens}
	lines := make([]string, len(r))
	for i, hit := range r {
		lines[i] = hit.Line
		joined.Sources = append(joined.Sources, hit.Sources...)
	}
	joined.Line = strings.Join(lines, "\n")
	return joined
}

// Tokens returns the total size of the lines.
func (r Ranking) Tokens() int {
	n := 0
	for _, hit := range r {
		n += hit.Tokens
	}
	return n
}
