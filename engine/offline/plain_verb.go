package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

var verbTail = pattern.New(`^(?:(up|out|back|away|off|around|over|down|together) )?(?:(to|in|at|with|on|for|about|of|into|from|by|as|near) )?(.+)$`)

// byVerb reads a plain sentence: a verb and its object.
func (st *statement) byVerb() {
	v := st.verb
	m := verbTail().FindStringSubmatch(v.rest)
	if m == nil || muteVerbs[v.verb] && !(v.verb == "do" && m[1]+m[2] == "") || likings[v.verb] {
		return
	}
	p, after := nounPhrase(m[3], st.scene.names)
	if p.text == "" && m[1]+m[2] == "" {
		return // the object is "it"
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
	if v.verb != "do" && !v.over && !v.negated && !st.dates.conditional && !calledOff().MatchString(st.dates.whole+" ") {
		st.companions(p, after)
	}
}

// likings are verbs with a relation of their own.
var likings = set(`like love enjoy adore hate dislike detest loathe despise abhor prefer`)

// withoutDoing removes an activity from the end of a thing.
func withoutDoing(thing string) (string, bool) {
	at := strings.LastIndexByte(thing, ' ')
	if at < 0 || !strings.HasSuffix(thing, "ing") {
		return thing, false
	}
	return thing[:at], true
}

// plain makes the predicate and timing of a verb with its particle and preposition.
func (st *statement) plain(particle, preposition string) (predicate string, t timing, ok bool) {
	v := st.verb
	base := strings.ToUpper(v.verb)
	switch {
	case v.negated && (v.past || v.perfect || v.wish != ""), v.wish != "" && (telling[v.verb] || v.past && strings.Contains(st.dates.whole, " just ")):
		return "", t, false
	case st.dates.conditional:
		if t = st.dates.plan(v); !v.future && !v.progress && !t.ahead(st.dates.ref) {
			return "", t, false
		}
		predicate = "PLANS_TO_" + base
	case v.wish != "":
		predicate = v.wish + "_" + base
	case v.negated:
		predicate = doesNot + base
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
	if st.dates.conditional {
		return predicate, t, true
	}
	t = st.when()
	if v.future && !v.negated && !t.ahead(st.dates.ref) {
		return "", t, false
	}
	// Predicates of relations have their own rules, which did not match.
	return predicate, t, !oneValued[strings.TrimPrefix(predicate, noLonger)]
}

// when returns the timing of a plain verb: the present goes on, the past and the future happen
// once.
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
	case v.progress && !v.perfect && !v.past && isDated && e.Interval.End.After(d.ref) && e.Granularity >= calendar.Day:
		return timing{prompts.Event, dates.NotBefore(e.StatedAs(), d.ref)}
	case openEnded, v.begins && !v.future, v.perfect && v.progress, v.perfect && lasting().MatchString(d.whole):
		return d.present(v)
	case v.past || v.perfect || v.future || isDated && e.Interval.Start.After(d.ref):
		return d.once(v)
	}
	return d.present(verbPhrase{})
}

// thingPrepositions are prepositions after which a thing, and not only a name, makes a claim.
var thingPrepositions = set(`to in at on into for from`)

// sharesHead reports whether a word may only modify the noun after a following "and", as in "my
// soda and candy intake", or is followed by "there".
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

// creating are verbs whose object may be pointed at: "I made this bowl".
var creating = set(`make create paint draw build bake design write sew knit craft buy cook carve compose sketch take wear`)

// telling are verbs that are no wish worth keeping: "I want to show you".
var telling = set(`show tell ask thank hear see know share say help give let check talk`)

// togetherVerbs are things that two people do or are together, which say nothing about one of them.
var togetherVerbs = map[string]bool{
	"make team": true, "make point": true, "make pair": true, "make duo": true, "make wish": true,
	"make call": true, "make decision": true, "make choice": true, "make effort": true, "make mistake": true, "do work": true, "do job": true, "do stuff": true,
}

// worthSaying reports whether a plain verb makes a claim: about a name, or about a thing if the
// verb has enough meaning by itself.
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
