package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	relatives  = pattern.New(`'s (?:[a-z]+ ){0,2}?([a-zé]+)(?:,| called| named)? (\p{Lu}\p{L}+)\b`)
	isRelative = pattern.New(`^,? (?:is|was) (.+?)'s (?:[a-z]+ ){0,2}?([a-zé]+)(?: now| again| these days)?[.!, ]*$`)
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
func (c *scene) relativeIs(d dated) ([]claim, bool) {
	text := d.text[len(beforeSubject().FindString(d.text)):]
	who, _ := c.nameOf(text)
	if who == "" {
		return nil, false
	}
	m := isRelative().FindStringSubmatch(text[len(who):])
	if m == nil || kin[m[2]] == "" || !c.isKnown(m[1]) {
		return nil, false
	}
	return c.date([]claim{c.kinClaim(m[1], m[2], who)}, d), true
}
