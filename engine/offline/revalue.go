package offline

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/dates"
)

// A correction may give only another value: "Correction: it's 555-0199."

// stillReads writes out the dates of a claim made at then that would be read differently when it is
// corrected, such as "last week".
func (cl claim) stillReads(then, at time.Time) claim {
	same := func(a, b dates.Expression) bool { return a.Interval.Equal(b.Interval) }
	if !slices.EqualFunc(findDates(cl.sentence, then).expressions, findDates(cl.sentence, at).expressions, same) {
		cl.sentence = dates.Resolved(cl.sentence, then, cl.valid.Interval)
	}
	return cl
}

// otherwise returns the claim with the value that a correction gives: "Correction: it's 555-0199."
// The rules must read it as a value of the same kind.
func (cl claim) otherwise(u utterance) []claim {
	m := whatIsIt().FindStringSubmatch(u.text)
	was := cl.object
	if cl.objectSaid != "" && strings.Contains(cl.sentence, cl.objectSaid) {
		was = cl.objectSaid
	}
	if m == nil || was == "" || strings.Count(cl.sentence, was) != 1 {
		return nil
	}
	before, after, _ := strings.Cut(cl.sentence, was)
	c := &scene{u: u}
	c.u.text = before + strings.TrimSpace(m[1]) + after
	c.names = findNames(c.u)
	for _, is := range c.claimed(c.u.text) {
		if is.predicate == cl.predicate && fold(is.subject) == fold(cl.subject) && fold(is.object) != fold(cl.object) && ofOneKind(is.object, cl.object) {
			is.rule = "a correction"
			return []claim{is}
		}
	}
	return nil
}

// ofOneKind reports whether two values have the same unit, and either both or neither have digits.
func ofOneKind(a, b string) bool {
	return unitOf(a) == unitOf(b) && strings.ContainsAny(a, "0123456789") == strings.ContainsAny(b, "0123456789")
}
