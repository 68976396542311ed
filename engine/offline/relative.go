package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	relatives  = pattern.New(`'s (?:[a-z]+ ){0,2}?([a-zé]+)(?:,| called| named)? (\p{Lu}\p{L}+)\b`)
	isRelative = pattern.New(`^,? (?:is|was) (.+?)'s (?:[a-z]+ ){0,2}?([a-zé]+)[.!, ]*$`)
	isCouple   = pattern.New(`^ (?:(?:just|finally|recently|both) )*(?:(got|are|have been|were|have gotten) )?(married|engaged|divorced|dating|broke up|split up|separated)\b`)
)

// kinship finds the relatives, friends and pets that a sentence names.
func (c *scene) kinship(sentence string) []claim {
	var claims []claim
	for _, m := range relatives().FindAllStringSubmatchIndex(sentence, 3) {
		noun, who := sentence[m[2]:m[3]], sentence[m[4]:m[5]]
		if kin[noun] == "" || isCommon(who) || strings.HasPrefix(sentence[m[1]:], "'") {
			continue
		}
		if owner := c.ownerBefore(sentence[:m[0]]); owner != "" {
			claims = append(claims, c.kinClaim(owner, noun, c.longestName(who)))
		}
	}
	return claims
}

func (c *scene) ownerBefore(text string) string {
	for _, owner := range [...]string{c.u.speaker, c.u.listener} {
		if owner != "" && strings.HasSuffix(text, owner) {
			return owner
		}
	}
	return ""
}

func (c *scene) kinClaim(owner, noun, who string) claim {
	return claim{
		subject: owner, subjectLabel: "Person", object: who, objectLabel: kinLabel(noun),
		predicate: kin[noun], rule: "somebody's " + noun, timing: c.said(),
	}
}

// longestName is the name found in the text that begins with a word.
func (c *scene) longestName(who string) string {
	for _, n := range c.names {
		if strings.HasPrefix(n.text, who+" ") {
			return n.text
		}
	}
	return who
}

// relativeIs reads "Bob is Alice's husband".
func (c *scene) relativeIs(text string) ([]claim, bool) {
	text = text[len(beforeSubject().FindString(text)):]
	who, _ := c.nameOf(text)
	if who == "" {
		return nil, false
	}
	m := isRelative().FindStringSubmatch(text[len(who):])
	if m == nil || kin[m[2]] == "" || !c.isKnown(m[1]) {
		return nil, false
	}
	return []claim{c.kinClaim(m[1], m[2], who)}, true
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
	switch m[2] {
	case "married":
		cl.predicate = "MARRIED_TO"
	case "engaged":
		cl.predicate = "ENGAGED_TO"
	case "dating":
		cl.predicate = "DATES"
	case "divorced", "separated":
		cl.predicate, cl.ends = noLonger+"MARRIED_TO", true
	default:
		cl.predicate, cl.ends = noLonger+"DATES", true
	}
	lasts := m[1] == "are" || m[1] == "have been"
	v := verbPhrase{past: !lasts, perfect: m[1] == "have been"}
	if cl.timing = d.present(v); cl.ends {
		cl.timing = d.once(v)
	}
	// The one who speaks comes first, as in other facts.
	if fold(cl.object) == fold(c.u.speaker) {
		cl.subject, cl.object = cl.object, cl.subject
	}
	return []claim{cl}
}
