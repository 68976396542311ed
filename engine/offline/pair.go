package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// Things that two people do with each other: "We met in college", "We've been married since 2010".
var (
	weTogether = pattern.New(`^[Ww]e(?:'ve|'re)?(?: (?:have|are|were|had|both|just|finally|recently|only|actually|first|originally|all|also|now|been))* (?:met(?: (?:in|at|on|through|when|while|back|during|there|online|last|for|each)\b|[.!]*$)|know each other|known each other|became friends|friends\b|(?:got |gotten )?(?:married|engaged|divorced)\b|dating\b|broke up\b|split up\b|separated\b|moved in together\b|together (?:since|for)\b|(?:no longer|not) (?:together|dating|married|engaged|friends|a couple)\b)`)
	weAhead    = pattern.New(`^[Ww]e(?:'(ve|re))?`)
	coupled    = pattern.New(`\b(?:married|engaged|divorced|dating|broke|split|separated|moved in|together|couple)\b`)
)

// mayBeTogether is a quick check for texts that may speak of two people.
func mayBeTogether(text string) bool { return holdsAny(text, "We ", "we ", "We'", "we'") }

// together replaces "we" if two people do something with each other: by the speaker and the person
// mentioned before. If they only met or know each other, the second may be the listener: nobody
// tells a spouse that they are married.
func (c *scene) together(clause string) string {
	if !weTogether().MatchString(clause) {
		return clause
	}
	other := c.third
	if c.many {
		return clause
	}
	if other == "" && !coupled().MatchString(clause) {
		other = c.u.listener
	}
	if other == "" || c.u.speaker == "" {
		return clause
	}
	m := weAhead().FindStringSubmatch(clause)
	auxiliary := map[string]string{"ve": " have", "re": " are"}[m[1]]
	return other + " and I" + auxiliary + clause[len(m[0]):]
}

// spokenOf returns the person whom "we" and "she" mean in a message. The last earlier message that
// mentions a person decides.
func spokenOf(e prompts.Episode, u utterance) string {
	for i, m := range slices.Backward(e.Previous) {
		if len(e.Previous)-i > 2 {
			break
		}
		before := utterance{speaker: m.Speaker, text: readable(m.Content), at: m.OccurredAt}
		if fold(m.Speaker) == fold(u.speaker) {
			before.listener = u.listener
		} else {
			before.listener = u.speaker
		}
		who := ""
		for _, n := range findNames(before) {
			if n.label != "Person" && (n.label != "" || !acquainted().MatchString(before.text[:strings.Index(before.text+n.text, n.text)])) || fold(n.text) == fold(u.speaker) || fold(n.text) == fold(u.listener) || u.isListener(n.text) {
				continue
			}
			if who != "" {
				return ""
			}
			who = n.text
		}
		if who != "" {
			if holdsAny(before.text, who+" and ", " and "+who) {
				return ""
			}
			if said := relativeCalled().FindStringSubmatch(before.text); said != nil && said[2] == who && (he().MatchString(u.text) && women[said[1]] || she().MatchString(u.text) && men[said[1]]) {
				return ""
			}
			return who
		}
	}
	return ""
}

var (
	relativeCalled = pattern.New(`\b(\p{Ll}+),? (?:called |named )?(\p{Lu}[\pL'-]+)`)
	he             = pattern.New(`^[Hh]e\b`)
	she            = pattern.New(`^[Ss]he\b`)
)

var isCouple = pattern.New(`^ (?:(?:just|finally|recently|both|now|first) )*(got |are |have been |were |have gotten |have )?(no longer |not )?(?:now |only |both )*(married|engaged|divorced|dating|broke up|split up|separated|met|know each other|known each other|became friends|friends|together|a couple)\b`)

// acquainted matches verbs before somebody's name: "How do you know Priya?".
var acquainted = pattern.New(`(?i)\b(?:know|met|meet|knows|with|dating|friends with|married to) $`)

// couples maps words for what two people do with each other to predicates. Other such words say
// that they are no longer a couple.
var couples = map[string]string{
	"married": "MARRIED_TO", "engaged": "ENGAGED_TO", "dating": "DATES", "together": "DATES", "a couple": "DATES", "met": "MEETS",
	"know each other": "KNOWS", "known each other": "KNOWS", "became friends": "HAS_FRIEND", "friends": "HAS_FRIEND",
	"divorced": noLonger + "MARRIED_TO", "separated": noLonger + "MARRIED_TO",
}

// couple reads what two people do with each other: "Tom and Alice got married".
func (c *scene) couple(subjects []subject, rest string, d dated) []claim {
	m := isCouple().FindStringSubmatch(rest)
	if m == nil || len(subjects) != 2 {
		return nil
	}
	cl := claim{
		subject: subjects[0].text, subjectLabel: "Person", object: subjects[1].text, objectLabel: "Person", rule: "a couple",
	}
	how := strings.TrimSpace(m[1])
	if m[3] == "together" && how != "are" && how != "have been" && how != "have" {
		return nil
	}
	cl.predicate = cmp.Or(couples[m[3]], noLonger+"DATES")
	if m[2] != "" {
		if m[2] == "not " && !anymore().MatchString(rest) || strings.HasPrefix(cl.predicate, noLonger) {
			return nil // they may never have been
		}
		cl.predicate = noLonger + cl.predicate
	}
	cl.ends = strings.HasPrefix(cl.predicate, noLonger)
	if cl.predicate == "MEETS" {
		cl.timing = d.once(verbPhrase{past: true})
	}
	lasts := how == "are" || strings.HasPrefix(how, "have") || m[3] == "know each other"
	v := verbPhrase{past: !lasts, perfect: strings.HasPrefix(how, "have")}
	if cl.ends {
		cl.timing = d.once(v)
	} else if cl.kind == "" {
		cl.timing = d.present(v)
	}
	// The speaker comes first, as in other facts.
	if fold(cl.object) == fold(c.u.speaker) {
		cl.subject, cl.object = cl.object, cl.subject
	}
	return []claim{cl}
}
