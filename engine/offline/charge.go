package offline

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

var handedTo = pattern.New(`^(?: (?:over|off|on))?,? (?:(from)|to) `)

// isCharge reports whether a phrase names something that one may be responsible for: "support",
// "Atlas". It applies if the sentence says from whom it is taken over.
func isCharge(p phrase) bool {
	last := lastWord(strings.ToLower(p.text))
	return p.label != "Person" && p.label != "Place" && !beings[last] && kin[last] == ""
}

// handedOver reads from whom somebody takes something over, or to whom it is handed. One person
// begins to be responsible for it, and the other no longer is.
func (st *statement) handedOver(r relation, p phrase, after string) bool {
	v := st.verb
	if v.verb == "hand" && !strings.HasPrefix(v.rest, "o") && !strings.HasPrefix(after, " o") {
		return true // "handed Tom the keys"
	}
	if v.verb != "hand" && v.verb != "take" || v.negated || v.wish != "" {
		return false
	}
	st.related(r, p)
	m := handedTo().FindStringSubmatch(after)
	if len(st.claims) == 0 || m == nil || (v.verb == "take") != (m[1] != "") {
		return len(st.claims) > 0
	}
	other, _ := nameAhead(after[len(m[0]):], st.scene.names)
	if !other.named || other.label == "Place" {
		return true
	}
	st.sameOf(other, r.predicate, v.verb == "take")
	return true
}

var inPlaceOf = pattern.New(`^(?:for |from )?(.+?) as (?:an? |the |\S+'s )?(.+)$`)

// replacement reads who takes over somebody's post: "Lena replaced Mark as treasurer".
func (st *statement) replacement() bool {
	v := st.verb
	m := inPlaceOf().FindStringSubmatch(v.rest)
	if v.verb != "replace" || m == nil || v.negated || v.wish != "" || v.future {
		return false
	}
	other, rest := nameAhead(m[1], st.scene.names)
	post, _, ok := relation{predicate: "WORKS_AS", takes: aProfession}.otherEnd(m[2], st.scene.names)
	if !other.named || rest != "" || !ok {
		return false
	}
	st.claim(post, "WORKS_AS", "Occupation", "a replacement", st.dates.present(v), false)
	st.sameOf(other, "WORKS_AS", true)
	return true
}

// sameOf repeats the last claim for another person, or says that it no longer holds for them.
func (st *statement) sameOf(who phrase, predicate string, ends bool) {
	cl := st.claims[len(st.claims)-1]
	cl.subject, cl.subjectLabel, cl.predicate, cl.ends, cl.timing = who.text, "Person", predicate, ends, st.dates.present(st.verb)
	if ends {
		cl.predicate, cl.timing = noLonger+predicate, st.dates.once(st.verb)
	}
	st.claims = append(st.claims, cl)
}

// employed reports whether being "with Sundby" or "at Brask" means work: it goes on since a date,
// or went on for more than a month.
func (st *statement) employed() bool {
	v, d := st.verb, st.dates
	if v.past {
		when, ok := d.former()
		return ok && d.isBounded() && (when.valid.Start.IsZero() || when.valid.End.Sub(when.valid.Start) > 31*24*time.Hour)
	}
	e, ok := d.date(v)
	return ok && sinceThen().MatchString(e.Text) || v.perfect && lasting().MatchString(d.whole)
}

func isFirstName(text string) bool {
	first, _, _ := strings.Cut(strings.TrimRight(text, " .,!"), " ")
	return matching.FirstName(fold(strings.TrimRight(first, ",.")))
}

// isBounded reports whether a date expression of the sentence says when something ended.
func (d dated) isBounded() bool {
	return slices.ContainsFunc(d.expressions, func(e dates.Expression) bool { return bounded().MatchString(e.Text) })
}

var stayedAt = pattern.New(`^(?:back )?(?:on (?:an? )?(?:[\p{Ll}-]+ )?(?:holidays?|vacation|trip|tour) )?(at|in) `)

// stay reads where somebody is for a stated time: "was at the festival from 3 to 6 August", "is on
// holiday in Crete until Friday". A stay is no home and no job.
func (st *statement) stay() bool {
	v, d := st.verb, st.dates
	m := stayedAt().FindStringSubmatch(v.rest)
	e, isDated := d.date(v)
	if v.verb != "be" || v.negated || v.over || m == nil || !isDated || vagueCount().MatchString(e.Text) {
		return false
	}
	when := timing{prompts.Event, e.StatedAs()}
	switch {
	case v.past, bounded().MatchString(e.Text):
	case v.perfect && sinceThen().MatchString(e.Text): // "has been in Delft since May"
		when = d.present(v)
	default:
		return false
	}
	p, after := nounPhrase(v.rest[len(m[0]):], st.scene.names)
	if p.named && p.label == "" && strings.HasPrefix(v.rest, "on ") {
		p.label = "Place"
	}
	gathering := gatherings[strings.ToLower(lastWord(p.text))]
	predicate := "IS_" + strings.ToUpper(m[1])
	switch {
	case p.text == "" || p.label == "Person" || strings.HasPrefix(after, "'s") || p.pointing != "" && p.pointing != "the":
		return false
	case gathering && m[1] == "at":
		predicate = "ATTENDS"
	case m[1] == "in" && p.label != "Place", m[1] == "at" && !p.named && !institutions[lastWord(p.text)], m[1] == "at" && p.named && st.employed():
		return false
	}
	st.claim(p, predicate, "Topic", "a stay", when, false)
	return true
}

// title matches titles whose words are no things by themselves: "team lead", "head of sales".
var title = pattern.New(`^((?:[\p{Ll}-]+ ){0,2}(?:head|lead|chief|chair|vice president|president|co-head|deputy head))(?: (of) (?:the )?| (?:at|for|there|in|since|and|now)\b| ?[,.!]|$)`)

// titleOf reads a title that title matches.
func titleOf(text string) (phrase, string, bool) {
	text = withoutDeterminer(text)
	m := title().FindStringSubmatchIndex(text)
	if m == nil || isCommon(text[m[2]:m[3]]) || notThings[firstWord(text)] && strings.Contains(text[m[2]:m[3]], " ") {
		return phrase{}, text, false
	}
	p := phrase{text: text[m[2]:m[3]], definite: true}
	if m[4] < 0 {
		return p, text[m[3]:], !phraseStops[firstWord(p.text)]
	}
	of, rest := thingAhead(text[m[1]:])
	if of.text == "" {
		return phrase{}, text, false
	}
	p.text += " of " + of.text
	return p, rest, true
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return strings.ToLower(first)
}

// institutions are places where people stay for a while.
var institutions = set(`hospital clinic hotel hostel beach spa airport station museum zoo theatre theater cinema stadium library lake farm cabin
	cottage embassy seaside`)
