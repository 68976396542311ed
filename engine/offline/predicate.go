package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// statement is a subject with its verb, and the claims read so far.
type statement struct {
	scene   *scene
	subject subject
	verb    verbPhrase
	dates   dated
	claims  []claim
}

// predicate reads what a sentence says about its subject.
func (c *scene) predicate(s subject, rest string, d dated) []claim {
	v, ok := parseVerb(rest)
	if !ok {
		return nil
	}
	st := statement{scene: c, subject: s, verb: v, dates: d}
	if d.conditional {
		return st.onCondition()
	}
	if st.age() || st.introduction() || st.stay() || st.replacement() {
		return st.claims
	}
	st.born()
	if r, p, after, ok := v.relate(c.names); ok {
		if strings.HasPrefix(after, " there") && r.predicate != "WORKS_AS" || r.manner == attitude && !p.named && narrowed().MatchString(after) {
			return nil // it is not said where, or which ones
		}
		if r.predicate == "OWES" && r.manner == end && strings.ContainsAny(after, "0123456789") {
			return nil // it may be a part of the debt
		}
		if r.predicate == "RESPONSIBLE_FOR" && st.handedOver(r, p, after) || st.leaves(p, after) {
			return st.claims
		}
		if r.takes == aSchool && strings.HasPrefix(after, " as ") { // as a teacher
			r.predicate = "WORKS_AT"
		}
		st.related(r, p)
		if r.predicate == "HAS" {
			st.called(p, &after)
		}
		if r.takes == aName && ellipsis().MatchString(after) {
			return st.claims
		}
		for st.alsoRelated(r, p, &after) {
			continue
		}
		// "Sold the house in Leeds" makes no claim about Leeds.
		if r.manner != end || r.predicate == "LIVES_IN" || r.predicate == "USES" {
			st.companions(p, after)
			st.livingWith(after)
		}
		return st.claims
	}
	if !st.jobLoss() && !st.studiesOver() && !st.traded() && !st.activity() {
		st.givenAway()
		st.byVerb()
	}
	return st.claims
}

// alsoRelated adds the claims of further things that a list names: "a cat named Tom and a dog". It
// reports whether there were any; more may follow the name of the last one.
func (st *statement) alsoRelated(r relation, p phrase, after *string) bool {
	list := st.scene.coordinated(after)
	for _, more := range list {
		if first, _, several := strings.Cut(p.text, " "); several && isGerund(strings.ToLower(first)) && !isGerund(strings.ToLower(more.text)) {
			return false // "improving education and infrastructure"
		}
		if r.takes == aDoing || more.named || !isGerund(strings.ToLower(more.text)) {
			st.related(r, more)
		}
		if r.predicate == "HAS" {
			st.called(more, after)
		}
	}
	return len(list) > 0
}

// ellipsis matches a second subject that shares the verb: ", and Ruben at Aperture".
var ellipsis = pattern.New(`^,? and \p{Lu}[\p{L}'-]+ (?:at|in|for) \p{Lu}`)

// narrowed matches words that limit what is liked: "games that make me think", "games like this".
var narrowed = pattern.New(`^ (?:that|which|who|where|when|like (?:this|that|these|those)|you|he|she|they|it)\b`)

// livingWith adds the same home for people who live with the subject: "lives in Oslo with Tom".
func (st *statement) livingWith(after string) {
	i := slices.IndexFunc(st.claims, func(c claim) bool { return c.predicate == "LIVES_IN" })
	rest, with := strings.CutPrefix(strings.TrimLeft(after, " "), "with ")
	if i < 0 || !with {
		return
	}
	p, more := nounPhrase(rest, st.scene.names)
	for _, who := range append([]phrase{p}, st.scene.coordinated(&more)...) {
		if who.named && (who.label == "" || who.label == "Person") {
			home := st.claims[i]
			home.subject, home.subjectLabel = who.text, "Person"
			st.claims = append(st.claims, home)
		}
	}
}

func (st *statement) claim(p phrase, predicate, label, rule string, t timing, ends bool) {
	if p.label != "" {
		label = p.label
	} else if p.named && label == "Topic" {
		label = ""
	}
	st.claims = append(st.claims, claim{
		subject: st.subject.text, subjectLabel: st.subject.label, object: p.text, objectLabel: label, objectSaid: p.said,
		predicate: predicate, rule: rule, timing: t, ends: ends,
	})
}

// related adds the claim of a relation, by the tense of the verb.
func (st *statement) related(r relation, p phrase) {
	v, d := st.verb, st.dates
	_, isDated := d.date(v)
	present := !v.past && !v.perfect && !v.future && !v.progress && !v.begins
	switch {
	case r.predicate == "LIVES_IN" && v.verb == "be" && strings.HasPrefix(v.rest, "back ") && !isDated: // perhaps after a journey
	case (r.takes == anEmployer || r.takes == aPartner) && !st.employed():
	case v.negated && v.past, r.predicate == "HAS" && r.manner == change && present && !isDated, r.predicate == "HAS" && v.progress && !v.perfect && !isDated:
	case v.negated:
		st.denied(r, p)
	case v.over && (r.manner == change || r.manner == end):
	case !isDated && !v.over && (v.future || r.manner >= change && (v.progress && !v.perfect || present)):
		st.planned(r, p)
	case r.manner == end, v.over:
		st.claim(p, noLonger+r.predicate, r.label, "an end: "+v.verb, d.once(v), true)
	case v.past && !v.begins && r.manner == state:
		st.former(r, p)
	case v.past && !v.begins && r.manner == attitude, r.predicate == "HAS" && isDated && (occasions[headWord(p.text)] || v.progress && !v.perfect),
		r.predicate == "HAS" && r.manner == state && v.perfect && !isDated && !lasts().MatchString(d.whole):
		st.claim(p, r.predicate, r.label, "an event", d.once(v), false)
	case r.predicate == "HAS" && passing[headWord(p.text)]:
		if isDated {
			st.claim(p, r.predicate, r.label, "an event", d.once(v), false)
		}
	default:
		st.claim(p, r.predicate, r.label, "a relation: "+v.verb, d.present(v.lasting(r.manner)), false)
	}
}

// passing are things that one gets or has without keeping them.
var passing = set(`shot win surge call message feedback compliment compliments support help response reaction welcome glimpse hug offer
	sense feeling blast game battle chat talk conversation moment dream scare accident accomplishment setback milestone breakthrough
	success victory loss fight argument discussion surprise visit weekend holiday night evening experience encounter adventure
	email letter story stories news question questions plan plans turnout games picnic party date dinner lunch breakfast meal drink coffee class lesson session appointment meeting interview match tournament`)

// lasts matches words by which having something is a state and no single event: "has always had
// dogs".
var lasts = pattern.New(`(?i)\b(?:always|for (?:\w+ ){1,3}(?:years?|months?|weeks?|days?)|since|still|all (?:my|his|her) life)\b`)

// lasting returns the verb for reading dates: an attitude is dated by "since" only.
func (v verbPhrase) lasting(m manner) verbPhrase {
	if m == attitude {
		return verbPhrase{}
	}
	return v
}

// headWord returns the head of a thing: "shot" in "shot of a glacier".
func headWord(thing string) string {
	head, _, _ := strings.Cut(thing, " of ")
	return lastWord(head)
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// planned adds a plan without a stated time: "is moving to Oslo".
func (st *statement) planned(r relation, p phrase) {
	if r.manner == attitude || r.predicate == "HAS" || r.predicate == "RESPONSIBLE_FOR" || st.verb.verb == "be" {
		return
	}
	predicate := "PLANS_TO_" + strings.ToUpper(st.verb.verb)
	switch {
	case r.after == nil:
	case r.manner == end:
		predicate += "_FROM"
	case r.predicate == "LIVES_IN" && st.verb.verb != "live":
		predicate += "_TO"
	case r.predicate == "WORKS_AS":
		predicate += "_AS"
	case r.predicate == "LIVES_IN":
		predicate += "_IN"
	default:
		predicate += "_AT"
	}
	st.claim(p, predicate, r.label, "a plan", st.dates.plan(st.verb), false)
}

var (
	calledName = pattern.New(`^,? (?:called|named) `)
	alsoNamed  = pattern.New(`^(?:,? and|,? &|,) \p{Lu}`) // "two boats called Alma and Bea"
)

// called adds the name of a thing: "a dog called Pixel".
func (st *statement) called(thing phrase, after *string) {
	at := calledName().FindString(*after)
	p, rest := nameAhead((*after)[len(at):], st.scene.names)
	if at == "" || !p.named || len(st.claims) == 0 {
		return
	}
	words := strings.Fields(thing.text)
	noun := words[len(words)-1]
	if kin[noun] != "" {
		p.label = kinLabel(noun)
	}
	c := st.claims[len(st.claims)-1]
	if !c.ends {
		st.claim(p, havingNamed(noun), "", "the name of a thing", c.timing, false)
		if kin[noun] != "" {
			st.claims[len(st.claims)-1].relative = noun
		}
		if _, more, _ := strings.Cut(st.dates.whole, p.text); !alsoNamed().MatchString(more) {
			st.claims = slices.Delete(st.claims, len(st.claims)-2, len(st.claims)-1) // the relation to a named dog or boat implies having one
		}
	}
	*after = rest
}

// havingNamed returns the predicate of having somebody or something that is known by name: HAS_DOG.
func havingNamed(noun string) string {
	return cmp.Or(kin[noun], predicateOf("HAS", noun))
}

// former adds a state told in the past tense: it held for the stated time, else it is over.
func (st *statement) former(r relation, p phrase) {
	when, ok := st.dates.former()
	_, isDated := st.dates.date(st.verb)
	switch {
	case ok && r.predicate != "HAS":
		st.claim(p, r.predicate, r.label, "a former state", when, false)
	case isDated && r.predicate == "HAS":
		st.claim(p, r.predicate, r.label, "an event", st.dates.once(st.verb), false)
	case !isDated && r.predicate != "HAS" && r.predicate != "IS":
		st.claim(p, noLonger+r.predicate, r.label, "a former state", st.dates.over(), true)
	}
}

// roles are the names of speakers of whom only the role is known.
var roles = set(`user customer human client visitor guest caller assistant agent bot ai system me`)

// introduction reads "I'm Anna Berg" if the speaker is only known as "user", and what the speaker
// says beside the name.
func (st *statement) introduction() bool {
	if st.verb.verb != "be" || st.verb.past || st.verb.negated || st.subject.text != st.scene.u.speaker {
		return false
	}
	p, rest := nameAhead(st.verb.rest, st.scene.names)
	called := roles[fold(st.subject.text)]
	if !p.named || p.label != "" && p.label != "Person" || !called && !strings.HasPrefix(fold(p.text)+" ", fold(st.subject.text)+" ") {
		return false
	}
	about, apposed := strings.CutPrefix(rest, ", ") // "I'm Maria, a nurse at Mercy"
	if !apposed && strings.HasPrefix(rest, " from ") {
		about, apposed = rest[1:], true
	}
	if strings.Trim(rest, " ,.!") != "" && !apposed {
		return false
	}
	if called {
		p.label = "Person"
		st.claim(p, "NAMED", "Person", "an introduction", st.dates.said(), false)
	}
	if apposed && !startsUpper(about) {
		st.claims = append(st.claims, st.scene.predicate(st.subject, " is "+about, st.dates)...)
	}
	return len(st.claims) > 0
}

var (
	isAged   = pattern.New(`^ (?:is|am) (?:now |already |only )?(?:(\d{1,3})(?:[\s-]years?[\s-](?:old|of age))?|([a-z]+)[\s-]years?[\s-](?:old|of age))(?: now| already)?(?:,.*)?$`)
	turnedTo = pattern.New(`^ (?:has |just |finally )*turned (?:(\d{1,3})|([a-z]+))\b(.*)$`)
)

// age reads "is 34 years old" and "turned 30 last week".
func (st *statement) age() bool {
	_, said, _ := strings.Cut(st.dates.whole, st.subject.text)
	said = strings.TrimRight(said, ". !")
	when := st.dates.said()
	m := isAged().FindStringSubmatch(said)
	if m == nil {
		if m = turnedTo().FindStringSubmatch(said); m == nil {
			return false
		}
		turned := findDates("turned"+m[3], st.dates.ref)
		if m[2] != "" && strings.Trim(turned.text, " ,") != "turned" {
			return false // "turned one room into an office"
		}
		when = turned.present(verbPhrase{past: true})
	}
	years := cmp.Or(m[1], numbers[m[2]])
	if years == "" {
		return false
	}
	st.claim(phrase{text: years, label: "Value"}, "AGE", "Value", "an age", when, false)
	return true
}

// bornOn is what stands before the day of a birth: "born on", "born in Leuven on".
var bornOn = pattern.New(`\bborn (?:in \p{Lu}[\p{L} '-]* )?(?:on )?(?:the )?$`)

// born reads the birthday of "was born on 3 May 1990".
func (st *statement) born() {
	if st.verb.verb != "be" || !st.verb.past || st.verb.negated || !strings.HasPrefix(st.verb.rest, "born") {
		return
	}
	for _, e := range st.dates.expressions {
		if day := dayOf(e); day != "" && bornOn().MatchString(st.dates.whole[:e.Start]) {
			st.claim(phrase{text: day, label: "Value"}, "BIRTHDAY", "Value", "a birthday", st.dates.said(), false)
			return
		}
	}
}

// activity reads what somebody has started or stopped doing: "stopped smoking".
func (st *statement) activity() bool {
	v := st.verb
	alone := nothingMore().MatchString(v.rest)
	switch {
	case v.verb == "do" && v.over && !alone: // "gave up meat"
		p, _ := nounPhrase(v.rest, st.scene.names)
		if p.text == "" {
			return false
		}
		st.claim(p, noLonger+"DOES", "Topic", "an end", st.dates.once(v), true)
	case (alone || v.tellsHabit()) && habits[v.verb] && !v.negated && v.wish == "" && (v.over || !v.past && !v.perfect && !v.future):
		p := phrase{text: gerund(v.verb)}
		if v.over {
			st.claim(p, noLonger+"HAS_HABIT", "Topic", "an end", st.dates.once(v), true)
		} else {
			st.claim(p, "HAS_HABIT", "Topic", "a habit", st.dates.present(v), false)
		}
	case alone && v.over && !muteVerbs[v.verb] && !weakVerbs[v.verb]:
		st.claim(phrase{text: gerund(v.verb)}, noLonger+"DOES", "Topic", "an end", st.dates.once(v), true)
	case alone && isGerund(v.word) && v.begins && !v.negated && !muteVerbs[v.verb]:
		st.claim(phrase{text: v.word}, "DOES", "Topic", "an activity", st.dates.present(v), false)
	default:
		return false
	}
	return true
}

// nothingMore matches what is left of a verb's object after a date was cut out.
var nothingMore = pattern.New(`^[\s,.!]*(?:(?:in|on|at|since|by|around|during|back|again)\b[\s,.!]*)*$`)

// habits are verbs that name a habit without an object.
var habits = set(`smoke vape drink gamble`)

// smoked are things that people smoke out of habit.
var smoked = set(`pack packs packet packets cigarette cigarettes cigar cigars pipe tobacco weed pot joint joints`)

// tellsHabit reports whether a verb with an object names a habit: "smokes a pack a day", and not
// "smokes salmon".
func (v verbPhrase) tellsHabit() bool {
	return v.verb == "vape" || v.verb == "gamble" || v.verb == "smoke" && anyWord(v.rest, func(w string) bool { return smoked[w] })
}
