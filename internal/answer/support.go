package answer

import (
	"slices"
	"strings"
	"sync"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval/prose"
)

// claim is a part of a sentence that makes one statement.
type claim struct {
	words    []word
	lower    []string // the spelled words in lower case
	negated  bool
	denials  int  // number of negations: "never doesn't" reverses "doesn't"
	hedged   bool // it is only planned or possible
	past     bool
	question bool
}

func claimOf(text string) claim {
	c := claim{question: strings.HasSuffix(strings.TrimSpace(text), "?")}
	spellings := spelled(text)
	for i, spelling := range spellings {
		low := strings.ToLower(spelling)
		c.lower = append(c.lower, low)
		w := wordOf(spelling)
		w.class = i > 0 && !w.name && prose.AsksClass(c.lower[i-1])
		c.words = append(c.words, w)
		only := low == "not" && i+1 < len(spellings) && notOnly[strings.ToLower(spellings[i+1])]
		if negations[low] && !only || strings.HasSuffix(low, "n't") {
			c.negated, c.denials = true, c.denials+1
		}
		c.hedged = c.hedged || hedges[low] && spelling != "May" || strings.HasSuffix(low, "'ll")
	}
	c.past = c.saysPast()
	c.joinDates()
	return c
}

// saysPast reports whether a claim is about the past: "lived", "was", "until", but neither "is
// employed" nor "has lived there since".
func (c claim) saysPast() bool {
	if c.has(endWords) {
		return true
	}
	if c.has(presentWords) || slices.Contains(c.lower, "since") && c.has(perfectWords) {
		return false
	}
	for i, low := range c.lower {
		isNow := slices.ContainsFunc(c.lower[max(0, i-2):i], func(before string) bool { return presentVerbs[before] })
		if pastWords[low] || pastForms()[low] || strings.HasSuffix(low, "ed") && !isNow {
			return true
		}
	}
	return false
}

// joinDates connects days to months and months to years, so that "4 books" and "May" do not support
// 4 May.
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
	return slices.ContainsFunc(c.lower, func(low string) bool { return set[low] })
}

// subject returns the first name of a claim; nil if it has none or begins with a pronoun.
func (c claim) subject() *word {
	if len(c.lower) > 0 && pronouns[c.lower[0]] {
		return nil
	}
	for i := range c.words {
		if c.words[i].name && !c.words[i].light && !isDate(c.words[i].stem) {
			return &c.words[i]
		}
	}
	return nil
}

// spokenAnswer is an answer whose sentences are read in order, so that a pronoun means the last
// subject.
type spokenAnswer struct{ subject *word }

// supported returns the cited passages that support a sentence, or what is wrong if they do not
// support all of it.
func (t *spokenAnswer) supported(text string, cited []passage) (by []Citation, wrong shortfall) {
	var parts []part
	for i := range cited {
		parts = append(parts, cited[i].parts()...)
	}
	claims := 0
	for _, c := range t.claims(text) {
		if wrong = c.lackedBy(parts, len(cited) > 0); wrong.why != "" {
			return nil, wrong
		}
		claims++
		by = c.citing(parts, by)
	}
	if claims == 0 {
		return nil, shortfall{notSaid, []string{"a statement"}}
	}
	return by, shortfall{}
}

// claims returns the statements of a sentence. The last subject precedes those that begin with a
// pronoun.
func (t *spokenAnswer) claims(text string) []claim {
	var all []claim
	for _, sentence := range sentencesOf(text) {
		for _, stated := range apartFromAlternatives(sentence) {
			for _, clause := range clausesOf(stated) {
				c := claimOf(clause)
				if s := c.subject(); s != nil {
					t.subject = s
				} else if t.subject != nil {
					c.words, c.lower = append([]word{*t.subject}, c.words...), append([]string{t.subject.stem}, c.lower...)
				}
				all = append(all, c)
			}
		}
	}
	return all
}

// lackedBy returns the shortfall of the part that comes nearest to the claim; none if a part states
// the claim.
func (c claim) lackedBy(parts []part, cited bool) shortfall {
	least := shortfall{notSaid, []string{"a passage"}}
	if !cited {
		least.why = notCited
	}
	for i, p := range parts {
		lacks := p.lacks(c)
		if lacks.why == "" {
			return lacks
		}
		if i == 0 || len(lacks.words) < len(least.words) {
			least = lacks
		}
	}
	return least
}

// citing adds the passages that state the claim, without duplicates.
func (c claim) citing(parts []part, by []Citation) []Citation {
	for _, p := range parts {
		if p.lacks(c).why == "" && !slices.Contains(by, p.of.Citation) {
			by = append(by, p.of.Citation)
		}
	}
	return by
}

// lacks returns the shortfall of a part for a claim; none if it states the claim.
func (p part) lacks(c claim) shortfall {
	var missing []string
	telling, names := 0, 0
	for i, w := range c.words {
		if w.light || negations[c.lower[i]] || hedges[c.lower[i]] && !w.name {
			continue
		}
		telling++
		if w.name {
			names++
		}
		if !p.has(w, c) {
			missing = append(missing, c.lower[i])
		}
	}
	ofItsEnd := p.over && !p.negated && c.has(noLonger)
	open := p.hedged || p.dates.hedged
	switch {
	case c.question || telling < 2:
		return shortfall{notSaid, append(missing, "a statement")}
	case ofItsEnd:
	case c.negated != p.negated, c.denials > p.denials:
		missing = append(missing, "not")
	case c.hedged && !open:
		missing = append(missing, "might")
	}
	if names == telling { // without other words, the verb alone connects the names
		missing = append(missing, p.lacksVerbs(c)...)
	}
	if len(missing) == 0 && p.swapsNames(c) {
		missing = []string{"the order of the names"}
	}
	if len(missing) > 0 {
		return shortfall{notSaid, missing}
	}
	if open && !c.hedged && !ofItsEnd {
		return shortfall{why: isPlanned}
	}
	return shortfall{why: p.objection(c)}
}

// objection returns why a part that has the words of a claim does not support it; empty: it does.
// Parts that have ended support only claims about the past, and disputed parts only claims that say
// so.
func (p part) objection(c claim) string {
	switch {
	case p.takenBack:
		return takenBack
	case p.over && !c.past && !c.has(noLonger):
		return isOver
	case p.disputed && !c.has(disputing):
		return inDispute
	}
	return ""
}

// has reports whether a part has a word: among its words, in its dates, as the speaker who says I,
// or as the person whom "she" means.
func (p part) has(w word, c claim) bool {
	if slices.ContainsFunc(p.words, w.same) || p.dateOf(w, c) {
		return true
	}
	if p.means(w) && p.claim.has(meaning(w)) {
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

// meaning returns the pronouns that may stand for a name, or for a possessive.
func meaning(w word) map[string]bool {
	if w.owner {
		return possessives
	}
	return subjects
}

// same reports whether two words are the same, including the date that they belong to.
func (w word) same(o word) bool {
	return o.stem == w.stem && o.owner == w.owner && (o.of == w.of || w.of == "" && isMonth(w.stem))
}

// dateOf reports whether a word is in the dates of a passage. The dates of a message say when it
// was sent. They count for claims about the saying, and give the year to a month that the message
// names.
func (p part) dateOf(w word, c claim) bool {
	if !slices.ContainsFunc(p.dates.words, w.same) {
		return false
	}
	if p.of.Kind != graph.KindEpisode || c.has(reporting) {
		return true
	}
	return slices.ContainsFunc(p.dates.words, func(month word) bool {
		return isMonth(month.stem) && (w.stem == month.stem || w.stem == month.of) && p.claim.hasStem(month) && c.hasStem(month)
	})
}

// lightVerbs maps forms of common verbs to the verb.
var lightVerbs = map[string]string{
	"is": "be", "are": "be", "was": "be", "were": "be", "am": "be", "been": "be", "be": "be", "being": "be",
	"has": "have", "have": "have", "had": "have", "having": "have", "do": "do", "does": "do", "did": "do",
}

func (p part) lacksVerbs(c claim) []string {
	var missing []string
	for _, low := range c.lower {
		verb := lightVerbs[low]
		if verb != "" && !slices.ContainsFunc(p.lower, func(own string) bool { return lightVerbs[own] == verb }) {
			missing = append(missing, low)
		}
	}
	return missing
}

// swapsNames reports whether a claim has two names in another order than the part, as in who did
// something to whom.
func (p part) swapsNames(c claim) bool {
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

// place returns the index of a name in a part; -1: it does not occur.
func (p part) place(w word) int {
	i := slices.IndexFunc(p.words, func(o word) bool { return o.stem == w.stem })
	if i < 0 && p.speaks(w) {
		i = slices.IndexFunc(p.lower, func(low string) bool { return firstWords[low] || ownWords[low] })
	}
	if i < 0 && p.means(w) {
		i = slices.IndexFunc(p.lower, func(low string) bool { return subjects[low] || possessives[low] })
	}
	return i
}

func isDate(stem string) bool { return strings.ContainsAny(stem, "0123456789") || isMonth(stem) }

func isMonth(stem string) bool { return monthStems()[stem] }

func isYear(stem string) bool { return len(stem) == 4 && strings.Trim(stem, "0123456789") == "" }

// isDay reports whether a number may be a day, and not a year.
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
