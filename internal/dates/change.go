package dates

import (
	"strings"
)

// putting lists verbs that give something another time: "to" then leads to the new time and "from"
// to the old one.
var putting = set(`moved move moves moving slipped slip slips slipping shifted shift shifts shifting postponed postpone postpones
	postponing delayed delay delays delaying deferred defer defers rescheduled reschedule reschedules rescheduling changed change
	changes went goes advanced brought bring brings pushed push pushes put`)

// puttingAlone lists those that mean this whatever stands between them and the date.
var puttingAlone = set(`postponed postpone postpones postponing deferred defer defers rescheduled reschedule reschedules
	rescheduling slipped slips`)

// puttingWith lists those that mean this only with one of puttingParticles after them.
var puttingWith = set(`brought bring brings pushed push pushes put`)

var puttingParticles = set(`forward forwards back up off out again ahead down on over`)

// putBefore reports whether a verb that gives something another time stands before token i:
// "slipped again", "has been brought forward".
func (p *parser) putBefore(i int) bool {
	for k := i - 1; k >= max(0, i-6); k-- {
		w := p.word(k)
		switch {
		case p.at(k).kind != wordToken:
			return false
		case w == "extended": // "the fair extended from 3 to 9 May" is a stretch
			return k+1 == i && p.is(k-1, "been", "was", "were", "is", "are", "be", "got")
		case puttingWith[w]:
			return puttingParticles[p.word(k+1)] && k+2 == i
		case putting[w]:
			return puttingAlone[w] || k+1 == i || puttingParticles[p.word(k+1)] && k+2 == i
		}
	}
	return false
}

// newValue returns where the new date begins in "moved from May to September", with the "from" at
// token i, or 0 if the text tells of no change. Such words name two dates and no range.
func (p *parser) newValue(i int) int {
	if !p.is(i, "from") || !p.putBefore(i) {
		return 0
	}
	old := 0
	for _, end := range p.dateEnds(i + 1) {
		if p.is(end, "to", "until", "till", "into") {
			old = end
		}
	}
	if old == 0 || len(p.dateEnds(old+1)) == 0 {
		return 0
	}
	return old + 1
}

// dateEnds returns the possible ends of a date or a time at token i, of kinds that can replace each
// other: "May", "3" (May), "the 3rd", "2pm".
func (p *parser) dateEnds(i int) []int {
	var ends []int
	add := func(end int) {
		if end > i {
			ends = append(ends, end)
		}
	}
	_, end := p.dayNumber(i)
	add(end)
	_, end = p.clock(i)
	add(end)
	_, end = p.spanEnd(i, true)
	add(end)
	return ends
}

// isNewValue reports whether the date at token i is one that something was moved to: "has been
// put off to October", "has moved from May to September".
func (p *parser) isNewValue(i int) bool {
	if p.is(i, "to", "until", "till") {
		i++
	}
	if !p.is(i-1, "to", "until", "till", "into") {
		return false
	}
	if p.putBefore(i - 1) {
		return true
	}
	for k := i - 3; k >= max(1, i-9); k-- {
		if p.is(k, "from") {
			return p.newValue(k) == i
		}
	}
	return false
}

// boundWords open a bound, to which a "not" before them belongs: "not before May".
var boundWords = set(`before after until till since by later earlier sooner prior through`)

// ruledOut reports whether the text denies the date at token i: "not on the 29th", "wasn't in May",
// "rather than on Friday".
func (p *parser) ruledOut(i int) bool {
	k := i
	if p.is(k-1, "the") {
		k--
	}
	inside := p.is(k-1, "in")
	if p.is(k-1, "on", "in", "at", "for") {
		k--
	}
	if _, relative := dayWords[p.word(i)]; relative && inside || boundWords[p.word(i)] {
		return false // "not in today" says that a person is absent
	}
	switch {
	case p.phrases(k-2, "rather than", "instead of") == k:
		return k >= 2
	case p.is(k-1, "not"):
		return !p.is(k-2, "why", "or", "whether", "if")
	}
	be, denied := strings.CutSuffix(p.word(k-1), "n't")
	return denied && p.at(k-1).kind == wordToken && (be == "was" || be == "is" || be == "were" || be == "are") && !p.interrogative(k-1)
}

// interrogative reports whether the verb at token k opens a question: "isn't Friday fine?"
func (p *parser) interrogative(k int) bool {
	return k == 0 || p.at(k-1).kind == markToken && !p.is(k-1, "'s", ")")
}

// Moved reports whether a sentence says that something was moved from one date to another: "the
// wedding has moved from May to September".
func Moved(sentence string) bool {
	if !strings.Contains(sentence, "from ") {
		return false
	}
	p := &parser{text: sentence, toks: tokenize(sentence), ref: anyTime, dates: map[int]dateMemo{}}
	for i := range p.toks {
		if p.newValue(i) > 0 {
			return true
		}
	}
	return false
}

// Announces reports whether a sentence says that something will begin or happen, not that it goes
// on: "is leaving this month", but not "is staying with us this month".
func Announces(sentence string) bool {
	if tenseOf(sentence) != ahead {
		return false
	}
	p := &parser{text: sentence, toks: tokenize(sentence)}
	for i, t := range p.toks {
		switch w := t.text; {
		case t.kind != wordToken || stateForms[w] || p.isNoun(i):
		case futureWords[w] || strings.HasSuffix(w, "'ll") || presentForms[w] || arranging[w] && presentBe[p.word(i-1)]:
			return true
		case i > 0 && strings.HasSuffix(w, "ing") && len(w) > 5 && !notGerunds[w]:
			return true
		}
	}
	return false
}

// countWords count vaguely, without a number.
var countWords = set(`few several some couple couples`)

// Vague reports whether an expression counts without a number: "a few years ago" states no year.
func (e Expression) Vague() bool {
	for w := range strings.FieldsSeq(strings.ToLower(e.Text)) {
		if countWords[w] {
			return true
		}
	}
	return false
}
