package offline

import (
	"strings"
	"unicode"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

// A thing is no person: "the price of the Pro plan", "server db-7". It has one value of each kind,
// one date and one status at a time.

var (
	saysValue = pattern.New(`^(.+?) (?:(?:now|currently|still|already|actually|today|only) )*((?:is|are) going to (?:be|cost)|will be|will cost|will have|is|are|costs?|has|have|had|was|were|weighs?|weighed|measures|counts|employs|(?:will )?` + rises + `|went|rose|dropped|fell|increased|decreased|grew|climbed|shrank)((?: (?:` + rising + `|now|currently|still|already|only|just|back|again|been|gone|risen|grown|dropped|fallen|increased|raised|lowered|reduced|cut|up|down|to|at))*) ([€$£\d\pL].*)$`)
	saysDate  = pattern.New(`^(.+?) (?:(?:now|currently|still|already) )*(is|are|has|have|will|was|were|got|moved|slipped|shifted)((?: (?:now|currently|still|already|again|been|be|due|planned|scheduled|set|fixed|changed|extended|moved|slipped|shifted|postponed|deferred|delayed|pushed|rescheduled|brought|put|back|forward|off|online(?: and (?:moved|postponed|deferred|delayed|rescheduled|pushed))?|for|to|until|on|in|by|at))*),? *$`)
	departs   = pattern.New(`(\b(?:flight|train|bus|ferry|boat|plane)(?: (?:to|for|from) \p{Lu}[\pL'-]+)?) (?:leaves|departs|takes off|goes)\b`)
	saysState = pattern.New(`^(.+?) (?:(?:now|currently|still|already) )*(?:is|are|went|came|has been|has gone|has come) (?:(?:now|currently|still|all|just|already|finally|back) )*(up and running|up|down|offline|online|out of stock|back in stock|in stock|sold out|closed|open|live|unavailable|available|out of order|under maintenance)(?: (?:again|now|for maintenance))*(?:[.,!]| (?:since|as of|until|from|after|because|for|and|but)\b|$)`)

	// "The price of the Pro plan", "the deadline for the grant".
	attributeOfThing = pattern.New(`^(?:The|That|This) ((?:[\pL-]+ ){0,2}[\pL-]+) (?:of|for) (.+)$`)
	ownedAttribute   = pattern.New(`^(.+?)'s ((?:[\p{Ll}-]+ ){0,2}[\p{Ll}-]+(?: (?:to|with) \p{Lu}[\pL'-]+)?)$`)
	appointmentWith  = pattern.New(`^(?:The|the|This) ((?:[\p{Ll}-]+ )?(?:` + appointments + `) with \p{Lu}[\pL'-]*)$`)
	dateNoun         = pattern.New(`\b(?:deadline|date|day|anniversary)$`)
	cutDate          = pattern.New(`^(?i:from|until|as of|since|in|on|by|starting)? ?, `)
	changedTo        = pattern.New(`\b(?:to|until|moved|slipped|shifted|deferred|postponed|pushed|rescheduled|delayed|brought|put)\b`)
	oldValue         = pattern.New(` from [€$£]?\d[\d.,]*k?(?: \pL+)? to `) // "went up from 900 to 980 euros"
	beforeNoun       = pattern.New(`^(?:(?:new|current|monthly|annual|yearly|weekly|total|final|actual|regular|official) )+`)
)

// measures maps nouns for values to predicates. Other nouns are their own predicates.
var measures = map[string]string{"price": "COSTS", "cost": "COSTS", "fee": "COSTS", "weight": "WEIGHS"}

// amounts are sums of money that are not the price of a thing.
var amounts = set(`budget price rent fee fine salary total bill deposit cost income revenue turnover profit loss balance limit wage pay bonus
	grant loan debt`)

// thing is the subject of a sentence about a thing.
type thing struct {
	text, label string
	attribute   string // of the thing, such as "price"; empty: the sentence is about the thing itself
	owned       bool   // "Norda's budget", not "the budget of Norda"
}

// Present-tense verbs by which a value changes.
const (
	rises  = `(?:goes|go|(?:rise|drop|fall|increase|decrease|grow|climb|shrink)s?)`
	rising = `going|rising|dropping|falling|increasing|decreasing|growing|climbing|shrinking`
)

var (
	comes  = pattern.New(`^` + rises + `$`)
	coming = pattern.New(`\b(?:` + rising + `)\b`)
)

// ofThings reads a value, a date or a status of a thing.
func (c *scene) ofThings(d dated) []claim {
	if claims := c.valued(d); claims != nil {
		return claims
	}
	return c.ofDates(d)
}

// ofDates reads the date of a thing, or the end of its date.
func (c *scene) ofDates(d dated) []claim {
	if claims := c.putOff(d); claims != nil {
		return claims
	}
	return c.scheduled(d)
}

// valued reads the value of a thing: "The club has 112 members."
func (c *scene) valued(d dated) []claim {
	m := saysValue().FindStringSubmatch(oldValue().ReplaceAllString(d.whole, " to "))
	if m == nil {
		return nil
	}
	v, rest, ok := valueAhead(m[4])
	if !ok || !nothingOfIt(rest) || (moves(m[2]) || coming().MatchString(m[3])) && !changedTo().MatchString(m[3]) {
		return nil // "rises 50 euros" gives no value
	}
	about := m[1]
	if cut := saysValue().FindStringSubmatch(d.text); cut != nil {
		about = cutDate().ReplaceAllString(cut[1], "") // without the date before it
	}
	t, known := c.thing(about)
	if !known {
		return nil
	}
	if strings.HasPrefix(m[2], "weigh") || t.attribute == "weight" {
		v = v.weighed()
	}
	changed := changedTo().MatchString(m[3]) || strings.Contains(m[3], "down") || strings.Contains(m[3], "up")
	if m[2] != "is" && !strings.HasSuffix(m[2], " be") && (v.counts || !moves(m[2]) && m[2] != "was" && !(changed && strings.HasPrefix(m[2], "w"))) {
		t = t.itself()
	}
	predicate := t.predicateOf(v, m[2], changed)
	timing, ok := d.ofThing(m[2], m[3])
	if predicate == "" || !ok {
		return nil
	}
	return []claim{t.claim(v.phrase(), predicate, timing)}
}

// setsValue matches that somebody changes a value: "We raised the rent to 900 euros".
var setsValue = pattern.New(`^.{1,60}? (?:raised|lowered|increased|decreased|reduced|cut|dropped|changed|bumped|set) (.+?)(?: (?:up|down|back))? to ([€$£]?\d.*)$`)

// setValue reads the new value of a thing's price, rent or the like that somebody changed.
func (c *scene) setValue(d dated) []claim {
	m := setsValue().FindStringSubmatch(oldValue().ReplaceAllString(d.whole, " to "))
	if m == nil {
		return nil
	}
	about, _ := strings.CutPrefix(m[1], "the ")
	if about != m[1] {
		about = "The " + about
	}
	if t, known := c.thing(about); !known || t.attribute == "" {
		return nil
	}
	return c.valued(findDates(about+" was raised to "+m[2], d.ref))
}

// nothingOfIt reports whether the next word does not belong to the value. In "20 euros cheap" it
// does.
func nothingOfIt(rest string) bool {
	next := strings.ToLower(strings.TrimRight(wordAhead().FindString(strings.TrimPrefix(rest, " ")), "."))
	return !strings.HasPrefix(rest, " ") || next == "" || next == "tall" || next == "long" || next == "high" || next == "wide" || next == "now" ||
		prepositions[next] && next != "of" || next == "next" || next == "last" || next == "tomorrow" || next == "yesterday" || next == "today" || next == "again" || next == "instead" || next == "anymore" || next == "and" || next == "but"
}

// ofThing returns the timing of a statement about a thing, from its verb and the words after it. ok
// is false for a past or future without a date.
func (d dated) ofThing(verb, after string) (timing, bool) {
	switch {
	case (verb == "was" || verb == "were") && changedTo().MatchString(after): // "was cut to 30 euros"
		return d.present(verbPhrase{past: true}), true
	case verb == "had", verb == "was", verb == "were", verb == "weighed":
		return d.former()
	case strings.Contains(verb, " "), coming().MatchString(after):
		when := d.present(verbPhrase{future: true})
		return when, when.ahead(d.ref)
	case comes().MatchString(verb): // "goes up to 50 euros on 1 June"
		return d.present(verbPhrase{begins: true}), true
	}
	return d.present(verbPhrase{past: moves(verb)}), true
}

// moves reports whether a verb changes a value.
func moves(verb string) bool {
	return moved[verb] || comes().MatchString(lastWord(verb))
}

var moved = set(`went rose dropped fell increased decreased grew climbed shrank`)

// itself returns the thing with its owner in its name: "my house has four bedrooms" is about the
// house, not its owner.
func (t thing) itself() thing {
	switch {
	case t.attribute == "":
		return t
	case t.owned:
		t.text += "'s " + t.attribute
	default:
		t.text = t.attribute + " of " + t.text
	}
	return thing{text: t.text, label: "Topic"}
}

// predicateOf returns the predicate of a value, from the verb and the unit, or "".
func (t thing) predicateOf(v value, verb string, changed bool) string {
	kind := unitOf(v.text)
	switch {
	case t.attribute != "":
		return attributePredicate(t.attribute)
	case (strings.HasSuffix(verb, "cost") || verb == "costs"):
		return ifSo(kind == "money", "COSTS")
	case strings.HasPrefix(verb, "weigh"):
		return ifSo(kind == "weight", "WEIGHS")
	case v.counts:
		return ifSo(changed || isHaving(verb), "HAS")
	case isHaving(verb):
		return ""
	case kind == "money" && !amounts[lastWord(strings.ToLower(t.text))]:
		return "COSTS"
	case kind == "weight":
		return "WEIGHS"
	}
	return "IS"
}

func isHaving(verb string) bool {
	return verb == "has" || verb == "have" || verb == "had" || verb == "will have" || verb == "counts" || verb == "employs"
}

func ifSo(so bool, predicate string) string {
	if so {
		return predicate
	}
	return ""
}

// attributePredicate returns the predicate of a noun for a value: RENT, but COSTS for a price.
func attributePredicate(noun string) string {
	noun = beforeNoun().ReplaceAllString(noun, "")
	if p := measures[noun]; p != "" {
		return p
	}
	return strings.ToUpper(strings.ReplaceAll(strings.ReplaceAll(noun, " ", "_"), "-", "_"))
}

// scheduled reads the date of a thing: "The deadline is 3 May."
func (c *scene) scheduled(d dated) []claim {
	for _, e := range d.expressions {
		p, ok := dateValue(e, d)
		if !ok {
			continue
		}
		if m := happensOn().FindStringSubmatch(d.whole[:e.Start]); m != nil {
			if t, known := c.thing(m[1]); known {
				return []claim{t.itself().claim(p, happenings[m[2]]+"_ON", d.said())}
			}
			return nil
		}
		m := saysDate().FindStringSubmatch(departs().ReplaceAllString(d.whole[:e.Start], "$1 is"))
		if m == nil {
			return nil
		}
		moved := changedTo().MatchString(m[2] + m[3])
		if t, known := c.thing(m[1]); known && (moved || m[2] != "was" && m[2] != "were" && m[2] != "got" && !changedTo().MatchString(m[2])) {
			t, predicate := t.scheduledAs(m[3])
			return []claim{t.claim(p, predicate, d.said())}
		}
		return nil
	}
	return nil
}

// happensOn matches what begins or ends on a day: "My passport expires on".
var happensOn = pattern.New(`^(.+?) (?:(?:now|still|already|only) )*(expires?|runs? out|starts?|begins?|ends?|opens?|closes?)(?: (?:again|on|in|by))*,? *$`)

// happenings maps these verbs to predicates without _ON.
var happenings = map[string]string{
	"expires": "EXPIRES", "expire": "EXPIRES", "runs out": "EXPIRES", "run out": "EXPIRES", "starts": "STARTS", "start": "STARTS",
	"begins": "STARTS", "begin": "STARTS", "ends": "ENDS", "end": "ENDS", "opens": "OPENS", "open": "OPENS", "closes": "CLOSES", "close": "CLOSES",
}

// scheduledAs returns the thing that has a date, and the predicate, from the words between its verb
// and the date.
func (t thing) scheduledAs(words string) (thing, string) {
	if t.attribute != "" && !dateNoun().MatchString(t.attribute) {
		t = t.itself()
	}
	switch {
	case t.attribute != "":
		return t, attributePredicate(t.attribute)
	case strings.Contains(words, " due"):
		return t, "DUE_ON"
	}
	return t, "IS_ON"
}

// dateValue returns the future day or month of an expression, as a value.
func dateValue(e dates.Expression, d dated) (phrase, bool) {
	start := e.Interval.Start
	if start.IsZero() && strings.HasPrefix(e.Text, "to ") { // "extended to 20 May"
		start = e.Interval.End.AddDate(0, 0, -1)
	}
	if e.Kind != dates.Dated || start.IsZero() || e.Interval.End.IsZero() || !e.Interval.End.After(d.ref) || sinceThen().MatchString(e.Text) {
		return phrase{}, false
	}
	form := "2 January 2006"
	if e.Granularity == calendar.Month {
		form = "January 2006"
	} else if e.Granularity > calendar.Day || e.Interval.End.Sub(start).Hours() > 24 {
		return phrase{}, false
	}
	p := phrase{text: start.Format(form), label: valueLabel}
	if strings.ContainsAny(e.Text, "0123456789") && e.Granularity == calendar.Day {
		p.said = strings.TrimSuffix(p.text, start.Format(" 2006"))
	}
	return p, true
}

// status reads whether something works, exists or is open: "Server db-7 is down." A problem with
// the speaker's own things is read elsewhere.
func (c *scene) status(d dated) ([]claim, bool) {
	m := saysState().FindStringSubmatch(d.text)
	if m == nil {
		return nil, false
	}
	state := map[string]string{"up and running": "up", "back in stock": "in stock"}[m[2]]
	if state == "" {
		state = m[2]
	}
	t, known := c.thing(m[1])
	if !known || t.attribute != "" || t.label == "" && !strings.ContainsFunc(t.text, unicode.IsDigit) || (state == "up" || state == "down") && !strings.ContainsFunc(t.text, unicode.IsDigit) && t.label == "Topic" {
		return nil, false
	}
	return []claim{t.claim(phrase{text: state, label: "Topic"}, "HAS_STATUS", d.present(verbPhrase{perfect: true}))}, true
}

// thing reads the thing that a sentence is about, with its attribute. ok is false if the sentence
// is about a person or something unknown.
func (c *scene) thing(text string) (thing, bool) {
	text = text[len(beforeSubject().FindString(text)):]
	if m := attributeOfThing().FindStringSubmatch(text); m != nil {
		of, ok := c.thing("The " + withoutDeterminer(m[2]))
		of.attribute = strings.ToLower(m[1])
		return of, ok && !notThings[lastWord(of.attribute)]
	}
	if m := appointmentWith().FindStringSubmatch(text); m != nil && c.u.speaker != "" {
		text = c.u.speaker + "'s " + m[1]
	}
	if m := ownedAttribute().FindStringSubmatch(text); m != nil {
		if who, label := c.nameOf(m[1] + " "); who == m[1] && kin[m[2]] == "" {
			return thing{text: who, label: label, attribute: m[2], owned: true}, !notThings[lastWord(m[2])]
		}
		return thing{}, false
	}
	at := article().FindString(text)
	p, rest := nounPhrase(text, c.names)
	if p.named && rest != "" && at != "" { // the name is only part of the thing: "the Pro plan"
		p, rest = thingAhead(text[len(at):])
	}
	if p.text == "" || strings.Trim(rest, " ,") != "" || p.label == "Person" || p.label == "Pet" || p.label == valueLabel {
		return thing{}, false
	}
	coded := strings.ContainsFunc(p.text, unicode.IsDigit)
	if at == "" && !p.named && !coded || fold(p.text) == fold(c.u.speaker) || fold(p.text) == fold(c.u.listener) {
		return thing{}, false
	}
	if p.label == "" && !(p.named && at == "" && !coded) {
		p.label = "Topic"
	}
	if lower := lowerFirst(p.text); at == "" && !strings.Contains(c.u.text, p.text) && strings.Contains(c.u.text, lower) {
		p.text = lower // the capital only begins the sentence
	}
	return thing{text: p.text, label: p.label}, true
}

// claim returns a claim about the thing.
func (t thing) claim(p phrase, predicate string, when timing) claim {
	return claim{
		subject: t.text, subjectLabel: t.label, object: p.text, objectLabel: p.label, objectSaid: p.said,
		predicate: predicate, rule: "a thing", timing: when,
	}
}
