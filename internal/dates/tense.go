package dates

import (
	"slices"
	"strings"
	"time"
)

// tense is the side of the present on which a verb places what it says.
type tense int8

const (
	untold tense = iota
	behind
	ahead
	either // "booked a flight on 3 June": the day of the booking or of the flight
)

// Direction reports whether a dated sentence speaks of the future, or certainly of the past, if its
// date could be on either side. The verb nearest to its first date decides, or the last verb if the
// sentence has no date: "Eva starts at Globex in September" looks forward, "Eva moved in March"
// backward. Both are false in doubt.
func Direction(sentence string) (forward, backward bool) {
	t := tenseOf(sentence)
	return t == ahead, t == behind
}

// tenseOf returns the tense of the verb of a sentence's first date, or of its last verb if it has
// no date.
func tenseOf(sentence string) tense {
	e, found := eitherSide(sentence)
	p := &parser{text: sentence, toks: tokenize(sentence), ref: anyTime, dates: map[int]dateMemo{}}
	if !found {
		last := len(p.toks)
		for last > 0 && p.at(last-1).kind == markToken {
			last--
		}
		p.undated = true
		return p.tenseAround(last, last)
	}
	i := 0
	for i < len(p.toks) && p.toks[i].start < e.Start {
		i++
	}
	end := i
	for end < len(p.toks) && p.toks[end].start < e.End {
		end++
	}
	return p.tenseAround(i, end)
}

// eitherSide returns the first date of a sentence that could be before or after the time it was
// said, or else its first date.
func eitherSide(sentence string) (Expression, bool) {
	back := slices.DeleteFunc(Reader{}.Find(sentence, anyTime), notDated)
	forth := slices.DeleteFunc(Reader{Prefer: Future}.Find(sentence, anyTime), notDated)
	for i := range min(len(back), len(forth)) {
		if !back[i].Interval.Equal(forth[i].Interval) {
			return back[i], true
		}
	}
	if len(back) == 0 {
		return Expression{}, false
	}
	return back[0], true
}

func notDated(e Expression) bool { return e.Kind != Dated }

// preferByTense chooses the side for the expression that begins at token i.
func (p *parser) preferByTense(i int) {
	if !p.byTense {
		return
	}
	side, t := Past, p.tenseAround(i, i+1)
	if t == ahead || t == either && p.isNearer(Future, i) {
		side = Future
	}
	if told := t == behind; side != p.Prefer || told != p.told {
		p.Prefer, p.told = side, told
		clear(p.dates)
	}
}

// isNearer reports whether the date at token i is nearer on a side than on the other. A weekday is
// not: both are days away.
func (p *parser) isNearer(side Preference, i int) bool {
	if _, weekday := weekdays[p.word(i)]; weekday {
		return false
	}
	distance := func(side Preference) time.Duration {
		defer p.prefer(side)()
		w, _ := p.date(i)
		at, ok := p.place(w)
		if !ok || at.Start.IsZero() {
			return 0
		}
		return at.Start.Sub(p.ref).Abs()
	}
	return distance(side) < distance(Past+Future-side)
}

// prefer sets the side until the function it returns is called.
func (p *parser) prefer(side Preference) func() {
	was := p.Prefer
	p.Prefer = side
	clear(p.dates)
	return func() {
		p.Prefer = was
		clear(p.dates)
	}
}

// anyTime is used if the time of a sentence does not matter.
var anyTime = time.Date(2024, 3, 15, 12, 0, 0, 0, time.UTC)

// tenseAround returns the tense of the verb that the expression from token i to end dates: of the
// nearest verb before it in its clause, else of the next one after it, else of the nearest one
// before the clause.
func (p *parser) tenseAround(i, end int) tense {
	if p.is(i, "since", "ago", "last", "past", "previous") {
		return behind
	}
	if p.isNewValue(i) {
		return ahead
	}
	from := p.clauseStart(i)
	p.around = i
	if openings[p.word(i)] {
		return p.gerundTense(i, from)
	}
	if t := p.tenseBefore(from, i); t != untold {
		return t
	}
	for k := end; k < min(len(p.toks), end+tenseReach) && !p.is(k, ".", "!", "?", ";", "but"); k++ {
		if t := p.verbTense(k, from); t != untold {
			return t
		}
	}
	if p.is(i, "until", "till", "til", "through", "by") {
		return ahead // "shares a flat until October"
	}
	start := from
	for start > max(0, i-tenseReach) && !p.is(start-1, ".", "!", "?", ";") {
		start--
	}
	return p.tenseBefore(start, from)
}

// tenseReach is the number of words around a date that are searched for a verb.
const tenseReach = 40

// tenseBefore returns the tense of the last verb between two tokens.
func (p *parser) tenseBefore(from, to int) tense {
	for k := to - 1; k >= from; k-- {
		if t := p.verbTense(k, from); t != untold {
			return t
		}
	}
	return untold
}

// clauseStart returns the first token of the clause of token i.
func (p *parser) clauseStart(i int) int {
	for k := i - 1; k >= max(0, i-tenseReach); k-- {
		if p.is(k, ".", "!", "?", ";", ":", ",", "but", "because", "while", "although", "so") && !p.abbreviates(k) {
			return k + 1
		}
	}
	return max(0, i-tenseReach)
}

// abbreviates reports whether a full stop belongs to the word before it, as in "Dr. Lee".
func (p *parser) abbreviates(k int) bool {
	if _, month := months[p.word(k-1)]; month && p.is(k, ".") {
		return true
	}
	return p.is(k, ".") && p.glued(k) && p.at(k-1).kind == wordToken && len(p.word(k-1)) <= 4 && p.at(k-1).capital &&
		k+1 < len(p.toks) && p.at(k+1).capital
}

// verbTense returns the tense of the verb at token k. It is untold if there is no verb, or if
// another verb before it, at or after from, decides.
func (p *parser) verbTense(k, from int) tense {
	w := p.word(k)
	switch {
	case p.at(k).kind != wordToken && w != "'s":
		return untold
	case futureWords[w] && !(w == "may" && p.at(k).capital && k > 0):
		return p.unlessHave(k, ahead)
	case strings.HasSuffix(w, "'ll") || w == "won't":
		return ahead
	case pastBe[w] || strings.HasSuffix(w, "n't") && (pastBe[w[:len(w)-3]] || w == "didn't" || w == "hadn't"):
		return behind
	case p.afterTo(k, from):
		return p.infinitive(k, from)
	case p.undated && goesOn(w): // "Eva works at Globex" holds now, whenever it began
		return untold
	case presentBe[w] || w == "'s" || strings.HasSuffix(w, "'m") || strings.HasSuffix(w, "'re"):
		return p.presentTense(k)
	case w == "has" || w == "have" || w == "hasn't" || w == "haven't" || strings.HasSuffix(w, "'ve"):
		return p.presentTense(k)
	case strings.HasSuffix(w, "ing") && len(w) > 5 && !notGerunds[w]:
		if p.is(k-1, "a", "an", "the") { // "the staging server": what kind of server it is
			return untold
		}
		return p.gerundTense(k, from)
	case p.arranged(k):
		return ahead
	case booking[w] || (w == "bought" || w == "got") && p.passes(k, "ticket", "tickets"):
		return either
	case w == "quit" && (futureWords[p.word(k-1)] || p.is(k-1, "to")):
		return untold // the verb before it decides
	case isPastForm(w):
		return behind
	case presentForms[w] && !p.helped(k, from) && !p.isNoun(k):
		return ahead
	}
	return untold
}

// goesOn reports whether a verb in the present says what holds rather than what will begin. A date
// beside it may be when it began.
func goesOn(w string) bool {
	return presentBe[w] && w != "be" || w == "has" || w == "have" || w == "'s" || strings.HasSuffix(w, "'m") || strings.HasSuffix(w, "'re") || stateForms[w]
}

var stateForms = set(`work works working live lives living stay stays staying study studies studying teach teaches teaching play
	plays playing hold holds speak speaks keep keeps serve serves run runs running remain remains last lasts want wants need
	needs see make makes rent rents lease leases train trains drive drives ride rides hope hopes wish wishes perform performs`)

// isNoun reports whether a word that may be a verb in the present is a noun here: "the Rhine run",
// "a move", "the end of June".
func (p *parser) isNoun(k int) bool {
	before := k - 1
	for before >= 0 && adverbsBetween[p.word(before)] {
		before--
	}
	if before < 0 || p.at(before).kind == markToken && !p.is(before, "'s") {
		return false
	}
	if p.is(before, "a", "an", "the", "my", "our", "his", "her", "its", "their", "your", "this", "that", "new", "first", "last", "big", "of", "for", "in", "on", "at", "with", "by", "from", "'s") {
		return true
	}
	if strings.HasSuffix(p.word(k), "s") {
		return false // "Eva starts"
	}
	w := p.word(before)
	return !p.is(before, "i", "we", "you", "they", "who", "and", "or", "please", "let's", "to", "not") && !strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ll")
}

var adverbsBetween = set(`also just finally now still always usually often only probably really even both all actually currently officially then soon`)

// helped reports whether an auxiliary before the verb at k carries its tense: "did not come".
func (p *parser) helped(k, from int) bool {
	for j := k - 1; j >= max(from, k-3); j-- {
		if w := p.word(j); w == "did" || w == "do" || w == "does" || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}

// unlessHave drops the tense of a modal that speaks of the past: "would have moved".
func (p *parser) unlessHave(k int, t tense) tense {
	if p.is(p.passAdverbs(k+1), "have") {
		return behind
	}
	return t
}

// passAdverbs skips the adverbs and the subject between two parts of a verb.
func (p *parser) passAdverbs(k int) int {
	for k < len(p.toks) && p.is(k, "not", "now", "also", "just", "finally", "already", "still", "always", "never", "soon", "probably", "really", "even", "both", "all", "actually", "recently", "currently", "officially", "ever", "only", "then", "n't") {
		k++
	}
	return k
}

// presentTense tells "has moved" and "is married" from "has an exam" and "is moving".
func (p *parser) presentTense(k int) tense {
	next := p.passAdverbs(k + 1)
	w := p.word(next)
	switch {
	case p.word(k) == "'s" && !(strings.HasSuffix(w, "ing") || futureWords[w] || isPastForm(w) || p.is(next, "on", "in", "at")):
		return untold // a possessive
	case w == "been" || w == "born" || p.perfect(k) && (isPastForm(w) || participles[w]):
		return behind
	}
	return ahead
}

// perfect reports whether token k helps to form the perfect: "has", "I've", "she's got".
func (p *parser) perfect(k int) bool {
	w := p.word(k)
	return strings.HasPrefix(w, "ha") || strings.HasSuffix(w, "'ve") || w == "'s" && !p.is(p.passAdverbs(k+1), "married", "engaged", "scheduled", "planned", "expected", "set", "due")
}

// afterTo reports whether token k is an infinitive after "to": "to move".
func (p *parser) afterTo(k, from int) bool {
	return k > from && p.is(k-1, "to") && (presentForms[p.word(k)] || bareVerbs[p.word(k)] || p.is(k, "be", "have"))
}

// infinitive returns the tense of "to move": "used to", "had to" and "came to" are past; "wants
// to", "plans to" and "decided to" are not.
func (p *parser) infinitive(k, from int) tense {
	for j := k - 2; j >= from && j >= k-4; j-- {
		switch {
		case p.is(j, "used", "had", "got", "managed", "happened", "began", "started", "came", "went", "able", "failed", "forgot", "was", "were", "continued"),
			p.is(j, "going") && p.is(j-1, "was", "were"),
			isPastForm(p.word(j)) && !p.is(j, "decided", "planned", "agreed", "offered", "promised", "hoped", "intended", "wanted", "expected", "scheduled", "set", "invited", "asked", "chosen"):
			return behind
		}
	}
	return ahead
}

// gerundTense returns the tense of "moving": that of the verb it depends on. By itself it announces
// something: "joining on 15 July".
func (p *parser) gerundTense(k, from int) tense {
	for j := k - 1; j >= from && j >= k-6; j-- {
		switch w := p.word(j); {
		case w == "been" || pastBe[w] || lookBack[w]:
			return behind
		case presentBe[w] || futureWords[w] || strings.HasSuffix(w, "'m") || strings.HasSuffix(w, "'re") || w == "'s":
			return ahead
		case w == "to":
			return p.infinitiveAhead(j, from)
		case openings[p.word(k)] && gains[w]:
			return ahead // "got a job starting in May"
		case isPastForm(w):
			return behind
		case likings[w]:
			return untold
		case p.is(j, ","):
			return ahead
		}
	}
	return ahead
}

// infinitiveAhead returns the tense of "to moving": "looking forward to moving".
func (p *parser) infinitiveAhead(j, from int) tense {
	for i := j - 1; i >= from; i-- {
		if pastBe[p.word(i)] || isPastForm(p.word(i)) {
			return behind
		}
	}
	return ahead
}

// arranged reports whether a past form at k says that something is arranged for a date: "booked a
// flight for 3 July", "reserved a room from 4 to 9 July", "postponed to Friday".
func (p *parser) arranged(k int) bool {
	w := p.word(k)
	return arranging[w] && (p.is(p.around-1, "for", "to", "until", "till") || p.is(k-1, "is", "are", "'s")) ||
		booking[w] && (p.is(p.around, "from", "between") || p.is(p.around-1, "from", "between", ":"))
}

// passes reports whether one of some words stands between token k and the date.
func (p *parser) passes(k int, words ...string) bool {
	for k++; k < p.around; k++ {
		if p.is(k, words...) {
			return true
		}
	}
	return false
}

func isPastForm(w string) bool {
	return pastForms[w] || len(w) > 4 && strings.HasSuffix(w, "ed") && !notPast[w]
}
