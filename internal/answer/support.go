package answer

import (
	"slices"
	"strings"
	"sync"

	"github.com/annalsdb/annals/graph"
)

// claim is a part of a sentence that states one thing.
type claim struct {
	words    []word
	lower    []string // the same, as spelled, in lower case
	negated  bool
	denials  int  // how often: "never doesn't" turns "doesn't" round
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
		c.words = append(c.words, wordOf(spelling))
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

// saysPast reports whether a claim is of what was: "lived", "was", "until", but neither
// "is employed" nor "has lived there since".
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
	return slices.ContainsFunc(c.lower, func(low string) bool { return set[low] })
}

// subject is the first name of a claim that does not begin with a pronoun.
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

// spokenAnswer is an answer as it is read: whom its pronouns mean is said before them.
type spokenAnswer struct{ subject *word }

// supported tells which of the cited passages make a sentence, and what is wrong where
// they do not make all of it.
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

// claims are what a sentence of the answer states, of those whom its pronouns mean.
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

// lackedBy tells what the nearest of some parts lacks of the claim; nothing: one states it.
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

// citing adds the passages that state the claim, each once.
func (c claim) citing(parts []part, by []Citation) []Citation {
	for _, p := range parts {
		if p.lacks(c).why == "" && !slices.Contains(by, p.of.Citation) {
			by = append(by, p.of.Citation)
		}
	}
	return by
}

// lacks tells what a part lacks of a claim; nothing: it states the claim.
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
	switch {
	case c.question || telling < 2:
		return shortfall{notSaid, append(missing, "a statement")}
	case p.over && !p.negated && c.has(noLonger): // its end is what the claim says
	case c.negated != p.negated, c.denials > p.denials:
		missing = append(missing, "not")
	case c.hedged != (p.hedged || p.dates.hedged):
		missing = append(missing, "might")
	}
	if names == telling { // it is the verb that says what they have to do with each other
		missing = append(missing, p.lacksVerbs(c)...)
	}
	if len(missing) == 0 && p.swapsNames(c) {
		missing = []string{"the order of the names"}
	}
	if len(missing) > 0 {
		return shortfall{notSaid, missing}
	}
	return shortfall{why: p.objection(c)}
}

// objection is why a part does not make a claim whose words it has; empty: it does. What is
// over says what was, and what is disputed is said with that word.
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

// has reports whether a part has a word: in its own words, its dates, as the speaker who
// says I, or as whom it means by "she".
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

// meaning are the words that stand for a name, or for what is somebody's.
func meaning(w word) map[string]bool {
	if w.owner {
		return possessives
	}
	return subjects
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
		return isMonth(month.stem) && (w.stem == month.stem || w.stem == month.of) && p.claim.hasStem(month) && c.hasStem(month)
	})
}

// The verbs that many statements have, by their forms.
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

// swapsNames reports whether a claim has two names the other way round than the part:
// who did it, and to whom.
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

// place is where a part has a name; below zero: nowhere.
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
