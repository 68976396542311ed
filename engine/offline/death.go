package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// A dead person has the status dead. The facts about them end then, and so do marriages to them
// and, for a pet, its ownership.

var (
	isDead = pattern.New(`^ (?:(?:has|just|sadly|suddenly|unexpectedly|peacefully) )*(?:died|passed away)(?: (?:peacefully|suddenly|unexpectedly|too|there))*(?:[\s,]+(?:(?:on|in|at|from|of|after|during|before|aged)\b[^,]*)?)*$|^ is dead[\s,]*$`)

	// Uses of "die" about people who live, or who never lived.
	notDead = pattern.New(`\b(?:laugh\pL*|boredom|embarrassment|shame|jealousy|envy|curiosity|movie|film|book|novel|show|series|season|episode|game|play|story|dream|level|round|mode|stage|(?:previous|past|former) life)\b| in "`)
)

const statusDead = "dead"

// dead reads the death of somebody who is named: "Otto died in May", "my uncle Paul died".
func (c *scene) dead(d dated) (claims []claim) {
	if !holdsAny(d.text, " died", " passed away", " is dead") {
		return nil
	}
	subjects, rest := c.subjects(d.text)
	if !isDead().MatchString(rest) || notDead().MatchString(rest) {
		return nil
	}
	for _, s := range subjects {
		nameless := s.label == "Pet" && strings.Contains(s.text, "'s ") // after "my cat died" there is no such cat
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

// isBeing reports whether a noun is a relative or an animal.
func isBeing(noun string) bool { return kin[noun] != "" || animals[noun] }

// hasAnimal reports whether a predicate is the ownership of an animal: HAS_DOG.
func hasAnimal(predicate string) bool {
	return animals[strings.ToLower(strings.TrimPrefix(predicate, "HAS_"))]
}

// hasByName reports whether a predicate is the ownership of something with a name, which one may
// part with: HAS_BOAT.
func hasByName(predicate string) bool {
	thing, has := strings.CutPrefix(predicate, "HAS_")
	return hasAnimal(predicate) || has && !strings.Contains(thing, "_") && !isKin[predicate]
}

// endsWith reports whether a pair ends with the death that another pair states.
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
	// Relations that hold while both live, with those that come through work.
	bonds = set(`MARRIED_TO ENGAGED_TO DATES HAS_PARTNER HAS_BOYFRIEND HAS_GIRLFRIEND HAS_BOSS HAS_MANAGER HAS_COLLEAGUE HAS_ROOMMATE
	HAS_DOCTOR HAS_DENTIST HAS_THERAPIST HAS_COACH HAS_TEACHER HAS_TEAMMATE HAS_NEIGHBOR
	HAS_LANDLORD HAS_LAWYER HAS_ACCOUNTANT HAS_HAIRDRESSER HAS_TRAINER HAS_TUTOR HAS_BABYSITTER HAS_NANNY HAS_VET`)

	// Predicates that still hold of the dead.
	lastsForever = set(`BORN_IN GREW_UP_IN COMES_FROM NAMED NICKNAME BIRTHDAY HOMETOWN NATIVE_LANGUAGE`)
)

var hasDied = pattern.New(` (?:has |just |sadly )*(?:died|passed away)\b`)

const aDeath = "a death"

// death ends the ownership of an animal: "my parrot died", "my cat Miez died".
func death(who, noun string, p phrase) []claim {
	cl := claim{subject: who, object: p.text, objectLabel: "Topic", predicate: noLonger + "HAS", ends: true, rule: aDeath}
	called := strings.TrimPrefix(p.text, noun+" ")
	switch {
	case animals[noun] && startsUpper(called):
		cl.object, cl.objectLabel, cl.predicate = called, "Pet", noLonger+predicateOf("HAS", noun)
	case !animals[lastWord(p.text)]:
		return nil // a relative is not owned
	}
	return []claim{cl}
}

// withoutDead drops the claim that somebody has a person or animal whose death the sentence states.
func withoutDead(claims []claim) []claim {
	return slices.DeleteFunc(claims, func(cl claim) bool {
		return slices.ContainsFunc(claims, func(o claim) bool {
			return cl.rule != aDeath && o.rule == aDeath && (o.object == cl.object && o.predicate == noLonger+cl.predicate || !o.ends && endsWith(o.pair(), cl.pair()))
		})
	})
}
