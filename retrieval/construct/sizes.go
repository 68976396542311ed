package construct

import (
	"math"
	"slices"
)

// sections tells which parts of the default form are there: facts, entities,
// communities, episodes.
type sections [4]bool

// sizes counts the tokens of the default form: those of its lines, each counted by itself (see
// pieces), and those of what stands around them. Without a limit it counts nothing.
type sizes struct {
	form   *form
	tokens *counter
	limit  int
	frame  ContextData // without any hit
	known  map[sections]int
}

func newSizes(f *form, counted *counter, limit int, data ContextData) sizes {
	if limit == 0 {
		limit = math.MaxInt
	}
	return sizes{
		form: f, tokens: counted, limit: limit, known: map[sections]int{},
		frame: data.frame(),
	}
}

// text counts the tokens of a text that begins and ends at the borders of a line.
func (s sizes) text(text string) int {
	if s.limit == math.MaxInt {
		return 0
	}
	return s.tokens.count(text)
}

func (s sizes) line(line string) int { return s.text("- " + line + "\n") }

// around is the size of the whole string, with lines of a given size in some sections.
func (s sizes) around(lines int, in sections) (int, error) {
	frame, known := s.known[in]
	if !known {
		d, empty := s.frame, "- \n"
		taken := ""
		for i, show := range []func(){
			func() { d.Facts = make([]ContextFact, 1) },
			func() { d.Entities = make([]ContextEntity, 1) },
			func() { d.Communities = make([]ContextCommunity, 1) },
			func() { d.Days, empty = []ContextDay{{Date: "1"}}, "1:\n" },
		} {
			if in[i] {
				show()
				taken += empty
			}
		}
		text, err := s.form.render(d)
		if err != nil {
			return 0, err
		}
		frame = s.text(text) - s.text(taken)
		s.known[in] = frame
	}
	return frame + lines, nil
}

// share cuts a text to its share of the limit. It reports false if too little would be left.
func (s sizes) share(text string) (string, bool) {
	if s.limit == math.MaxInt {
		return text, true
	}
	return s.tokens.shorten(text, max(s.limit/episodeShare, minExcerpt))
}

// added returns the sittings that more sayings change, and how many tokens these add.
func (s sizes) added(to diary, more []saying) (diary, int) {
	days, size := diary{}, 0
	for _, said := range more {
		if _, known := days[said.in]; !known {
			days[said.in] = slices.Clone(to[said.in])
		}
		days.add(said)
	}
	for in, said := range days {
		size += s.sitting(said) - s.sitting(to[in])
	}
	return days, size
}

// sitting counts the tokens of a sitting, with its date.
func (s sizes) sitting(said []saying) int {
	if len(said) == 0 {
		return 0
	}
	size := s.text(said[0].date + ":\n")
	for _, saying := range said {
		size += s.line(saying.line)
	}
	return size
}
