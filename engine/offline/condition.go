package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// What is to come on a condition is a plan, and no more than that when its day has
// come: "I'll go to Davos if the snow holds" is PLANS_TO_GO_TO.

var (
	// A condition before what depends on it.
	conditionFirst = pattern.New(`^((?:If|Unless|Provided(?: that)?|Providing(?: that)?|Assuming(?: that)?|Subject to|Depending on)\b [^,]+), (?:then )?(.+?)[.!]*$`)
	announces      = pattern.New(`(?i)\b(?:will|going to|(?:am|is|are) \pL+ing)\b|'ll\b|'(?:m|re|s) \pL+ing\b`)
	toYou          = pattern.New(`(?i)^if (?:you|it'?s? ok|that|this)\b|\byou\b`)

	// A condition behind what depends on it.
	onlyThen = pattern.New(`(?i),? (?:but )?(?:only )?(?:(?:if|unless|provided that|providing|assuming|as long as|so long as|depending on|on condition that) |provided (?:we|I|he|she|it|they|nothing|everything|all|the (?:\pL+ ){1,3}(?:agrees?|holds?|comes?|signs?|works?|goes|approves?|allows?))\b|subject to (?:\pL+ ){0,2}(?:approval|funding|review|confirmation|agreement|visa)\b)`)
	asksIf   = pattern.New(`(?i)\b(?:know|knows|sure|see|ask|asks|asked|wonder|even|as|check|tell|told|decide|decided|what|remember|care|mind|matter|doubt|unsure) $`)
)

// conditionLast puts a condition behind what depends on it.
func conditionLast(sentence string) string {
	m := conditionFirst().FindStringSubmatch(sentence)
	if m == nil || toYou().MatchString(m[1]) || strings.HasPrefix(m[1], "If") && !announces().MatchString(m[2]) {
		return sentence
	}
	return m[2] + " " + lowerFirst(m[1]) + "."
}

// conditionAt is where the condition of a sentence begins; -1: it has none.
func conditionAt(sentence string) int {
	m := onlyThen().FindStringIndex(sentence)
	if m == nil || asksIf().MatchString(sentence[:m[0]]+" ") {
		return -1
	}
	return m[0]
}

// onCondition reads what is to come where something else does.
func (st *statement) onCondition() []claim {
	v := st.verb
	if v.past || v.perfect || v.negated || v.over || v.wish != "" {
		return nil
	}
	r, p, _, ok := v.relate(st.scene.names)
	switch _, isDated := st.dates.date(v); {
	case !ok:
		st.byVerb()
	case v.future || v.progress || isDated:
		st.planned(r, p)
	}
	return st.claims
}

// plan is when something is to come: on the day that is named, else it is planned
// since it was said.
func (d dated) plan(v verbPhrase) timing {
	if e, ok := d.date(v); ok && d.conditional && e.Interval.Start.After(d.ref) && !e.Interval.End.IsZero() {
		return timing{prompts.Event, e.StatedAs()}
	}
	return d.said()
}
