package offline

import (
	"strings"

	"github.com/annalsdb/annals/engine/matching"
)

// standsAlone reports whether the first word of a sentence is a name nevertheless. It is if it owns
// something, is addressed, is a known place, is capitalised elsewhere, or is followed by its verb.
func (f *nameFinder) standsAlone(i int) bool {
	w := f.words[i]
	bare := strings.TrimSuffix(w.core, "'s")
	lower := strings.ToLower(bare)
	if f.lower[lower] || lemma(lower) != "" || strings.HasSuffix(lower, "ing") {
		return false
	}
	if bare != w.core || places()[bare] || fold(bare) == fold(f.u.listener) || f.label(i, i+1) == "Person" {
		return true
	}
	if f.inner[w.core] {
		return true
	}
	if i+2 < len(f.words) && f.words[i+1].core == "and" && capitalised(f.words[i+2].core) {
		return true
	}
	if i+1 == len(f.words) || w.tail != "" {
		return false
	}
	following := make([]string, 0, 4)
	for _, w := range f.words[i+1 : min(i+5, len(f.words))] {
		following = append(following, w.core)
	}
	next := following[0]
	return isSubjectOf(following) || matching.FirstName(lower) && lemma(next) != "" && (isPast(next) || !baseVerbs[next])
}

// subjectVerbs are verbs before which the first word of a sentence is a subject, and so a name.
var subjectVerbs = set(`is was has lives lived works worked says said told likes loves loved moved went got bought adopted
	goes hired fired lost left quit broke sold met married divorced moves joins starts leaves retired resigned graduated won ran hates
	hated owns prefers speaks teaches taught gets promoted proposed
	started joined called helped gave made took came wants plans studies plays runs visited visits met recommended invited weighs costs earns turned drives handed passed
	died hands manages managed leads led maintains maintained handles handled replaces replaced owes owed lent lends paid pays`)

// isSubjectOf reports whether the word before some words is their subject: "no longer likes".
func isSubjectOf(words []string) bool {
	i := 0
	for i < len(words)-1 && beforeVerbs[words[i]] {
		i++
	}
	return subjectVerbs[words[i]] || auxiliaries[words[i]]
}

var (
	beforeVerbs = set(`no longer still also now just never recently finally already always really currently only`)
	auxiliaries = set(`doesn't isn't wasn't hasn't didn't won't does did will used`)
)
