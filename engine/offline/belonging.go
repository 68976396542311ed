package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

var (
	// "'s phone number is 555-0142"
	attribute = pattern.New(`^((?:[a-z-]+ ){0,2}?[a-z-]+) (?:is|are|(?:has |just )*changed (?:from \S+ )?to) (?:now |actually |still |on |currently |also )*(?:an? )?(.+)$`)

	// "'s dog is called Pixel", "'s husband's name is Bob"
	naming = pattern.New(`^(?:[a-z-]+ ){0,2}?([a-zé]+)(?:'s name)? (is|was|is not|is no longer|used to be) (?:called |named |now |still )*(\p{Lu}.*)$`)

	numberLike  = pattern.New(`^\+?[\d(][\d ()./-]{3,}\d`)
	ageLike     = pattern.New(`^\d{1,3}\b`)
	addressLike = pattern.New(`^[\p{L}\d][^!?;]{4,80}`)
)

// belonging reads a sentence about a possession or relative of somebody.
func (c *scene) belonging(who, rest string, d dated) []claim {
	if m := attribute().FindStringSubmatch(ownedPart(who, d.whole)); m != nil {
		if predicate := attributeOf(m[1]); predicate != "" {
			return c.attribute(who, predicate, m[2], d)
		}
	}
	m := naming().FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	p, after := nameAhead(m[3], c.names)
	ended := m[2] == "is no longer" || m[2] == "used to be" || m[2] == "is not" && anymore().MatchString(after)
	if !p.named || m[2] == "is not" && !ended {
		return nil
	}
	predicate, label := kin[m[1]], kinLabel(m[1])
	if predicate == "" {
		if label = p.label; !strings.Contains(rest, " called ") && !strings.Contains(rest, " named ") {
			return nil
		}
		predicate = predicateOf("HAS", m[1])
	}
	if ended {
		predicate = noLonger + predicate
	}
	return c.date([]claim{{
		subject: who, object: p.text, objectLabel: label, predicate: predicate, rule: "the name of what belongs to somebody",
		ends: ended,
	}}, d)
}

// ownedPart returns the part of a sentence after the owner.
func ownedPart(who, sentence string) string {
	_, after, _ := strings.Cut(sentence, who+"'s ")
	return strings.TrimRight(after, ".! ")
}

// attributeOf returns the predicate of an attribute, with or without an adjective.
func attributeOf(noun string) string {
	if p := attributes[noun]; p != "" {
		return p
	}
	for _, adjective := range [...]string{"new ", "current ", "real ", "full ", "first ", "cell ", "work ", "main "} {
		if after, ok := strings.CutPrefix(noun, adjective); ok {
			return attributes[after]
		}
	}
	return ""
}

// attribute reads the value of an attribute as written. A birthday is normalised, so that the same
// day is the same value.
func (c *scene) attribute(who, predicate, value string, d dated) []claim {
	p := phrase{label: "Value"}
	switch predicate {
	case "BIRTHDAY":
		p.text = birthday(d)
	case "AGE":
		p.text = ageLike().FindString(value)
	case "PHONE":
		p.text = numberLike().FindString(value)
	case "EMAIL":
		p.text = address().FindString(value)
		p.label = "Email"
	case "ADDRESS":
		p.text = addressLike().FindString(value)
		p.label = "Place"
	case "NAMED", "NICKNAME", "LAST_NAME":
		p, _ = nameAhead(value, c.names)
		p.label = "Person"
	default:
		p, _ = nounPhrase(value, c.names)
	}
	if p.text == "" {
		return nil
	}
	return []claim{{
		subject: who, object: p.text, objectLabel: p.label, predicate: predicate, rule: "an attribute", timing: c.said(),
	}}
}

// birthday returns the first day that a sentence names.
func birthday(d dated) string {
	for _, e := range dates.Find(d.whole, d.ref) {
		if day := dayOf(e); day != "" {
			return day
		}
	}
	return ""
}

// dayOf writes the day that an expression names, with its year if it has one. "": it names none.
func dayOf(e dates.Expression) string {
	switch {
	case e.Kind != dates.Dated || e.Granularity != calendar.Day || !strings.ContainsAny(e.Text, "0123456789"):
		return ""
	case strings.Contains(e.Text, e.Interval.Start.Format("2006")):
		return e.Interval.Start.Format("2 January 2006")
	}
	return e.Interval.Start.Format("2 January")
}

var (
	favoriteIs = pattern.New(`^(.+?)'s (?i:(?:new |current |all-time |absolute |other |own )*favou?rite) ([a-z]+(?: [a-z]+)?) (is not|is no longer|is|are|was|used to be|has always been) (?:now |still |definitely |actually |also |always |the |called )*(.+)$`)
	isFavorite = pattern.New(`^(.+?) (is|are|has become|became) (?:now |still |definitely |also )*(.+?)'s (?i:(?:new |current |all-time |absolute )*favou?rite) ([a-z]+)\b`)
)

// favorites reads somebody's favourites. ok reports whether the sentence is about a favourite, even
// if it makes no claim.
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
		// The capital letter at the start of a sentence does not make a name.
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

func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// isKnown reports whether a text is the speaker, the listener or a known name.
func (c *scene) isKnown(who string) bool {
	found, _ := c.nameOf(who + " ")
	return found == who
}

var (
	relatives  = pattern.New(`'s (?:[a-z]+ ){0,2}?([a-zé]+)(?:,| called| named)? (\p{Lu}\p{L}+)\b`)
	apposed    = pattern.New(` (?:has|has got|got|bought|adopted) an? (?:[a-z]+ ){0,2}([a-zé]+), (\p{Lu}\p{L}+)(?:[.!,]|$)`) // "a cat, Momo"
	several    = pattern.New(`(?:'s| has| have) (?:[a-z]+ ){0,2}?([a-zé]+)(?:[,:]| called| named|,? who are called| are(?: called| named)?)? (\p{Lu}\p{L}+(?:, \p{Lu}\p{L}+)*),? and (\p{Lu}\p{L}+)\b`)
	isRelative = pattern.New(`^,? (is not|is no longer|used to be|is|was) (.+?)'s ((?:[a-z]+ ){0,2}?)([a-zé]+)( any ?more| any longer| now| again| these days)?[.!, ]*$`)
)

// kinship finds the relatives, friends and pets that a sentence names.
func (c *scene) kinship(sentence string) []claim {
	var claims []claim
	for _, m := range append(relatives().FindAllStringSubmatchIndex(sentence, 3), apposed().FindAllStringSubmatchIndex(sentence, 1)...) {
		noun, who := sentence[m[2]:m[3]], sentence[m[4]:m[5]]
		if kin[noun] == "" || isCommon(who) || wasOnce().MatchString(sentence[m[0]:m[2]]) {
			continue
		}
		if owner := c.ownerBefore(sentence[:m[0]]); owner != "" {
			claims = append(claims, c.kinClaim(owner, noun, c.longestName(who)))
		}
	}
	return append(claims, c.severalKin(sentence)...)
}

// severalKin finds relatives that are named together: "two kids, Hugo and Ida".
func (c *scene) severalKin(sentence string) []claim {
	if !strings.Contains(sentence, " and ") {
		return nil
	}
	m := several().FindStringSubmatchIndex(sentence)
	if m == nil || strings.HasPrefix(sentence[m[1]:], "'") {
		return nil
	}
	noun, owner := kinOfMany(sentence[m[2]:m[3]]), c.ownerBefore(sentence[:m[0]])
	if noun == "" || owner == "" {
		return nil
	}
	var claims []claim
	for _, who := range append(strings.Split(sentence[m[4]:m[5]], ", "), sentence[m[6]:m[7]]) {
		if !isCommon(who) {
			claims = append(claims, c.kinClaim(owner, noun, c.longestName(who)))
		}
	}
	return claims
}

// kinOfMany returns the singular of a word for several relatives, or "" for any other word.
func kinOfMany(nouns string) string {
	one := strings.TrimSuffix(nouns, "s")
	if nouns == "children" {
		one = "child"
	} else if base, ok := strings.CutSuffix(nouns, "ies"); ok {
		one = base + "y"
	}
	if one == nouns || kin[one] == "" {
		return ""
	}
	return one
}

func (c *scene) ownerBefore(text string) string {
	for _, owner := range [...]string{c.u.speaker, c.u.listener} {
		if owner != "" && strings.HasSuffix(text, owner) {
			return owner
		}
	}
	return ""
}

// wasOnce matches words by which somebody is no relative, friend or boss now: "my former boss Igor".
var wasOnce = pattern.New(`\b(?:former|previous|erstwhile|future|ex)\b`)

func (c *scene) kinClaim(owner, noun, who string) claim {
	return claim{
		subject: owner, subjectLabel: "Person", object: who, objectLabel: kinLabel(noun),
		predicate: kin[noun], rule: "somebody's " + noun, timing: c.said(), relative: noun,
	}
}

// longestName returns the known name that begins with a word.
func (c *scene) longestName(who string) string {
	for _, n := range c.names {
		if strings.HasPrefix(n.text, who+" ") {
			return n.text
		}
	}
	return who
}

// byBirth are predicates of relatives that one has for ever.
var byBirth = set(`HAS_MOTHER HAS_FATHER HAS_SISTER HAS_BROTHER HAS_SON HAS_DAUGHTER HAS_CHILD HAS_COUSIN HAS_AUNT HAS_UNCLE HAS_NIECE HAS_NEPHEW
	HAS_GRANDMOTHER HAS_GRANDFATHER`)

// relativeIs reads "Bob is Alice's husband", and that he is not.
func (c *scene) relativeIs(d dated) ([]claim, bool) {
	text := d.text[len(beforeSubject().FindString(d.text)):]
	who, _ := c.nameOf(text)
	if who == "" {
		return nil, false
	}
	m := isRelative().FindStringSubmatch(text[len(who):])
	if m == nil || kin[m[4]] == "" || !c.isKnown(m[2]) {
		return nil, false
	}
	cl := c.kinClaim(m[2], m[4], who)
	not := m[1] == "is not"
	if not && m[3] != "" {
		return nil, true // who is not the best friend may be a friend
	}
	if when, ok := d.former(); m[1] == "was" && ok && d.isBounded() {
		cl.timing, cl.relative = when, ""
		return []claim{cl}, true
	}
	switch {
	case m[1] == "is no longer", m[1] == "used to be", m[1] == "was" && !byBirth[cl.predicate], not && anymore().MatchString(m[5]):
		cl.predicate, cl.ends, cl.relative = noLonger+cl.predicate, true, ""
	case not:
		cl.predicate, cl.rule, cl.relative = denialOf(cl.predicate), denial, ""
	}
	return c.date([]claim{cl}, d), true
}
