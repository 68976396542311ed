package offline

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

var (
	// What a correction denies, and what it puts in its place.
	notThat  = pattern.New(`,? (?:and )?not (?:in |at |on |to |for |with )?((?:my |our |the )?[\p{L}\p{N}'-]+(?: \p{Lu}[\p{L}'-]+)*)`)
	whatIsIt = pattern.New(`(?i)(?:^|[\s,])(?:i meant|it(?:'s| is| was)|make (?:it|that)|that was)(?: to say| it was| it is)?[, ]+(?:my |our |in |at |on |to |the |for )*([^,.!?;]+)`)
)

// corrected returns the claims that a correction makes out of the speaker's last claim. It changes
// the subject ("I meant my sister Petra, not me"), the object ("I meant Porto, not Lisbon") or the
// date ("I misspoke, it is the 12th").
func corrected(e prompts.Episode, u utterance, names []name, own []claim) []claim {
	if !isCorrection(u.text) && !setsRight(e, u) {
		return nil
	}
	for _, cl := range own {
		if isKin[cl.predicate] || cl.rule == "a date" {
			continue
		}
		return nil // the correction is complete by itself
	}
	last, then, ok := lastClaim(e, u)
	if !ok {
		return nil
	}
	denied := ""
	if m := notThat().FindStringSubmatch(u.text); m != nil {
		denied = m[1]
	}
	meant := meantName(u, names, denied)
	if meant.text == "" && fold(denied) == fold(last.object) {
		meant = last.meantThing(u)
	}
	switch {
	case denied == "me" && meant.text != "" && fold(last.subject) == fold(u.speaker),
		fold(denied) == fold(last.subject) && meant.text != "":
		return []claim{last.about(meant, then, u.at)}
	case meant.text != "" && meant.label != "Person" && fold(meant.text) != fold(last.object) && (last.objectLabel == meant.label || fold(denied) == fold(last.object)),
		meant.text != "" && denied != "" && fold(denied) == fold(last.object):
		return []claim{last.with(meant, then, u.at)}
	}
	if claims := last.on(u, then); claims != nil {
		return claims
	}
	return last.otherwise(u)
}

var noItIs = pattern.New(`^(?i:(?:no|wait|oh|sorry|actually)[,.! ]+)*(?i:no|wait|sorry|actually)[,.!]? (?i:it's|it is|it was) `)

// setsRight reports whether a message corrects its speaker's own last message by "no, it's". After
// another speaker's message it would be an answer.
func setsRight(e prompts.Episode, u utterance) bool {
	n := len(e.Previous)
	return n > 0 && fold(e.Previous[n-1].Speaker) == fold(u.speaker) && noItIs().MatchString(u.text)
}

// lastClaim returns the speaker's last earlier claim, and when it was made.
func lastClaim(e prompts.Episode, u utterance) (claim, time.Time, bool) {
	for i, m := range slices.Backward(e.Previous) {
		if fold(m.Speaker) != fold(u.speaker) {
			continue
		}
		at := m.OccurredAt
		if at.IsZero() {
			at = u.at
		}
		before := read(prompts.Episode{Source: e.Source, Speaker: m.Speaker, Content: m.Content, OccurredAt: at, Previous: e.Previous[:i]}) // it may be a correction itself
		for _, s := range slices.Backward(before.said) {
			for _, cl := range slices.Backward(s.claims) {
				if !isKin[cl.predicate] {
					return cl, at, true
				}
			}
		}
		return claim{}, time.Time{}, false
	}
	return claim{}, time.Time{}, false
}

// meantName returns the first name of a correction that it does not deny.
func meantName(u utterance, names []name, denied string) name {
	for _, n := range names {
		if fold(n.text) != fold(denied) && fold(n.text) != fold(u.speaker) && fold(n.text) != fold(u.listener) && !denies(u.text, n.text) {
			return n
		}
	}
	return name{}
}

// meantThing returns what a correction puts in the place of the claim's object, if that is no name:
// "I meant vegan, not vegetarian".
func (cl claim) meantThing(u utterance) name {
	m := whatIsIt().FindStringSubmatch(u.text)
	if m == nil || !strings.Contains(cl.sentence, cl.object) {
		return name{}
	}
	thing := withoutDeterminer(strings.TrimSpace(m[1]))
	if thing == "" || strings.Count(thing, " ") > strings.Count(cl.object, " ")+1 {
		return name{}
	}
	return name{text: thing, label: cl.objectLabel}
}

// about returns the claim with another subject.
func (cl claim) about(n name, then, at time.Time) claim {
	cl.sentence = strings.Replace(cl.sentence, cl.subject, n.text, 1)
	cl.subject, cl.subjectLabel = n.text, n.label
	return cl.stillReads(then, at).toldAt(at)
}

// with returns the claim with another object.
func (cl claim) with(n name, then, at time.Time) claim {
	cl.sentence = strings.Replace(cl.sentence, cl.object, n.text, 1)
	cl.object, cl.objectLabel = n.text, n.label
	return cl.stillReads(then, at).toldAt(at)
}

// toldAt moves a state that was only said to hold to the time of the correction.
func (cl claim) toldAt(at time.Time) claim {
	cl.rule = "a correction"
	if cl.kind == prompts.State && !isStated(cl.valid) {
		cl.timing = dated{ref: at}.said()
	}
	return cl
}
