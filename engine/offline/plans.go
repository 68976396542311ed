package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// A future that depends on a condition is a plan, and remains one when its day has come: "I'll go
// to Davos if the snow holds" is PLANS_TO_GO_TO.

var (
	// A condition before the main clause.
	conditionFirst = pattern.New(`^((?:If|Unless|Provided(?: that)?|Providing(?: that)?|Assuming(?: that)?|Subject to|Depending on)\b [^,]+), (?:then )?(.+?)[.!]*$`)
	announces      = pattern.New(`(?i)\b(?:will|going to|(?:am|is|are) \pL+ing)\b|'ll\b|'(?:m|re|s) \pL+ing\b`)
	toYou          = pattern.New(`(?i)^if (?:you|it'?s? ok|that|this)\b|\byou\b`)

	// A condition after the main clause.
	onlyThen = pattern.New(`(?i),? (?:but )?(?:only )?(?:(?:if|unless|provided that|providing|assuming|as long as|so long as|depending on|on condition that) |provided (?:we|I|he|she|it|they|nothing|everything|all|the (?:\pL+ ){1,3}(?:agrees?|holds?|comes?|signs?|works?|goes|approves?|allows?))\b|subject to (?:\pL+ ){0,2}(?:approval|funding|review|confirmation|agreement|visa)\b)`)
	asksIf   = pattern.New(`(?i)\b(?:know|knows|sure|see|ask|asks|asked|wonder|even|as|check|tell|told|decide|decided|what|remember|care|mind|matter|doubt|unsure) $`)
)

// conditionLast moves a condition after the main clause.
func conditionLast(sentence string) string {
	m := conditionFirst().FindStringSubmatch(sentence)
	if m == nil || toYou().MatchString(m[1]) || strings.HasPrefix(m[1], "If") && !announces().MatchString(m[2]) {
		return sentence
	}
	return m[2] + " " + lowerFirst(m[1]) + "."
}

// conditionAt returns where the condition of a sentence begins, or -1.
func conditionAt(sentence string) int {
	m := onlyThen().FindStringIndex(sentence)
	if m == nil || asksIf().MatchString(sentence[:m[0]]+" ") {
		return -1
	}
	return m[0]
}

// onCondition reads a future statement that depends on a condition.
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

// plan returns the timing of a plan: the stated day, else since it was said.
func (d dated) plan(v verbPhrase) timing {
	if e, ok := d.date(v); ok && d.conditional && e.Interval.Start.After(d.ref) && !e.Interval.End.IsZero() {
		return timing{prompts.Event, e.StatedAs()}
	}
	return d.said()
}

// Dates that are moved to another date, or to none.

var (
	// The old date in "moved from 3 May to 10 May".
	oldDate = pattern.New(`(?i)\b(moved|slipped|shifted|postponed|extended|delayed|deferred|rescheduled|changed|pushed|brought|back|forward|off) from (?:the )?[\pL\d ]{2,24}? (?:to|until|till|into) `)

	// Somebody moves something: "We postponed the wedding to September".
	movesThing = pattern.New(`^[^,]{1,40}? (?:(?:have|has|just|finally|also|already|had to) )*(moved|move|postponed|postpone|pushed|rescheduled|reschedule|delayed|deferred|brought|shifted|put|extended) ((?:the|our|\p{Lu}[\pL'-]*'s) [\pL -]{2,40}?)(?: from (?:the )?[\pL\d ]{2,24}?)?( back| forward| off)?( to | until | by |[.!]*$)`)

	// Somebody calls something off: "We had to cancel the party, Tom is ill".
	cancelsThing = pattern.New(`^[^,]{1,40}? (?:(?:have|has|just|finally|also|already|had to|have to|has to|decided to) )*(?:cancell?ed|cancel|called off|call off) ((?:the|our|\p{Lu}[\pL'-]*'s) [\pL -]{2,40}?)(?:,? (?:because|since|as|due to|after)\b.*|[,;].*|[.!]*)$`)

	offWithoutDate = pattern.New(`^(.+?) (?:is|was|are|were|got|has been|have been)(?: (?:now|again|just|currently))* (off|postponed|put off|put on hold|called off|cancell?ed|pushed back|(?:extended|postponed|delayed|moved|pushed back|moved back|brought forward) by (?:\w+ ){1,4}?(?:days?|weeks?|months?|years?))(?: (?:indefinitely|for now|again|until further notice|till further notice|until later|for the time being))*[.!]*$`)
)

// undated stands for the date, whatever it was, of a thing that has none now.
const undated = "date"

// moved rewrites a sentence about moving something: the thing becomes the subject, and its old date
// is removed.
func (d dated) moved() (dated, bool) {
	whole := oldDate().ReplaceAllString(d.whole, "$1 to ")
	if m := movesThing().FindStringSubmatch(whole); m != nil {
		was := " was moved"
		if strings.HasPrefix(m[1], "postpone") || m[1] == "deferred" || m[3] == " off" || m[1] == "pushed" && m[3] == " back" {
			was = " was postponed"
		}
		whole = m[2] + was + m[4] + strings.TrimPrefix(whole, m[0])
	}
	if m := cancelsThing().FindStringSubmatch(whole); m != nil && !contracts[lastWord(m[1])] {
		whole = m[1] + " was cancelled."
	}
	if whole == d.whole {
		return d, false
	}
	m := findDates(whole, d.ref)
	m.conditional = d.conditional
	return m, true
}

// putOff reads that a thing no longer has its date and has no other: "The wedding is postponed
// until further notice."
func (c *scene) putOff(d dated) []claim {
	for _, e := range d.expressions {
		if e.Kind == dates.Dated {
			return nil
		}
	}
	m := offWithoutDate().FindStringSubmatch(d.whole)
	if m == nil || m[2] == "off" && !isOccasion(m[1]) {
		return nil
	}
	t, known := c.thing(m[1])
	if !known || t.label == "Organization" || t.label == "Place" {
		return nil
	}
	t, predicate := t.scheduledAs("")
	cl := t.claim(phrase{text: undated, label: "Topic"}, noLonger+predicate, d.over())
	cl.ends = true
	return []claim{cl}
}

// isOccasion reports whether a thing takes place. A light that is off does not.
func isOccasion(thing string) bool {
	head := headWord(strings.ToLower(thing))
	return occasions[head] || gatherings[head] || shared[head]
}

// putsOff matches words for putting something off, so that it does not happen on the planned day.
var putsOff = pattern.New(`(?i)\b(?:(?:is|was|been|got|'s)(?: (?:now|again|just))* (?:postponed|put off|pushed back)|(?:postponed|put off|pushed back) (?:the|my|our|his|her|their)) ?`)

// appointments are occasions of two people.
const appointments = `meeting|appointment|call|interview|lunch|dinner|breakfast|coffee|date|lesson|session`

// movesAppointment matches words for moving an appointment: "The meeting with Paul was moved", "We
// moved our lunch".
var movesAppointment = pattern.New(`(?i)\b(` + appointments + `)\b[^.,]{0,30} (?:is|was|been|got)(?: (?:now|again|just))* (?:moved|rescheduled|shifted|brought forward|delayed) |\b(?:moved|rescheduled|shifted|brought forward|delayed) (?:the|my|our) (?:\pL+ )?(` + appointments + `)(?: (?:with|to|from|until|by)\b|[.,!]|$)`)

// ofOwner matches an owner before a noun, which may have adjectives.
var ofOwner = pattern.New(`(?i)\b(?:his|her|their|(\pL+)'s|\pL+s') (?:\pL+ ){0,3}$`)

// movedTo matches words for moving something to another day: "My start at Helix was moved to 1
// October."
var movedTo = pattern.New(`(?i)\b(?:is|was|been|got)(?: (?:now|again|just))* (?:moved|pushed|delayed|rescheduled|shifted|brought)(?: (?:back|forward))? (?:to|until) `)

var putsOffWhat = pattern.New(` (?:the|my|our|his|her|their) ?$`)

// postponed returns the speaker's last announcement on the day that a message moves it to: "Helix
// postponed my start to 1 October" after "I start at Helix on 1 September".
func postponed(e prompts.Episode, u utterance) []claim {
	at := movedTo().FindStringIndex(u.text)
	if !putsOff().MatchString(u.text) && at == nil {
		return nil
	}
	last, then, ok := lastClaim(e, u)
	if at != nil && !sharesVerb(u.text[:at[0]], prompts.KnownFact{Fact: last.sentence}) {
		return nil // "the party at Helix was moved"
	}
	if !ok || !last.valid.Start.After(u.at) || !strings.Contains(fold(u.text), fold(last.object)) {
		return nil
	}
	is, named := findDates(u.text, u.at).only()
	was := findDates(last.sentence, then)
	if _, once := was.only(); !named || !once {
		return nil
	}
	return last.redated(was, strings.TrimPrefix(strings.TrimPrefix(is.Text, "to "), "until "), u.at, u.at)
}

// weddingMoved returns an announced marriage on the day that a message moves the wedding to:
// "Clara's wedding was moved to 14 September" after "Clara is getting married to Ben on 7
// September".
func weddingMoved(e prompts.Episode, u utterance, claims []claim) []claim {
	i := slices.IndexFunc(claims, func(cl claim) bool { return cl.predicate == "IS_ON" && lastWord(cl.subject) == "wedding" })
	if i < 0 {
		return nil
	}
	owner, _, owned := strings.Cut(claims[i].subject, "'s ")
	for _, m := range slices.Backward(e.Previous) {
		for _, s := range read(prompts.Episode{Source: e.Source, Speaker: m.Speaker, Content: m.Content, OccurredAt: m.OccurredAt}).said {
			for _, cl := range s.claims {
				of := !owned && fold(m.Speaker) == fold(u.speaker) || fold(cl.subject) == fold(owner) || fold(cl.object) == fold(owner)
				was := findDates(cl.sentence, m.OccurredAt)
				if _, once := was.only(); of && once && cl.predicate == "MARRIED_TO" && cl.valid.Start.After(u.at) {
					return cl.redated(was, claims[i].object, u.at, u.at)
				}
			}
		}
	}
	return nil
}

// putOffPlan retracts a plan for a certain day that a message names and puts off: "My trip to Rome
// is postponed." The date of a thing ends by another rule.
func putOffPlan(e prompts.Episode, known []prompts.KnownFact) []prompts.FactResolution {
	text := fold(plainQuotes.Replace(e.Content))
	planned := slices.DeleteFunc(slices.Clone(known), func(k prompts.KnownFact) bool {
		isDate := slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool { return unitOf(p.Target) == "date" })
		return isDate || !k.Valid.Start.After(e.OccurredAt) || !ofSpeaker(e, text, k)
	})
	at := putsOff().FindStringIndex(text)
	if at == nil {
		return retracted(movedPlan(e, text, planned))
	}
	return retracted(saidLast(planned, func(k prompts.KnownFact) bool {
		if !putsOffWhat().MatchString(text[at[0]:at[1]]) {
			return isNamed(text, k)
		}
		rest := text[at[1]:] // "Helix postponed the party" does not concern the start at Helix
		return isNamed(rest, k) || isNamed(text, k) && sharesVerb(firstWord(rest), k)
	}))
}

func retracted(id int) []prompts.FactResolution {
	if id == 0 {
		return nil
	}
	return []prompts.FactResolution{{Retracts: []int{id}, Reason: "is put off"}}
}

// movedPlan returns the id of the planned appointment that a message moves to another day: of those
// called so the one whose person or thing it names, else the only one. 0: there is none, or several.
func movedPlan(e prompts.Episode, text string, planned []prompts.KnownFact) int {
	m := movesAppointment().FindStringSubmatchIndex(text)
	isToCome := func(x dates.Expression) bool { return x.Kind == dates.Dated && x.Interval.End.After(e.OccurredAt) }
	if m == nil || !slices.ContainsFunc(findDates(text[m[0]:], e.OccurredAt).expressions, isToCome) {
		return 0 // "moved to room 4"
	}
	at, end := max(m[2], m[4]), max(m[3], m[5])
	if owner := ofOwner().FindStringSubmatch(text[:at]); owner != nil && (owner[1] == "" || owner[1] != fold(e.Speaker)) {
		return 0
	}
	called := slices.DeleteFunc(slices.Clone(planned), func(k prompts.KnownFact) bool {
		return !anyWord(k.Fact, func(w string) bool { return w == text[at:end] })
	})
	if id := saidLast(called, func(k prompts.KnownFact) bool { return isNamed(text, k) }); id != 0 || len(called) != 1 {
		return id
	}
	return called[0].ID
}
