package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
)

// noLonger is the prefix of the predicate of a fact that ends another one.
const noLonger = graph.NoLonger

// doesNot is the prefix of the predicate of a denial.
const doesNot = "DOES_NOT_"

// isNot is the predicate of the denial of a trait, and the prefix of that of a relation that has no
// verb of its own: "is not vegetarian", "is not allergic to nuts".
const isNot = "IS_NOT"

// hasNot is the predicate of the denial of having something.
const hasNot = doesNot + "HAVE"

// denialOf returns the predicate that denies another one.
func denialOf(predicate string) string {
	verb, rest, _ := strings.Cut(strings.ToLower(predicate), "_")
	base := lemma(verb)
	switch {
	case verb == "is":
		return isNot
	case base != "" && thirdPerson(base) == verb:
		return strings.TrimSuffix(doesNot+strings.ToUpper(base+"_"+rest), "_")
	}
	return isNot + "_" + predicate
}

// manner is how a relation behaves over time.
type manner uint8

const (
	attitude manner = iota // "likes": the past tense does not mean an end
	state                  // "lives in": the past tense means it is over
	change                 // "moved to": the relation holds from then on
	end                    // "left": the relation no longer holds
)

// taking is what a relation takes as its object.
type taking uint8

const (
	anything taking = iota
	aName           // only a name
	aProfession
	aCondition // "vegan"
	aDoing     // a thing or an activity: "hiking"
	aContract  // "gym membership"
	aGerund    // "hiking"
	aDefinite  // a name, or a thing with an article or number
	aWeight    // a weight with its unit
	aSum       // a value in money
	aCount     // a number of children, pets and the like
	aPartner   // a first name
	anEmployer // a name of neither a person nor a place
	aGroup     // a club, a choir and the like
	aCharge    // something to be responsible for
	aTask      // likewise, without an article
	aService   // something to subscribe to
	anAllergy  // "a peanut allergy"
	aSchool    // a name of one, where somebody learns or works
)

// relation is a way to state something: what follows the verb, and the predicate that both mean.
type relation struct {
	after     pattern.Pattern // nil: the object follows at once
	predicate string
	label     string
	manner    manner
	takes     taking
}

// relations holds the relations of each verb, by its lemma, in the order in which they are tried.
var relations = func() map[string][]relation {
	table := map[string][]relation{}
	add := func(predicate, label string, m manner, t taking, ways ...string) {
		for _, way := range ways {
			verb, after, more := strings.Cut(way, " ")
			r := relation{predicate: predicate, label: label, manner: m, takes: t}
			if more {
				r.after = pattern.New(`^(?i:` + after + `)\s+`)
			}
			table[verb] = append(table[verb], r)
		}
	}
	const job = `(?:an?|the|\S+'s) (?:[\w-]+ ){0,3}(?:job|position|role|work|internship|offer)`
	const at = `(?:at|for|with|in|by)`

	add("LIVES_IN", "Place", state, aName, `live (?:(?:back|here|alone|together|now|currently|over|up|down|out) )?in`, `reside in`, `be (?:currently )?based in`)
	add("LIVES_IN", "Place", change, aName, `be back (?:living )?in`)
	add("LIVES_IN", "Place", change, aName, `move (?:back |on |over |out |down |up |here |away |in )?to`, `move in`, `relocate to`, `settle (?:down )?in`)
	add("LIVES_IN", "Place", end, aName, `move (?:away |out |back |here |over )?(?:from|of)`, `relocate from`)
	add("WORKS_AS", "Occupation", change, aProfession, `be (?:hired|appointed|elected|made)(?: as| to)?(?: an?| the)?`, `be (?:hired|appointed|elected|made)`)
	add("WORKS_AS", "Occupation", state, aProfession, `be (?:now )?(?:an?|the)`, `be`)
	add("WORKS_AS", "Occupation", state, anything, `work (?:part[- ]time |full[- ]time )?as(?: an?| the)?`, `be employed as(?: an?)?`)
	add("WORKS_AS", "Occupation", change, aProfession, `become (?:an?|the)`, `become`, `start as(?: an?| the)?`, `get hired (?:as|to)(?: an?| the)?`, `take over as(?: an?| the)?`, `get `+job+` as(?: an?| the)?`, `start `+job+` as(?: an?| the)?`)
	add("WORKS_AS", "Occupation", change, anything, `be promoted to(?: an?| the)?`, `get promoted to(?: an?| the)?`)
	add("WORKS_AS", "Occupation", end, aProfession, `quit as(?: an?| the)?`, `retire as(?: an?| the)?`, `resign as(?: an?| the)?`, `step down as(?: an?| the)?`)
	add("WORKS_AT", "Organization", state, aName, `work (?:(?:part[- ]time|full[- ]time|remotely|now|over|here|freelance|on and off) )?(?:at|for)`, `intern (?:at|for)`, `be employed `+at, `be interning (?:at|for)`, `have `+job+` `+at)
	add("WORKS_AT", "Organization", state, aName, `be (?:now )?back (?:working )?(?:at|with)`)
	add("STARTS_AT", "Organization", change, aSchool, `start at`)
	add("WORKS_AT", "Organization", change, aName, `start (?:`+job+` )?`+at, `join`, `be hired `+at, `get hired `+at, `get `+job+` `+at, `take `+job+` `+at, `accept `+job+` `+at, `land `+job+` `+at, `find `+job+` `+at)
	add("WORKS_AT", "Organization", end, aName, `quit (?:`+job+` )?(?:at|with)`, `quit`, `leave `+job+` `+at, `leave`, `resign from`, `retire from`, `lose `+job+` `+at, `be (?:fired|laid off|let go) `+`(?:from|by|at)`, `get (?:fired|laid off|let go) `+`(?:from|by|at)`)
	add("DATES", "Person", state, aPartner, `be (?:now )?with`)
	add("WORKS_AT", "Organization", state, anEmployer, `be (?:now )?(?:with|at)`)
	add("MARRIED_TO", "Person", state, aName, `be (?:happily )?married to`)
	add("MARRIED_TO", "Person", change, aName, `marry`, `get married to`)
	add("MARRIED_TO", "Person", end, aName, `divorce`, `be divorced from`, `get divorced from`, `separate from`, `be separated from`)
	add("ENGAGED_TO", "Person", state, aName, `be engaged to`)
	add("ENGAGED_TO", "Person", change, aName, `get engaged to`)
	add("DATES", "Person", state, aName, `date`, `be (?:in a relationship|together) with`)
	add("DATES", "Person", end, aName, `break up with`, `split up with`, `split from`)
	add("MEMBER_OF", "Organization", change, aGroup, `join`)
	add("MEMBER_OF", "Organization", end, aGroup, `leave`, `quit`)
	add("MEMBER_OF", "Organization", change, anything, `become (?:an?|the) (?:[\w-]+ )?member of(?: an?| the)?`)
	add("MEMBER_OF", "Organization", state, anything, `be (?:an?|the) (?:[\w-]+ )?member of(?: an?| the)?`, `belong to(?: an?| the)?`)
	add("BORN_IN", "Place", attitude, aName, `be born (?:and raised )?(?:on\b[ ,]*)?in`)
	add("GREW_UP_IN", "Place", attitude, aName, `grow up in`)
	add("COMES_FROM", "Place", attitude, aName, `be (?:originally )?from`, `come (?:originally )?from`)
	add("ALLERGIC_TO", "Topic", attitude, anything, `be (?:\w+ )?allergic to`, `have an? (?:\w+ )?allergy to`)
	add("ALLERGIC_TO", "Topic", attitude, anAllergy, `have`)
	add("LIKES", "Topic", attitude, aDoing, `like`, `love`, `enjoy`, `adore`, `be (?:[\w-]+ )?(?:fond of|into|passionate about|keen on|obsessed with|crazy about)`, `be an? (?:[\w-]+ )?(?:fan of|lover of)`)
	add("DISLIKES", "Topic", attitude, aDoing, `hate`, `dislike`, `detest`, `loathe`, `despise`, `abhor`)
	add("PREFERS", "Topic", attitude, aDoing, `prefer`)
	add("OWES", "Person", state, aName, `owe`)
	add("OWES", "Person", end, aName, `pay back`, `repay`)
	add("HAS_PROBLEM_WITH", "Topic", attitude, anything, `have (?:an? |some )?(?:[\w-]+ )?(?:problems?|issues?|trouble) with`)
	add("HAS", valueLabel, state, aCount, `have`)
	add("HAS", "Topic", state, aDefinite, `have`, `own`)
	add("HAS", "Topic", change, aDefinite, `buy`, `adopt`, `purchase`, `inherit`, `get`)
	add("HAS", "Topic", end, anything, `sell`, `get rid of`, `give away`, `cancel (?:the|an?|\S+'s) (?:[\w-]+ )?(?:subscription|membership|account) (?:to|at|with)`)
	add("HAS", "Topic", end, aContract, `cancel`, `end`, `terminate`)
	add("HAS", "Topic", end, aService, `cancel`)
	add("USES", "Topic", end, aName, `switch (?:over )?from`, `migrate (?:away )?from`)
	add("USES", "Topic", change, aService, `switch (?:over )?to`, `migrate (?:over )?to`)
	add("DOES", "Topic", end, aDoing, `switch (?:over )?from`)
	add("DOES", "Topic", change, aGerund, `switch (?:over )?to`)
	add("WEIGHS", valueLabel, state, aWeight, `weigh`, `be (?:now |back |already |still |only )*(?:down to|up to|at)`, `be`)
	add("EARNS", valueLabel, state, aSum, `earn`, `make`)
	add("RESPONSIBLE_FOR", "Topic", state, aTask, `be (?:now |also |still )*(?:responsible for|in charge of)`)
	add("RESPONSIBLE_FOR", "Topic", change, aCharge, `take over`)
	add("RESPONSIBLE_FOR", "Topic", end, aCharge, `hand over`, `hand off`, `hand`)
	add("DOES", "Topic", change, aDoing, `take up`)
	add("DOES", "Topic", change, aGerund, `start`)
	add("IS", "Topic", state, aCondition, `be (?:now )?(?:an?|the)`, `be`)
	return table
}()

// groupWords are groups that one joins without being employed.
var groupWords = set(`group club team choir band orchestra gym class community society league network church crew squad chorus
	meetup course program workshop association organization`)

// schools are words in the names of schools.
var schools = set(`school primary elementary academy college university kindergarten nursery preschool`)

// gatherings are events, which are no employers.
var gatherings = set(`festival conference wedding concert party fair retreat workshop camp congress summit exhibition show game match tournament
	marathon convention expo ceremony funeral reunion gala rally carnival parade`)

// counted are allergens that take the plural: a peanut allergy is an allergy to peanuts.
var counted = set(`peanut nut hazelnut almond walnut cashew pistachio egg tomato apple cat dog horse bee wasp`)

// beings are people and places that one cares for, which is no task.
var beings = set(`kids kid children child baby babies parents people himself herself house place room world`)

// ownCounts are things that one has in numbers: "has three cats".
var ownCounts = set(`children kids sons daughters siblings brothers sisters grandchildren grandsons granddaughters cousins nieces nephews
	cats dogs pets horses kittens puppies chickens employees members followers subscribers`)

// contracts are things that end when they are cancelled.
var contracts = set(`subscription membership account lease contract plan policy insurance`)

// denying are words before an object that deny or doubt the relation to it.
var denying = set(`no not never hardly scarcely barely rarely seldom zero`)

// relate finds the relation that a verb and the words after it state.
func (v verbPhrase) relate(names []name) (relation, phrase, string, bool) {
	if v.wish != "" {
		return relation{}, phrase{}, "", false
	}
	for _, r := range relations[v.verb] {
		rest := v.rest
		if r.after != nil {
			at := r.after().FindStringIndex(rest)
			if at == nil || slices.ContainsFunc(strings.Fields(rest[:at[1]]), func(w string) bool { return denying[strings.ToLower(w)] }) {
				continue // "has no problems with Docker"
			}
			rest = rest[at[1]:]
		}
		if p, after, ok := r.otherEnd(rest, names); ok {
			return r, p, after, true
		}
	}
	return relation{}, phrase{}, "", false
}

// otherEnd reads the object of a relation. ok reports whether the relation takes it.
func (r relation) otherEnd(rest string, names []name) (phrase, string, bool) {
	if r.takes == aCount {
		v, after, ok := valueAhead(rest)
		return v.phrase(), after, ok && ownCounts[v.unit]
	}
	if v, after, ok := valueAhead(rest); ok && r.takes == aWeight {
		return v.weighed().phrase(), after, unitOf(v.weighed().text) == "weight"
	}
	p, after := nounPhrase(rest, names)
	if at := calledName().FindString(after); at != "" && r.takes == aName && !p.named { // "at a clinic called Avonside"
		if called, more := nameAhead(after[len(at):], names); called.named {
			called.label = r.label
			p, after = called, more
		}
	}
	if r.takes == anAllergy {
		to, is := strings.CutSuffix(p.text, " allergy")
		if last := lastWord(to); counted[last] {
			to += "s"
		}
		p.text = to
		return p, after, is
	}
	if (r.takes == aDoing || r.takes == aGerund) && !p.named {
		if doing, more, ok := gerundPhrase(rest); ok {
			return doing, more, true
		} else if first, _, _ := strings.Cut(p.text, " "); isGerund(strings.ToLower(first)) || p.pointing == "" && unfinished(first, after) {
			return p, after, false // "loves sharing what she knows"
		} else if r.takes == aGerund {
			return p, after, false
		}
	}
	if p.text == "" && r.predicate == "WORKS_AS" {
		return titleOf(rest)
	}
	if p.text == "" {
		return p, after, false
	}
	if p.pointing != "" && !p.named && !r.mayPoint(p) {
		return p, after, false
	}
	return p, after, r.fits(p) || r.takes == aCharge && isCharge(p) && handedTo().MatchString(after)
}

// fits reports whether a relation takes a phrase as its object.
func (r relation) fits(p phrase) bool {
	words := strings.Fields(strings.ToLower(p.text))
	last := words[len(words)-1]
	switch r.takes {
	case aName:
		return p.named && !(r.predicate == "WORKS_AT" && (r.manner == end && p.label == "Place" || groupWords[last]))
	case aSchool:
		return p.named && slices.ContainsFunc(words, func(w string) bool { return schools[w] })
	case aPartner:
		return p.named && isFirstName(p.text) && !strings.Contains(p.text, " ")
	case anEmployer:
		return p.named && p.label != "Person" && p.label != "Place" && p.label != "Title" && !gatherings[last]
	case aService:
		return p.named && p.label != "Person" && p.label != "Place" && !gatherings[last]
	case aGroup:
		return groupWords[last] && (p.named || p.definite) && !strings.HasSuffix(last, "course") && last != "class" && last != "meetup" && last != "workshop"
	case aTask:
		return !isGerund(words[0])
	case aCharge:
		return !p.named && p.definite && isCharge(p)
	case aProfession:
		head, _, _ := strings.Cut(strings.ToLower(p.text), " of ")
		if p.named && r.after == nil && !strings.Contains(p.text, " of ") {
			return false // "is Baker" tells a name
		}
		return professions[last] && !p.named || professions[lastWord(head)] || strings.HasSuffix(head, " general")
	case aCondition:
		return !p.named && conditions[last] && len(words) < 3
	case aContract:
		return !p.named && contracts[last]
	case aDefinite:
		return p.named || p.definite
	case aSum:
		return unitOf(p.text) == "money"
	case aWeight:
		return unitOf(p.text) == "weight"
	}
	return true
}

// mayPoint reports whether a relation may have an object that the sentence only points at. One may
// have made "this bowl", but to like "this genre" says nothing without its name.
func (r relation) mayPoint(p phrase) bool {
	switch r.predicate {
	case "LIKES", "DISLIKES", "PREFERS":
		return p.pointing == "the" && wellKnown[headWord(strings.ToLower(p.text))]
	case "HAS":
		return p.pointing != "their" && p.pointing != "its" && (p.pointing != "the" || r.manner != state)
	case "HAS_PROBLEM_WITH", "MEMBER_OF", "WORKS_AS", "IS", "RESPONSIBLE_FOR":
		return p.pointing != "their" && p.pointing != "its"
	}
	return true
}

// wellKnown are things that take "the" without being mentioned before: "likes the beach".
var wellKnown = set(`beach ocean sea outdoors mountains forest woods countryside city guitar piano violin cello drums flute theater
	theatre cinema movies arts snow rain sun water cold heat holidays internet saxophone trumpet gym zoo opera ballet
	desert lake river`)

// gerundPhrase reads an activity: "hiking", "painting landscapes".
func gerundPhrase(text string) (phrase, string, bool) {
	text = strings.TrimPrefix(strings.TrimLeft(text, " "), "to ")
	first, _, _ := strings.Cut(text, " ")
	first = strings.ToLower(strings.TrimRight(first, ".,!"))
	if !isGerund(first) || muteVerbs[lemma(first)] || lemma(first) == "go" {
		return phrase{}, text, false
	}
	p, rest := thingAhead(text)
	if m := titleAhead().FindStringSubmatch(strings.TrimLeft(rest, " ")); m != nil && p.text == first {
		return phrase{text: strings.TrimRight(m[1], ",. "), label: "Title", named: true}, strings.TrimLeft(rest, " ")[len(m[0]):], true
	}
	if p.text == "" || strings.Contains(p.text, " ") {
		return p, rest, p.text != "" && !vagueDoing[lemma(first)]
	}
	next := strings.ToLower(wordAhead().FindString(strings.TrimLeft(rest, " ")))
	if particles[next] {
		return phrase{}, text, false
	}
	object := strings.TrimLeft(rest, " ")
	if bare := withoutDeterminer(object); bare != object {
		if thing, more := thingAhead(bare); thing.text != "" {
			if text := p.text + " " + thing.text; vagueDoing[lemma(first)] {
				return phrase{}, rest, false
			} else if pointing(object) == "" || pointing(object) == "the" {
				return phrase{text: text}, more, true
			}
		}
	}
	return p, rest, pastimes[lemma(first)]
}

// unfinished reports whether the activity of an unknown word in -ing continues after it: "sinking
// into other worlds".
func unfinished(word, after string) bool {
	next := strings.ToLower(wordAhead().FindString(strings.TrimLeft(after, " ")))
	return strings.HasSuffix(word, "ing") && len(word) > 5 && strings.HasPrefix(after, " ") && next != "and" && next != "or" && next != "in" &&
		next != "with" && next != "at" && next != "on" && !adverbs[next]
}

// pastimes are activities that need no object.
var pastimes = set(`bake bike board camp celebrate climb clean commute cook craft cycle dance draw drive exercise fish garden hike jog
	knit paint participate photograph play practice practise race read relax ride run sail sew shop sing skate sketch ski snorkel
	sleep surf swim teach travel tutor volunteer walk weave work wrestle write meditate code program vacation debate tour dive skateboard
	bowl stream study`)

// vagueDoing are activities that say little about what somebody likes.
var vagueDoing = set(`get be have make take go keep see give come put let feel know find do`)

var particles = set(`up out back away off over down`)

// predicateOf joins a noun to a verb: FAVORITE_COLOR.
func predicateOf(verb, noun string) string {
	noun = strings.ToUpper(strings.Join(strings.Fields(noun), "_"))
	return verb + "_" + strings.ReplaceAll(noun, "COLOUR", "COLOR")
}
