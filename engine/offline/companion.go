package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	companion = pattern.New(`(?:^|[\s,])(with|in|at|from|for|to|by|as|near) `)
	otherIdea = pattern.New(`[;:(]|[\s,](?:because|that|when|which|who|so|but|while|where|if|than|like|not|and \p{Ll}+ed|to \p{Ll}+ [a-z])\b`)
)

const maxCompanions = 3

// companions adds claims of the same verb for the names after the first object: with whom, where,
// for whom.
func (st *statement) companions(object phrase, after string) {
	after = beforeNextVerb(after)
	if next := strings.Index(after, " "+st.subject.text+" "); next >= 0 {
		after = after[:next]
	}
	matches := companion().FindAllStringSubmatchIndex(after, maxCompanions)
	for i, m := range matches {
		preposition := after[m[2]:m[3]]
		rest := after[m[3]+1:]
		p, more := nounPhrase(rest, st.scene.names)
		if preposition == "in" && st.verb.verb == "go" {
			preposition = "to"
		}
		if p.named && modifies(more) || preposition == "in" && mental[st.verb.verb] {
			continue
		}
		if p.text == object.text || !p.named && preposition != "as" && !(preposition == "to" && p.definite && carrying[st.verb.verb]) {
			continue
		}
		if preposition == "by" {
			st.madeBy(object, p)
			continue
		}
		for _, each := range append([]phrase{p}, st.scene.coordinated(&more)...) {
			st.companion(object, preposition, after[m[2]:], each, i == 0 && m[0] == 0)
		}
	}
}

// mental are verbs whose "in" belongs to the object before it: "tried a story about years in Rome".
var mental = set(`try write read see watch hear learn find discover make use share tell study enjoy`)

// modifies reports whether a name only modifies the following noun: "for LGBTQ youth".
func modifies(rest string) bool {
	next := wordAhead().FindString(strings.TrimPrefix(rest, " "))
	lower := strings.ToLower(next)
	return strings.HasPrefix(rest, " ") && next != "" && next == lower && !phraseStops[lower] && !prepositions[lower] && !adverbs[lower] && !isPast(lower)
}

// beforeNextVerb cuts off the part of a text that belongs to another verb.
func beforeNextVerb(text string) string {
	if cut := otherIdea().FindStringIndex(text); cut != nil {
		text = text[:cut[0]]
	}
	for at := 0; ; {
		i := strings.Index(text[at:], " and ")
		if i < 0 {
			return text
		}
		if followedByVerb(text[at+i+len(" and"):]) {
			return text[:at+i]
		}
		at += i + len(" and ")
	}
}

// madeBy adds the maker of a titled work.
func (st *statement) madeBy(work, maker phrase) {
	if work.label != "Title" {
		return
	}
	st.claims = append(st.claims, claim{
		subject: work.text, subjectLabel: work.label, object: maker.text, objectLabel: "Person", predicate: "CREATED_BY", rule: "a title by somebody",
		timing: st.dates.over(),
	})
}

// companion adds a claim of the verb with a preposition and a name.
func (st *statement) companion(object phrase, preposition, text string, p phrase, next bool) {
	v := st.verb
	v.rest = text
	other := *st
	other.verb = v
	moved := v.verb == "move" && !movesHouse(object, st.verb.rest)
	if moved && st.runsOn(object, preposition, p) {
		return
	}
	if r, found, _, ok := v.relate(st.scene.names); ok && !moved && found.text == p.text && r.takes != anEmployer && r.takes != aPartner { // "be at" does not apply to "an engineer at"
		other.related(r, p)
		st.claims = other.claims
		return
	}
	if !p.named && preposition != "to" {
		return
	}
	if n := len(st.claims); n > 0 && st.claims[n-1].predicate == "WORKS_AS" && (preposition == "at" || preposition == "for") {
		predicate := "WORKS_AT"
		if strings.HasSuffix(object.text, "student") {
			predicate = "STUDIES_AT"
		}
		c := st.claims[n-1]
		st.claim(p, predicate, "Organization", c.rule, c.timing, c.ends)
		return
	}
	particle := ""
	if next && nounVerbs[v.verb] && occasions[object.text] {
		particle = object.text
	}
	if (muteVerbs[v.verb] || v.verb == "get") && particle == "" || v.over || v.negated {
		return
	}
	if predicate, s, ok := st.plain(particle, preposition); ok && predicate != "USES_FOR" { // the sentence about what is used says what for
		st.claim(p, predicate, "Topic", "the verb "+v.verb, s, false)
	}
}

// movesHouse reports whether a verb of moving means the home of its subject: "moved to Oslo", "moved
// house to Oslo", and not "moved the blog to Ghost".
func movesHouse(object phrase, rest string) bool {
	thing := strings.HasPrefix(withoutDeterminer(rest), object.text)
	return !thing || homes[headWord(object.text)]
}

// homes are things that people move with, or leave, when they move.
var homes = set(`house houses home homes flat flats apartment apartments family stuff things belongings everything`)

// runsOn reads where something runs from then on, and no longer: "moved CI from Buildkite to GitHub
// Actions". People move from Sales to Marketing, too.
func (st *statement) runsOn(thing phrase, preposition string, p phrase) bool {
	v := st.verb
	if !thing.named || thing.label != "" || isFirstName(thing.text) || !p.named || !services().MatchString(st.dates.whole) || !v.past && !v.perfect || v.negated || v.wish != "" {
		return false
	}
	c := claim{subject: thing.text, object: p.text, predicate: "RUNS_ON", rule: "a move", timing: st.dates.present(verbPhrase{past: true})}
	switch preposition {
	case "to":
		used := c
		used.subject, used.subjectLabel, used.predicate = st.subject.text, st.subject.label, "USES"
		st.claims = append(slices.DeleteFunc(st.claims, func(m claim) bool { return m.predicate == "MOVES" && m.object == thing.text }), used)
	case "from":
		c.predicate, c.timing, c.ends = noLonger+c.predicate, st.dates.once(v), true
	default:
		return false
	}
	st.claims = append(st.claims, c)
	return true
}

// services are places where software runs.
var services = pattern.New(`(?i) (?:from|to) (?:AWS|Azure|GCP|Google Cloud|Amazon|Heroku|Netlify|Vercel|Fly|Render|Railway|Cloudflare|DigitalOcean|Hetzner|Linode|OVH|Supabase|Neon|Kubernetes|Docker|GitHub|GitLab|Bitbucket|Buildkite|CircleCI|Travis|Jenkins|TeamCity|Jira|Linear|Trello|Asana|Notion|Confluence|Slack)\b`)

// occasions are things that one has or takes with somebody or somewhere.
var occasions = set(`appointment meeting date lunch dinner breakfast coffee call interview class lesson course flight vacation
	holiday tour trip reservation session chat visit party exam test picnic`)

// carrying are verbs of taking somebody somewhere.
var carrying = set(`take bring drive invite`)

// nounVerbs are verbs that mean little without their object: HAS_APPOINTMENT_WITH.
var nounVerbs = set(`have take make plan book`)

var listed = pattern.New(`^(?:,? and|,? &|,) `)

// coordinated reads the further items of a list: "pizza, sushi and Thai food".
func (c *scene) coordinated(after *string) []phrase {
	var out []phrase
	for len(out) < 4 {
		sep := listed().FindString(*after)
		if sep == "" {
			break
		}
		p, rest := nounPhrase((*after)[len(sep):], c.names)
		if p.text == "" || p.pointing != "" && p.pointing != "the" || !p.definite && !p.named && (startsVerb(p.text) || isCommon(p.text) && !demonyms[strings.ToLower(p.text)]) || followedByVerb(rest) && !calledName().MatchString(rest) {
			break
		}
		out = append(out, p)
		*after = rest
	}
	return out
}

// startsVerb reports whether the first word of a phrase is a verb.
func startsVerb(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return lemma(first) != "" && !isGerund(first) || modals[first] || first == "then" || strings.HasSuffix(first, "ed")
}

func followedByVerb(rest string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	next = strings.ToLower(strings.TrimRight(next, ".,!"))
	return lemma(next) != "" || modals[next] || strings.HasPrefix(rest, "'s ")
}
