package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	favoriteIs = pattern.New(`^(.+?)'s (?i:(?:new |current |all-time |absolute |other |own )*favou?rite) ([a-z]+(?: [a-z]+)?) (is not|is no longer|is|are|was|used to be|has always been) (?:now |still |definitely |actually |also |always |the |called )*(.+)$`)
	isFavorite = pattern.New(`^(.+?) (is|are|has become|became) (?:now |still |definitely |also )*(.+?)'s (?i:(?:new |current |all-time |absolute )*favou?rite) ([a-z]+)\b`)
)

// favorites reads what somebody likes best of a kind. It is ok where the
// sentence is about a favourite, whether or not there is a claim in it.
func (c *scene) favorites(d dated) (claims []claim, ok bool) {
	text := d.whole
	if !strings.Contains(text, "avorite") && !strings.Contains(text, "avourite") {
		return nil, false
	}
	if m := favoriteIs().FindStringSubmatch(text); m != nil && c.isKnown(m[1]) {
		p, after := nounPhrase(m[4], c.names)
		verb := m[3]
		if verb == "is not" {
			if !anymore().MatchString(after) {
				return nil, true
			}
			verb, after = "is no longer", ""
		}
		claims := c.favorite(m[1], m[2], verb, p)
		for _, more := range c.coordinated(&after) {
			if m[3] == "are" {
				claims = append(claims, c.favorite(m[1], m[2], m[3], more)...)
			}
		}
		return claims, true
	}
	if m := isFavorite().FindStringSubmatch(text); m != nil && c.isKnown(m[3]) {
		// A sentence begins with a capital letter, whatever it begins with.
		p, after := nounPhrase(m[1], c.names)
		if !p.named {
			p.text = lowerFirst(p.text)
		}
		if strings.Trim(after, " ,") == "" {
			verb := "is"
			if m[2] == "are" && strings.HasSuffix(m[4], "s") {
				verb = "are" // several: "lions are my favorite animals"
			}
			return c.favorite(m[3], m[4], verb, p), true
		}
	}
	return nil, false
}

var anymore = pattern.New(`\b(?:any ?more|any longer)\b`)

func (c *scene) favorite(who, kind, verb string, p phrase) []claim {
	if p.text == "" || notThings[kind] {
		return nil
	}
	cl := claim{
		subject: who, object: p.text, objectLabel: p.label, predicate: predicateOf("FAVORITE", kind), rule: "a favourite", timing: c.said(),
	}
	if p.label == "" && !p.named {
		cl.objectLabel = "Topic"
	}
	switch verb {
	case "are":
		cl.predicate = "LIKES"
	case "was", "used to be", "is no longer":
		cl.predicate, cl.ends, cl.timing = noLonger+cl.predicate, true, dated{ref: c.u.at}.over()
	}
	return []claim{cl}
}

var (
	isHome = pattern.New(`^(.+?) (?:is|has been|became) (?:now |still |also |again )*(.+?)'s (?:new )?home\b`)
	homeIs = pattern.New(`^(.+?)'s (?:new )?home is (?:now |still )*(?:in )?(\p{Lu}.*)$`)
)

// home reads "Porto is still Alice's home".
func (c *scene) home(d dated) ([]claim, bool) {
	if !strings.Contains(d.text, " home") && !strings.Contains(d.text, "'s home") {
		return nil, false
	}
	who, where := "", ""
	if m := isHome().FindStringSubmatch(d.text); m != nil {
		who, where = m[2], m[1]
	} else if m := homeIs().FindStringSubmatch(d.text); m != nil {
		who, where = m[1], m[2]
	}
	p, rest := nameAhead(where, c.names)
	if !c.isKnown(who) || !p.named || strings.Trim(rest, " ,.") != "" {
		return nil, false
	}
	return c.date([]claim{{
		subject: who, object: p.text, objectLabel: "Place", predicate: "LIVES_IN", rule: "a home",
	}}, d), true
}

func lowerFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}

// isKnown reports whether a text is the speaker, the listener or a name.
func (c *scene) isKnown(who string) bool {
	found, _ := c.nameOf(who + " ")
	return found == who
}
