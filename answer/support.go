package answer

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// passage is what a model is shown, and what a sentence of its answer is compared
// with.
type passage struct {
	Citation
	speaker string // who says the body as "I"; may be empty
	body    string // what it says
	more    string // its dates
	over    bool   // it held once

	valid temporal.Interval // when it holds; of what was said, since then
	since time.Time         // when it came to be as it is; zero: not known
}

// claim is a part of a sentence that states one thing.
type claim struct {
	words    []word
	low      []string // the same, as spelled, in lower case
	negated  bool
	denials  int  // how often: "never doesn't" turns "doesn't" round
	hedged   bool // it is only planned or possible
	past     bool
	question bool
}

func claimOf(text string) claim {
	c := claim{question: strings.HasSuffix(strings.TrimSpace(text), "?")}
	for _, spelling := range spelled(text) {
		low := strings.ToLower(spelling)
		c.low = append(c.low, low)
		c.words = append(c.words, wordOf(spelling))
		if negations[low] || strings.HasSuffix(low, "n't") {
			c.negated, c.denials = true, c.denials+1
		}
		c.hedged = c.hedged || hedges[low] && spelling != "May" || strings.HasSuffix(low, "'ll")
		c.past = c.past || pastWords[low] || strings.HasSuffix(low, "ed") || strings.ContainsAny(low, "0123456789")
	}
	c.joinDates()
	return c
}

// joinDates notes what days and months belong to, so that 4 May is not taken from
// "4 books" and "May".
func (c claim) joinDates() {
	for i := range c.words {
		for _, beside := range []int{i + 1, i - 1} {
			if beside < 0 || beside >= len(c.words) || c.words[i].of != "" {
				continue
			}
			own, other := c.words[i].stem, c.words[beside].stem
			if isDay(own) && isMonth(other) || isMonth(own) && isYear(other) {
				c.words[i].of = other
			}
		}
	}
}

func (c claim) has(set map[string]bool) bool {
	return slices.ContainsFunc(c.low, func(low string) bool { return set[low] })
}

// subject is the first name of a claim that does not begin with a pronoun.
func (c claim) subject() *word {
	if len(c.low) > 0 && pronouns[c.low[0]] {
		return nil
	}
	for i := range c.words {
		if c.words[i].name && !c.words[i].light && !isDate(c.words[i].stem) {
			return &c.words[i]
		}
	}
	return nil
}

// part is a statement that a passage makes.
type part struct {
	claim
	of    *passage
	dates claim
}

func (p *passage) parts() []part {
	dates := claimOf(p.more)
	var out []part
	for _, sentence := range sentencesOf(p.body) {
		asks := strings.HasSuffix(strings.TrimRight(sentence, `"'”) `), "?")
		for _, clause := range clausesOf(sentence) {
			c := claimOf(clause)
			if c.question = asks; !asks {
				out = append(out, part{claim: c, of: p, dates: dates})
			}
		}
	}
	return out
}

// talk is an answer as it is read: whom its pronouns mean is said before them.
type talk struct{ subject *word }

// supported tells which of the cited passages make a sentence, and whether they
// make all of it. What is missing are the words that no passage has.
func (t *talk) supported(text string, cited []passage) (by []Citation, missing []string) {
	var parts []part
	for i := range cited {
		parts = append(parts, cited[i].parts()...)
	}
	claims := 0
	for _, sentence := range sentencesOf(text) {
		for _, clause := range clausesOf(sentence) {
			c := claimOf(clause)
			if s := c.subject(); s != nil {
				t.subject = s
			} else if t.subject != nil {
				c.words, c.low = append([]word{*t.subject}, c.words...), append([]string{t.subject.stem}, c.low...)
			}
			found, lacks := c.among(parts)
			if !found {
				return nil, lacks
			}
			claims++
			by = c.citing(parts, by)
		}
	}
	if claims == 0 {
		return nil, []string{"a statement"}
	}
	return by, nil
}

// among reports whether one of the parts states the claim and, if none does, the
// words that the nearest lacks.
func (c claim) among(parts []part) (bool, []string) {
	var least []string
	for i, p := range parts {
		lacks := p.lacks(c)
		if len(lacks) == 0 {
			return true, nil
		}
		if i == 0 || len(lacks) < len(least) {
			least = lacks
		}
	}
	if least == nil {
		least = []string{"a passage"}
	}
	return false, least
}

// citing adds the passages that state the claim, each once.
func (c claim) citing(parts []part, by []Citation) []Citation {
	for _, p := range parts {
		if len(p.lacks(c)) == 0 && !slices.Contains(by, p.of.Citation) {
			by = append(by, p.of.Citation)
		}
	}
	return by
}

// lacks are the words of a claim that a part does not have; nothing: it states the
// claim.
func (p part) lacks(c claim) []string {
	var missing []string
	telling, names := 0, 0
	for i, w := range c.words {
		if w.light || negations[c.low[i]] || hedges[c.low[i]] && !w.name {
			continue
		}
		telling++
		if w.name {
			names++
		}
		if !p.has(w, c) {
			missing = append(missing, c.low[i])
		}
	}
	switch {
	case c.question || telling < 2:
		return append(missing, "a statement")
	case c.negated != p.negated, c.denials > p.denials:
		missing = append(missing, "not")
	case c.hedged != (p.hedged || p.dates.hedged):
		missing = append(missing, "might")
	case p.of.over && !c.past:
		missing = append(missing, "until")
	}
	if names == telling { // it is the verb that says what they have to do with each other
		missing = append(missing, p.lacksVerbs(c)...)
	}
	if len(missing) == 0 && p.turned(c) {
		missing = []string{"the order of the names"}
	}
	return missing
}

// has reports whether a part has a word: in its own words, its dates, or as the
// speaker who says I.
func (p part) has(w word, c claim) bool {
	if slices.ContainsFunc(p.words, w.same) || p.dateOf(w, c) {
		return true
	}
	if !p.speaks(w) {
		return false
	}
	if w.owner {
		return p.claim.has(ownWords)
	}
	return p.claim.has(firstWords) || c.has(reporting)
}

// same reports whether a word of a passage is the word, of the same date.
func (w word) same(o word) bool {
	return o.stem == w.stem && o.owner == w.owner && (o.of == w.of || w.of == "" && isMonth(w.stem))
}

// dateOf reports whether a word stands in the dates of a passage. Those of a message
// say when it was sent: they count for what was said, and give the year to a month
// that it names.
func (p part) dateOf(w word, c claim) bool {
	if !slices.ContainsFunc(p.dates.words, w.same) {
		return false
	}
	if p.of.Kind != graph.KindEpisode || c.has(reporting) {
		return true
	}
	return slices.ContainsFunc(p.dates.words, func(month word) bool {
		named := func(in claim) bool {
			return slices.ContainsFunc(in.words, func(o word) bool { return o.stem == month.stem })
		}
		return isMonth(month.stem) && (w.stem == month.stem || w.stem == month.of) && named(p.claim) && named(c)
	})
}

// speaks reports whether a word is a name of who says the passage.
func (p part) speaks(w word) bool {
	for _, name := range spelled(p.of.speaker) {
		if wordOf(name).stem == w.stem {
			return true
		}
	}
	return false
}

// The verbs that many statements have, by their forms.
var lightVerbs = map[string]string{
	"is": "be", "are": "be", "was": "be", "were": "be", "am": "be", "been": "be", "be": "be", "being": "be",
	"has": "have", "have": "have", "had": "have", "having": "have", "do": "do", "does": "do", "did": "do",
}

func (p part) lacksVerbs(c claim) []string {
	var missing []string
	for _, low := range c.low {
		verb := lightVerbs[low]
		if verb != "" && !slices.ContainsFunc(p.low, func(own string) bool { return lightVerbs[own] == verb }) {
			missing = append(missing, low)
		}
	}
	return missing
}

// turned reports whether a claim has two names the other way round than the part:
// who did it, and to whom.
func (p part) turned(c claim) bool {
	if c.has(turning) || p.claim.has(turning) {
		return false
	}
	before := -1
	for _, w := range c.words {
		if !w.name || w.light || isDate(w.stem) {
			continue
		}
		at := p.place(w)
		if at < 0 {
			continue
		}
		if at < before {
			return true
		}
		before = at
	}
	return false
}

// place is where a part has a name; below zero: nowhere.
func (p part) place(w word) int {
	if i := slices.IndexFunc(p.words, func(o word) bool { return o.stem == w.stem }); i >= 0 || !p.speaks(w) {
		return i
	}
	return slices.IndexFunc(p.low, func(low string) bool { return firstWords[low] || ownWords[low] })
}

func isDate(stem string) bool { return strings.ContainsAny(stem, "0123456789") || isMonth(stem) }

func isMonth(stem string) bool { return monthStems()[stem] }

func isYear(stem string) bool { return len(stem) == 4 && strings.Trim(stem, "0123456789") == "" }

// isDay reports whether a number may be that of a day, and not a year.
func isDay(stem string) bool {
	return len(stem) <= 2 && strings.Trim(stem, "0123456789") == ""
}

var monthStems = sync.OnceValue(func() map[string]bool {
	stems := map[string]bool{}
	for _, month := range months {
		stems[wordOf(month).stem] = true
	}
	return stems
})
