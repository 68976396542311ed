package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// Whoever dies has the status dead since then. With that ends what was said of them, and
// that somebody is married to them or has them.

var (
	isDead = pattern.New(`^ (?:(?:has|just|sadly|suddenly|unexpectedly|peacefully) )*(?:died|passed away)(?: (?:peacefully|suddenly|unexpectedly|too|there))*(?:[\s,]+(?:(?:on|in|at|from|of|after|during|before|aged)\b[^,]*)?)*$|^ is dead[\s,]*$`)

	// Who dies so is well, or was never alive.
	notDead = pattern.New(`\b(?:laugh\pL*|boredom|embarrassment|shame|jealousy|envy|curiosity|movie|film|book|novel|show|series|season|episode|game|play|story|dream|level|round|mode|stage|(?:previous|past|former) life)\b| in "`)
)

const statusDead = "dead"

// dead reads that somebody died who is named: "Otto died in May", "my uncle Paul died".
func (c *scene) dead(d dated) (claims []claim) {
	if !holdsAny(d.text, " died", " passed away", " is dead") {
		return nil
	}
	subjects, rest := c.subjects(d.text)
	if !isDead().MatchString(rest) || notDead().MatchString(rest) {
		return nil
	}
	for _, s := range subjects {
		nameless := s.label == "Pet" && strings.Contains(s.text, "'s ") // "my cat died" says that one has none
		if s.owns || nameless || s.label != "" && s.label != "Person" && s.label != "Pet" || fold(s.text) == fold(c.u.speaker) || fold(s.text) == fold(c.u.listener) {
			continue
		}
		claims = append(claims, claim{
			subject: s.text, subjectLabel: s.label, object: statusDead, objectLabel: "Topic", predicate: "HAS_STATUS", rule: aDeath,
			timing: d.present(verbPhrase{past: true}),
		})
	}
	return claims
}

// isBeing reports whether a noun is that of a relative or an animal.
func isBeing(noun string) bool { return kin[noun] != "" || animals[noun] }

// hasAnimal reports whether a relation is that to an animal that one has: HAS_DOG.
func hasAnimal(predicate string) bool {
	return animals[strings.ToLower(strings.TrimPrefix(predicate, "HAS_"))]
}

// hasByName reports whether a relation is that to something that one has and may part with,
// by its name: HAS_BOAT.
func hasByName(predicate string) bool {
	thing, has := strings.CutPrefix(predicate, "HAS_")
	return hasAnimal(predicate) || has && !strings.Contains(thing, "_") && !isKin[predicate]
}

// endsWith reports whether a pair ends with the death that the other one tells.
func endsWith(death, p prompts.Pair) bool {
	who := fold(death.Source)
	if death.Predicate != "HAS_STATUS" || death.Target != statusDead || strings.HasPrefix(p.Predicate, noLonger) {
		return false
	}
	if bond := bonds[p.Predicate]; bond || isKin[p.Predicate] || fold(p.Source) != who {
		return (fold(p.Target) == who || bond && fold(p.Source) == who) && (bond || p.Predicate == "HAS" || hasAnimal(p.Predicate))
	}
	return !lastsForever[p.Predicate]
}

var (
	// What two are to each other while both live, and whom one has through work.
	bonds = set(`MARRIED_TO ENGAGED_TO DATES HAS_PARTNER HAS_BOYFRIEND HAS_GIRLFRIEND HAS_BOSS HAS_MANAGER HAS_COLLEAGUE HAS_ROOMMATE
	HAS_DOCTOR HAS_DENTIST HAS_THERAPIST HAS_COACH HAS_TEACHER HAS_TEAMMATE HAS_NEIGHBOR`)

	// What stays so of the dead.
	lastsForever = set(`BORN_IN GREW_UP_IN COMES_FROM NAMED NICKNAME BIRTHDAY HOMETOWN NATIVE_LANGUAGE`)
)

var hasDied = pattern.New(` (?:has |just |sadly )*(?:died|passed away)\b`)

const aDeath = "a death"

// death ends that somebody has an animal: "my parrot died", "my cat Miez died".
func death(who, noun string, p phrase) []claim {
	cl := claim{subject: who, object: p.text, objectLabel: "Topic", predicate: noLonger + "HAS", ends: true, rule: aDeath}
	called := strings.TrimPrefix(p.text, noun+" ")
	switch {
	case animals[noun] && startsUpper(called):
		cl.object, cl.objectLabel, cl.predicate = called, "Pet", noLonger+predicateOf("HAS", noun)
	case !animals[lastWord(p.text)]:
		return nil // a relative, whom one does not have
	}
	return []claim{cl}
}

// withoutDead drops that somebody has whom a sentence only names to say that they died.
func withoutDead(claims []claim) []claim {
	return slices.DeleteFunc(claims, func(cl claim) bool {
		return slices.ContainsFunc(claims, func(o claim) bool {
			return cl.rule != aDeath && o.rule == aDeath && (o.object == cl.object && o.predicate == noLonger+cl.predicate || !o.ends && endsWith(o.pair(), cl.pair()))
		})
	})
}
