package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

// What somebody gives up ends: a job, studies, a couple, a thing.

var (
	lostJob = pattern.New(`^(?:(?:\S+'s|the|his|her|their) (?:\w+ )?job\b|fired\b|laid off\b|let go\b)`)

	// leftFirm does not match leaving the firm at six, in Berlin or to get lunch. The date has been
	// cut out.
	leftFirm = pattern.New(`^(?:the|his|her|their) (?:company|firm)(?: in\b| on\b| at ,|[\s,.])*(?:$|after(?:[\s,]*$| \S+ \S)|(?:because|for good|to (?:join|start|work|found|become))\b)`)

	noWork = pattern.New(`^(?:there|(?:for|at|with) (?:them|(?:the|that|this) (?:company|firm)))\b`) // "no longer works there"
	losing = set(`quit leave lose be get resign`)
)

// jobLoss reads the end of a job whose employer is not named.
func (st *statement) jobLoss() bool {
	v := st.verb
	stopped := v.verb == "work" && (v.over || v.negated && !v.past && !v.perfect && anymore().MatchString(v.rest)) && noWork().MatchString(v.rest)
	atClock := func(e dates.Expression) bool {
		return e.Granularity != calendar.Unknown && e.Granularity <= calendar.Hour
	}
	leaves := (v.verb == "leave" || v.verb == "quit") && leftFirm().MatchString(v.rest) && !slices.ContainsFunc(st.dates.expressions, atClock)
	if !stopped && (!losing[v.verb] || v.negated || !lostJob().MatchString(v.rest) && v.verb != "resign" && !leaves) || v.future || v.wish != "" {
		return false
	}
	isFired := strings.HasPrefix(v.rest, "fired") || strings.HasPrefix(v.rest, "laid") || strings.HasPrefix(v.rest, "let")
	if isFired != (v.verb == "be" || v.verb == "get") && v.verb != "resign" && !stopped {
		return false
	}
	st.claim(phrase{text: "job"}, noLonger+"WORKS_AT", "Topic", "the end of a job", st.dates.once(v), true)
	return true
}

var itsStudies = pattern.New(`^(?:\S+'s|the|his|her|their) (?:\w+ )?(studies|degree)\b`)

// studiesOver reads the end of studies whose subject is not named.
func (st *statement) studiesOver() bool {
	v := st.verb
	if v.verb != "finish" && v.verb != "complete" || !v.past && !v.perfect || v.negated || !itsStudies().MatchString(v.rest) {
		return false
	}
	st.claim(phrase{text: "studies"}, noLonger+"STUDIES", "Topic", "the end of studies", st.dates.once(v), true)
	return true
}

// leaves reads the end of a couple: "my girlfriend left me". Nobody works at a person.
func (st *statement) leaves(p phrase, after string) bool {
	v := st.verb
	if v.verb != "leave" || p.text != st.scene.u.speaker {
		return false
	}
	if (v.past || v.perfect) && !v.negated && nothingMore().MatchString(after) && (st.subject.label == "" || st.subject.label == "Person") {
		st.claim(p, noLonger+"DATES", "Person", "the end of a couple", st.dates.once(v), true)
		cl := &st.claims[len(st.claims)-1]
		cl.subject, cl.subjectLabel, cl.object, cl.objectLabel = p.text, "Person", st.subject.text, "Person"
	}
	return true
}

var itsThing = pattern.New(`^(?:\S+'s|the|his|her|their) `)

// givenAway reads that somebody no longer has what they gave away.
func (st *statement) givenAway() {
	v := st.verb
	if v.verb != "give" || !v.past && !v.perfect || v.negated || v.over {
		return
	}
	if p, after := nounPhrase(v.rest, st.scene.names); p.text != "" && (itsThing().MatchString(v.rest) || p.named) && strings.HasPrefix(after, " to ") {
		st.claim(p, noLonger+"HAS", "Topic", "an end: give", st.dates.once(v), true)
	}
}

var exchanged = pattern.New(`^(?:in )?(.+?)(?: in)? for (.+)$`)

// traded reads what somebody no longer has, and what they have instead: "traded the Tesla in for a
// Rivian".
func (st *statement) traded() bool {
	v := st.verb
	m := exchanged().FindStringSubmatch(v.rest)
	if v.verb != "trade" || m == nil || v.negated || v.over || v.wish != "" {
		return false
	}
	was, more := nounPhrase(m[1], st.scene.names)
	is, _ := nounPhrase(m[2], st.scene.names)
	if !was.named && !was.definite || more != "" || !is.named && !is.definite {
		return false
	}
	st.claim(was, noLonger+"HAS", "Topic", "a trade", st.dates.once(v), true)
	st.claim(is, "HAS", "Topic", "a trade", st.dates.present(v), false)
	return true
}
