package offline

import (
	"strings"

	"github.com/annalsdb/annals/engine/matching"
)

// greetings are words before the name of the person addressed.
var greetings = set(`hey hi hello thanks thank you wow oh yeah yes no congrats congratulations bye great good morning luck night
	evening job work awesome sure right cool so much nice aw aww haha absolutely definitely ok okay welcome dear ya well for`)

// placeVerbs are verbs before "in", "to" or "from" and a place.
var placeVerbs = set(`live move travel fly drive grow bear base visit relocate go return reside stay vacation camp hike tour
	come settle born trip`)

// workWords are words before "at" or "for" and an employer.
var workWords = set(`work job position role intern internship employed hired career shift join start interview`)

// label returns the type of a name, from the name itself or the words before it. It is empty if
// unknown.
func (f *nameFinder) label(from, to int) string {
	text := strings.TrimSuffix(f.text(from, to), "'s")
	last := strings.ToLower(strings.TrimSuffix(f.words[to-1].core, "'s"))
	switch {
	case places()[text]:
		return "Place"
	case titles[f.words[from].core] && to-from > 1 && f.words[from].core != "St":
		return "Person"
	case to-from > 1 && (organizationWords[last] || acronymHeads[last]), strings.HasPrefix(text, "University of "):
		return "Organization"
	case to-from > 1 && placeWords[last]:
		return "Place"
	case f.isSpokenTo(from, to):
		return "Person"
	}
	return f.labelBefore(from)
}

// isSpokenTo reports whether a name addresses somebody: "Hey Mel!", "Thanks, Anna.".
func (f *nameFinder) isSpokenTo(from, to int) bool {
	if to-from > 2 || isUpper(f.words[from].core) && len(f.words[from].core) > 2 {
		return false
	}
	text, tail := f.text(from, to), f.words[to-1].tail
	if fold(text) == fold(f.u.listener) {
		return true
	}
	if from > 0 && f.words[from-1].first && (tail != "" || to == len(f.words)) && f.u.isListener(text) {
		return true // "Anytime Nate"
	}
	if tail == "" || !strings.ContainsAny(tail[:1], ",!.?") {
		return false
	}
	if from > 0 && strings.HasSuffix(f.words[from-1].tail, ",") && shortFor(text, f.u.listener) {
		return true
	}
	greeted := 0
	for i := from - 1; i >= 0; i-- {
		w := f.words[i]
		if !greetings[w.lower()] || strings.ContainsAny(w.tail, ".!?") {
			return strings.ContainsAny(w.tail, ".!?") && greeted > 0
		}
		greeted++
		if w.first {
			return true
		}
	}
	return false
}

// labelBefore returns the type of a name from the words before it.
func (f *nameFinder) labelBefore(from int) string {
	if from == 0 || f.words[from].first {
		return ""
	}
	before := f.words[from-1].lower()
	switch {
	case petKin[before], (before == "called" || before == "named") && from > 1 && petKin[f.words[from-2].lower()]:
		return "Pet"
	case kin[before] != "", (before == "called" || before == "named") && from > 1 && kin[f.words[from-2].lower()] != "":
		return "Person"
	case before == "in" || before == "to" || before == "from" || before == "near" || before == "around":
		if f.anyBefore(from-1, placeVerbs) {
			return "Place"
		}
	case before == "at" || before == "for":
		if f.anyBefore(from-1, workWords) {
			return "Organization"
		}
	case (before == "left" || before == "leaving" || before == "leave") && f.movesAfter(from):
		return "Place"
	case before == "joined" || before == "joining":
		return "Organization"
	}
	return ""
}

// movesAfter reports whether "leave" before the name at i means moving away: "left Antwerp and
// moved to Rennes".
func (f *nameFinder) movesAfter(i int) bool {
	for j := i + 1; j+1 < len(f.words) && j < i+4; j++ {
		if f.words[j].core == "and" {
			next := lemma(f.words[j+1].lower())
			return next == "move" || next == "relocate"
		}
	}
	return false
}

// anyBefore reports whether one of the five words before i, or its lemma, is in a set.
func (f *nameFinder) anyBefore(i int, in map[string]bool) bool {
	for j := i - 1; j >= 0 && j >= i-5; j-- {
		if strings.ContainsAny(f.words[j].tail, ".!?") {
			return false
		}
		lower := f.words[j].lower()
		if in[lower] || in[lemma(lower)] {
			return true
		}
	}
	return false
}

// shortFor reports whether a name is a short form or nickname of another.
func shortFor(short, full string) bool {
	first, _, _ := strings.Cut(fold(full), " ")
	short = fold(short)
	return len(short) > 2 && strings.HasPrefix(first, short) || matching.Nickname(short, first)
}
