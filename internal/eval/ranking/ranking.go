package ranking

import "strings"

// Source is a turn that a hit stands for.
type Source struct {
	Turn    string // empty: the hit is a whole session
	Session string
}

// Hit is one line of what was found.
type Hit struct {
	Sources []Source
	Line    string // as a context shows it; empty for a whole session
	Tokens  int    // that the line takes
}

// Ranking is what was found, the best first.
type Ranking []Hit

// Gold is what should be found. Neither list holds an id twice.
type Gold struct {
	Turns    []string `json:"turns,omitempty"`
	Sessions []string `json:"sessions,omitempty"`
}

// Turns are the distinct turns of the hits, in the order in which they come up.
func (r Ranking) Turns() []string { return r.distinct(func(s Source) string { return s.Turn }) }

// Sessions are the distinct sessions, each where the best of its turns is.
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

// Within is the hits that fit into so many tokens: the first ones, up to the one
// that does not fit any more. A line is never cut.
func (r Ranking) Within(tokens int) Ranking {
	for i, hit := range r {
		if tokens -= hit.Tokens; tokens < 0 {
			return r[:i]
		}
	}
	return r
}

// Joined is the hits as one: all their lines, which take so many tokens
// together.
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

// Tokens is how many the lines take.
func (r Ranking) Tokens() int {
	n := 0
	for _, hit := range r {
		n += hit.Tokens
	}
	return n
}
