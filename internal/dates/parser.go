package dates

import (
	"slices"
	"strings"
	"time"
)

// parser holds the tokens of one text. Rules are methods that take the position of a token and
// return what they read there and the position after it; position 0 means no match.
type parser struct {
	text string
	toks []token
	ref  time.Time
	Reader

	dates map[int]dateMemo // readings of dates by position, which keep the whole linear
	depth int

	around  int  // the token of the date whose tense is wanted
	undated bool // the sentence names no date
	byTense bool // the words around an expression choose the side
	told    bool // the sentence says that what it dates has happened
	found   []Expression
}

type dateMemo struct {
	w   when
	end int
}

// rule reads a date at a position.
type rule func(i int) (when, int)

var noToken = token{kind: markToken}

func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.toks) {
		return noToken
	}
	return p.toks[i]
}

// word returns the lower-case text of the token, or "" after the end of the text.
func (p *parser) word(i int) string { return p.at(i).text }

func (p *parser) is(i int, words ...string) bool {
	w := p.word(i)
	if w == "" {
		return false
	}
	return slices.Contains(words, w)
}

// skip skips one token if it is one of the words.
func (p *parser) skip(i int, words ...string) int {
	if p.is(i, words...) {
		return i + 1
	}
	return i
}

// phrase matches consecutive words and returns where they end, or 0. A word may have alternatives,
// and a word with a question mark is optional: "the? rest|remainder of".
func (p *parser) phrase(i int, words string) int {
	for words != "" {
		var w string
		w, words, _ = strings.Cut(words, " ")
		w, optional := strings.CutSuffix(w, "?")
		switch {
		case p.isOneOf(i, w):
			i++
		case !optional:
			return 0
		}
	}
	return i
}

// isOneOf reports whether token i is one of the words, which are separated by strokes.
func (p *parser) isOneOf(i int, words string) bool {
	at := p.word(i)
	for {
		w, more, several := strings.Cut(words, "|")
		if w == at || !several {
			return w == at
		}
		words = more
	}
}

// settled places a date; it returns no match if that is impossible.
func (p *parser) settled(w when, end int) (when, int) {
	at, ok := p.place(w)
	if end == 0 || !ok {
		return when{}, 0
	}
	w.placed = at
	return w, end
}

// phrases returns the end of the first phrase that matches, or 0.
func (p *parser) phrases(i int, all ...string) int {
	for _, words := range all {
		if end := p.phrase(i, words); end > 0 {
			return end
		}
	}
	return 0
}

// glued reports whether token i touches the one before it.
func (p *parser) glued(i int) bool { return i > 0 && i < len(p.toks) && !p.toks[i].spaced }

// ends reports whether no letter, digit or joining mark touches the end of token i-1, so that a
// reading may end there.
func (p *parser) ends(i int) bool {
	if !p.glued(i) {
		return true
	}
	if p.at(i).kind != markToken {
		return false
	}
	joins := p.is(i, "-", "/", ".", ":", "'", "@", "%", "_", "=")
	return !joins || !p.glued(i+1) || p.at(i+1).kind == markToken
}

// begins reports whether no letter, digit or joining mark touches token i from before.
func (p *parser) begins(i int) bool {
	if !p.glued(i) {
		return true
	}
	prev := p.at(i - 1)
	if prev.kind != markToken {
		return false
	}
	if p.is(i-1, "$", "€", "£", "#", "@", "%", "+") {
		return false
	}
	if p.is(i-1, ":", ",") && p.at(i-2).kind == wordToken {
		return true
	}
	return !p.is(i-1, "-", "/", ".", ":", ",", "_", "=", "&", "~") || !p.glued(i-1) || p.at(i-2).kind == markToken
}

// longest tries every rule at i and returns the longest reading; of equally long ones, that of the
// earlier rule.
func longest(i int, rules ...rule) (when, int) {
	var best when
	end := 0
	for _, r := range rules {
		if w, e := r(i); e > end {
			best, end = w, e
		}
	}
	return best, end
}
