package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// statement is a subject and what its verb says, while the claims in it are read.
type statement struct {
	scene   *scene
	subject subject
	verb    verbPhrase
	dates   dated
	claims  []claim
}

// predicate reads what a sentence says of its subject.
func (c *scene) predicate(s subject, rest string, d dated) []claim {
	v, ok := parseVerb(rest)
	if !ok {
		return nil
	}
	st := statement{scene: c, subject: s, verb: v, dates: d}
	if st.age() {
		return st.claims
	}
	if st.introduction() {
		return st.claims
	}
	if r, p, after, ok := v.relate(c.names); ok {
		if strings.HasPrefix(after, " there") || r.manner == attitude && !p.named && narrowed().MatchString(after) {
			return nil // nobody knows where, or which
		}
		st.related(r, p)
		if r.predicate == "HAS" {
			st.called(p, &after)
		}
		if r.takes == aName && ellipsis().MatchString(after) {
			return st.claims
		}
		for _, more := range c.coordinated(&after) {
			if first, _, several := strings.Cut(p.text, " "); several && isGerund(strings.ToLower(first)) && !isGerund(strings.ToLower(more.text)) {
				break // "improving education and infrastructure"
			}
			if r.takes == aDoing || more.named || !isGerund(strings.ToLower(more.text)) {
				st.related(r, more)
			}
		}
		// "Sold the house in Leeds" says nothing of Leeds.
		if r.manner != end || r.predicate == "LIVES_IN" {
			st.companions(p, after)
			st.livingWith(after)
		}
		return st.claims
	}
	if !st.jobLoss() && !st.activity() {
		st.byVerb()
	}
	return st.claims
}

// Somebody else of whom the verb is not said again: ", and Ruben at Aperture".
var ellipsis = pattern.New(`^,? and \p{Lu}[\p{L}'-]+ (?:at|in|for) \p{Lu}`)

// What says which of them are liked: "games that make me think", "games like this".
var narrowed = pattern.New(`^ (?:that|which|who|where|when|like (?:this|that|these|those)|you|he|she|they|it)\b`)

// livingWith says the same of those with whom one lives: "lives in Oslo with Tom".
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
		subject: st.subject.text, subjectLabel: st.subject.label, object: p.text, objectLabel: label,
		predicate: predicate, rule: rule, timing: t, ends: ends,
	})
}

// related adds the claim of a relation, as the verb's tense has it.
func (st *statement) related(r relation, p phrase) {
	v, d := st.verb, st.dates
	_, isDated := d.date(v)
	present := !v.past && !v.perfect && !v.future && !v.progress && !v.begins
	switch {
	case r.predicate == "LIVES_IN" && v.verb == "be" && strings.HasPrefix(v.rest, "back ") && !isDated: // perhaps from a journey
	case v.negated && v.past, r.undone(present && !isDated), r.predicate == "HAS" && v.progress && !v.perfect && !isDated:
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

// What one gets or has and does not keep.
var passing = set(`shot win surge call message feedback compliment compliments support help response reaction welcome glimpse hug offer
	sense feeling blast game battle chat talk conversation moment dream scare accident accomplishment setback milestone breakthrough
	success victory loss fight argument discussion surprise visit weekend holiday night evening experience encounter adventure
	email letter story stories news question questions plan plans turnout games picnic party date dinner lunch breakfast meal drink coffee class lesson session appointment meeting interview match tournament`)

// What has gone on for long has not only happened: "has always had dogs".
var lasts = pattern.New(`(?i)\b(?:always|for (?:\w+ ){1,3}(?:years?|months?|weeks?|days?)|since|still|all (?:my|his|her) life)\b`)

// undone reports whether a relation states nothing in this tense: what one buys
// or gets now and then, and a state that lasted nobody knows how long.
func (r relation) undone(undatedPresent bool) bool {
	return r.predicate == "HAS" && r.manner == change && undatedPresent
}

// lasting is the verb as its dates are to be read: a liking is dated by "since" alone.
func (v verbPhrase) lasting(m manner) verbPhrase {
	if m == attitude {
		return verbPhrase{}
	}
	return v
}

// headWord is the word that says what a thing is: of "shot of a glacier" the shot.
func headWord(thing string) string {
	head, _, _ := strings.Cut(thing, " of ")
	return lastWord(head)
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// planned adds what is to come at a time that nobody tells: "is moving to Oslo".
func (st *statement) planned(r relation, p phrase) {
	if r.manner == attitude || r.predicate == "HAS" || st.verb.verb == "be" {
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
	st.claim(p, predicate, r.label, "a plan", st.dates.said(), false)
}

var calledName = pattern.New(`^,? (?:called|named) `)

// called adds the name that a thing is said to have: "a dog called Pixel".
func (st *statement) called(thing phrase, after *string) {
	at := calledName().FindString(*after)
	p, rest := nameAhead((*after)[len(at):], st.scene.names)
	if at == "" || !p.named || len(st.claims) == 0 {
		return
	}
	words := strings.Fields(thing.text)
	noun := words[len(words)-1]
	predicate := kin[noun]
	if predicate == "" {
		predicate = predicateOf("HAS", noun)
	} else {
		p.label = kinLabel(noun)
	}
	c := st.claims[len(st.claims)-1]
	if !c.ends {
		st.claim(p, predicate, "", "the name of a thing", c.timing, false)
	}
	*after = rest
}

// denied adds what a relation's negation says: that one dislikes something, or
// that something holds no longer.
func (st *statement) denied(r relation, p phrase) {
	switch {
	case r.predicate == "LIKES":
		st.claim(p, "DISLIKES", r.label, "a dislike", st.dates.said(), false)
	case r.manner == state && oneValued[r.predicate] && !st.verb.perfect:
		st.claim(p, noLonger+r.predicate, r.label, "a denial", st.dates.once(st.verb), true)
	}
}

// former adds a state told in the past tense: it held for the time that is
// named, else it is over.
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

// Speakers of whom only the role is known.
var roles = set(`user customer human client visitor guest caller assistant agent bot ai system me`)

// introduction reads "I'm Anna Berg" where the speaker is only "user".
func (st *statement) introduction() bool {
	if st.verb.verb != "be" || st.verb.past || !roles[fold(st.subject.text)] {
		return false
	}
	p, rest := nameAhead(st.verb.rest, st.scene.names)
	if !p.named || p.label != "" && p.label != "Person" || strings.Trim(rest, " ,.!") != "" && !strings.HasPrefix(rest, ",") {
		return false
	}
	p.label = "Person"
	st.claim(p, "NAMED", "Person", "an introduction", st.dates.said(), false)
	return true
}

var (
	isAged   = pattern.New(`^ (?:is|am) (?:now |already |only )?(\d{1,3})(?:[\s-]years?[\s-](?:old|of age))?(?: now| already)?(?:,.*)?$`)
	turnedTo = pattern.New(`^ (?:has |just |finally )*turned (\d{1,3})\b(.*)$`)
)

// age reads "is 34 years old" and "turned 30 last week".
func (st *statement) age() bool {
	_, said, _ := strings.Cut(st.dates.whole, st.subject.text)
	if !strings.ContainsAny(said, "0123456789") {
		return false
	}
	said = strings.TrimRight(said, ". !")
	when := st.dates.said()
	m := isAged().FindStringSubmatch(said)
	if m == nil {
		if m = turnedTo().FindStringSubmatch(said); m == nil {
			return false
		}
		when = findDates("turned"+m[2], st.dates.ref).present(verbPhrase{past: true})
	}
	st.claim(phrase{text: m[1], label: "Value"}, "AGE", "Value", "an age", when, false)
	return true
}

var (
	lostJob = pattern.New(`^(?:(?:\S+'s|the|his|her|their) (?:\w+ )?job\b|fired\b|laid off\b|let go\b)`)
	losing  = set(`quit leave lose be get resign`)
)

// jobLoss reads the end of a job whose employer is not named.
func (st *statement) jobLoss() bool {
	v := st.verb
	if !losing[v.verb] || v.negated || v.future || v.wish != "" || !lostJob().MatchString(v.rest) && v.verb != "resign" {
		return false
	}
	isFired := strings.HasPrefix(v.rest, "fired") || strings.HasPrefix(v.rest, "laid") || strings.HasPrefix(v.rest, "let")
	if isFired != (v.verb == "be" || v.verb == "get") && v.verb != "resign" {
		return false
	}
	st.claim(phrase{text: "job"}, noLonger+"WORKS_AT", "Topic", "the end of a job", st.dates.once(v), true)
	return true
}

// activity reads what one has started or stopped doing: "stopped smoking".
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
	case alone && habits[v.verb] && !v.negated && v.wish == "" && (v.over || !v.past && !v.perfect && !v.future):
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

// What is left of a verb's object where a date was cut out.
var nothingMore = pattern.New(`^[\s,.!]*(?:(?:in|on|at|since|by|around|during|back|again)\b[\s,.!]*)*$`)

// What one does without saying what of.
var habits = set(`smoke vape drink gamble`)

var verbTail = pattern.New(`^(?:(up|out|back|away|off|around|over|down|together) )?(?:(to|in|at|with|on|for|about|of|into|from|by|as|near) )?(.+)$`)

// byVerb reads a plain sentence: a verb and what follows it.
func (st *statement) byVerb() {
	v := st.verb
	m := verbTail().FindStringSubmatch(v.rest)
	if m == nil || muteVerbs[v.verb] && !(v.verb == "do" && m[1]+m[2] == "") || likings[v.verb] {
		return
	}
	p, after := nounPhrase(m[3], st.scene.names)
	if p.text == "" && m[1]+m[2] == "" {
		return // what is done to "it"
	}
	if bare, doing := withoutDoing(p.text); (v.verb == "take" || v.verb == "bring" || v.verb == "teach") && doing {
		p.text = bare // "took the kids camping"
	}
	predicate, s, ok := st.plain(m[1], m[2])
	if !ok {
		return
	}
	if sharesHead(p, after) {
		return
	}
	if st.worthSaying(m[2], p) {
		st.claim(p, predicate, "Topic", "the verb "+v.verb, s, v.over)
		for _, more := range st.scene.coordinated(&after) {
			if st.worthSaying(m[2], more) {
				st.claim(more, predicate, "Topic", "the verb "+v.verb, s, v.over)
			}
		}
	}
	if v.verb != "do" && !v.over && !v.negated {
		st.companions(p, after)
	}
}

// Verbs that have a relation of their own, or say nothing.
var likings = set(`like love enjoy adore hate dislike prefer`)

// withoutDoing cuts the activity at the end of a thing.
func withoutDoing(thing string) (string, bool) {
	at := strings.LastIndexByte(thing, ' ')
	if at < 0 || !strings.HasSuffix(thing, "ing") {
		return thing, false
	}
	return thing[:at], true
}

// plain makes the predicate of a verb with its particle and preposition.
func (st *statement) plain(particle, preposition string) (predicate string, t timing, ok bool) {
	v := st.verb
	base := strings.ToUpper(v.verb)
	switch {
	case v.negated && (v.past || v.perfect || v.wish != ""), v.wish != "" && (telling[v.verb] || v.past && strings.Contains(st.dates.whole, " just ")):
		return "", t, false
	case v.wish != "":
		predicate = v.wish + "_" + base
	case v.negated:
		predicate = "DOES_NOT_" + base
	case v.over:
		predicate = noLonger + strings.ToUpper(thirdPerson(v.verb))
	default:
		predicate = strings.ToUpper(thirdPerson(v.verb))
	}
	for _, word := range [...]string{particle, preposition} {
		if word != "" {
			predicate += "_" + strings.ToUpper(word)
		}
	}
	t = st.when()
	if v.future && !t.ahead(st.dates.ref) {
		return "", t, false
	}
	// What a relation means has its own rules, which did not fit.
	return predicate, t, !oneValued[strings.TrimPrefix(predicate, noLonger)]
}

// when is the timing of a plain verb: what one does or is doing goes on, what
// one did or will do on a day happens once.
func (st *statement) when() timing {
	v, d := st.verb, st.dates
	e, isDated := d.date(v)
	openEnded := isDated && e.Interval.End.IsZero()
	switch {
	case v.wish != "" || v.negated, v.verb == "plan" && v.progress:
		if v.past {
			return d.over()
		}
		return d.said()
	case v.over:
		return d.once(v)
	case v.progress && !v.perfect && !v.past && isDated && e.Interval.End.After(d.ref) && e.Granularity >= temporal.Day:
		return timing{prompts.Event, e.StatedAs()}
	case openEnded, v.begins && !v.future, v.perfect && v.progress, v.perfect && lasting().MatchString(d.whole):
		return d.present(v)
	case v.past || v.perfect || v.future || isDated && e.Interval.Start.After(d.ref):
		return d.once(v)
	}
	return d.present(verbPhrase{})
}

// Prepositions after which a thing, and not only a name, is worth a claim.
var thingPrepositions = set(`to in at on into for from`)

// sharesHead reports whether a word may only describe what stands after the
// "and" behind it, as in "my soda and candy intake", or is somewhere else.
func sharesHead(p phrase, after string) bool {
	if strings.HasPrefix(after, " there") {
		return true
	}
	next, ok := strings.CutPrefix(after, " and ")
	if !ok || p.named || !p.definite || strings.Contains(p.text, " ") {
		return false
	}
	more, _ := thingAhead(next)
	return strings.Contains(more.text, " ")
}

// What one has made may be pointed at: "I made this bowl".
var creating = set(`make create paint draw build bake design write sew knit craft buy cook carve compose sketch take wear`)

// Wishes to do this say nothing to keep: "I want to show you".
var telling = set(`show tell ask thank hear see know share say help give let check talk`)

// What two are or do together says nothing of one.
var togetherVerbs = map[string]bool{
	"make team": true, "make point": true, "make pair": true, "make duo": true, "make wish": true,
	"make call": true, "make decision": true, "make choice": true, "make effort": true, "make mistake": true, "do work": true, "do job": true, "do stuff": true,
}

// worthSaying keeps what a plain verb says of a name, or of a thing when the
// verb means something by itself.
func (st *statement) worthSaying(preposition string, p phrase) bool {
	v := st.verb
	if p.text == "" || p.named {
		return p.named && !(v.verb == "miss" && fold(p.text) == fold(st.scene.u.listener))
	}
	if p.pointing != "" && p.pointing != "the" && (!creating[v.verb] || v.wish != "") || togetherVerbs[v.verb+" "+lastWord(p.text)] {
		return false
	}
	first, more, _ := strings.Cut(strings.ToLower(p.text), " ")
	switch {
	case preposition == "to" && baseVerbs[first] && !p.definite, isGerund(first) && more == "" && !p.definite && !takesDoing[v.verb]:
		return false
	case preposition != "" && (!thingPrepositions[preposition] || !p.definite && preposition != "to"):
		return false
	case v.verb == "do":
		return !p.definite
	case weakVerbs[v.verb] && !(v.verb == "go" && preposition == "to"):
		return p.definite && (makingVerbs[v.verb] || v.verb == "take")
	}
	return true
}

var (
	takesDoing  = set(`practice practise teach learn study try do`)
	makingVerbs = set(`start make join try use find plan book`)
)
