package offline

import (
	"regexp"
	"strings"
)

// Adverbs and auxiliaries that may stand before a main verb.
const adverbs = `(?:(?:has|have|had|is|was|been|also|just|recently|finally|now|still|really|already|actually|currently|officially|always|usually|often|even|then|only|absolutely|totally|mostly|both|all) )*`

// relation is a way to say something: what follows the subject, the predicate
// it means, and what kind of thing stands at its other end.
type relation struct {
	re        *regexp.Regexp // its last group is where the other end begins
	predicate string
	label     string
	ends      bool
	fits      func(object string, named bool) bool // nil: anything
}

func said(pattern, predicate, label string) relation {
	return relation{re: regexp.MustCompile(`^(?i:,? ?` + adverbs + `(?:` + pattern + `)) (.+)$`), predicate: predicate, label: label}
}

func ended(pattern, predicate, label string) relation {
	r := said(pattern, noLonger+predicate, label)
	r.ends = true
	return r
}

func (r relation) onlyNames() relation {
	r.fits = func(_ string, named bool) bool { return named }
	return r
}

func (r relation) onlyProfessions() relation {
	r.fits = func(object string, named bool) bool {
		words := strings.Fields(object)
		return !named && professions[strings.ToLower(words[len(words)-1])]
	}
	return r
}

// noLonger begins the predicate of a fact that says that another one ended.
const noLonger = "NO_LONGER_"

// relations are tried in order; the first that fits wins. The ends come first,
// since "no longer works at" also holds "works at".
var relations = []relation{
	ended(`no longer lives? in|does not live in|used to live in|lived in|moved (?:away |out )?from|moving (?:away |out )?from|moved out of|left behind`, "LIVES_IN", "Place").onlyNames(),
	ended(`no longer works? (?:at|for)|does not work (?:at|for)|used to work (?:at|for)|stopped working (?:at|for)|worked (?:at|for)|quit (?:the job at|working at|\S+'s job at|job at)|quit|left (?:the job at|\S+'s job at|\S+ job at)|resigned from|retired from|was (?:fired|laid off) (?:from|by)|got (?:fired|laid off) (?:from|by)`, "WORKS_AT", "Organization").onlyNames(),
	ended(`no longer works? as an?|does not work as an?|used to work as an?|used to be an?|stopped working as an?`, "WORKS_AS", "Topic"),
	ended(`divorced|is divorced from|got divorced from|separated from|no longer married to`, "MARRIED_TO", "Person").onlyNames(),
	ended(`broke up with|split up with|no longer dating|stopped dating`, "DATES", "Person").onlyNames(),
	ended(`sold`, "HAS", "Topic"),
	ended(`no longer has|does not have|got rid of|lost`, "HAS", "Topic"),
	ended(`no longer (?:likes?|loves?|enjoys?)|does not (?:like|love|enjoy)|stopped (?:liking|loving|enjoying)`, "LIKES", "Topic"),
	ended(`quit|stopped|gave up|no longer does|no longer plays?|stopped playing`, "DOES", "Topic"),

	said(`moved (?:back |over )?(?:from \S+ )?to|relocated to|is moving to|moving to|lives? (?:\w+ )?in|living (?:\w+ )?in|lived in|is based in|based in|settled in|resides? in`, "LIVES_IN", "Place").onlyNames(),
	said(`works? (?:\w+ )?(?:at|for)|working (?:\w+ )?(?:at|for)|started (?:working |work |(?:a |the |\S+'s )?(?:new )?job )?(?:at|for|with)|joined|got (?:a|the) (?:\w+ ){0,2}(?:job|position|offer) (?:at|with)|(?:was|got) hired (?:at|by)|is employed (?:at|by)|(?:accepted|took|has|have|starts) (?:a|the) (?:\w+ ){0,2}(?:job|position) (?:at|with)`, "WORKS_AT", "Organization").onlyNames(),
	said(`works? (?:\w+ )?as an?|working as an?`, "WORKS_AS", "Topic"),
	said(`is an?|became an?`, "WORKS_AS", "Topic").onlyProfessions(),
	said(`is married to|got married to|married`, "MARRIED_TO", "Person").onlyNames(),
	said(`is engaged to|got engaged to`, "ENGAGED_TO", "Person").onlyNames(),
	said(`is dating|started dating|is seeing|dates`, "DATES", "Person").onlyNames(),
	said(`(?:was born|grew up) in|(?:is|comes?) (?:originally )?from`, "COMES_FROM", "Place").onlyNames(),
	said(`studies|is studying|studied|majored in|is majoring in`, "STUDIES", "Topic"),
	said(`likes?|enjoys?|is fond of|is into|is a (?:big |huge )?fan of|is really into`, "LIKES", "Topic"),
	said(`loves?|adores?`, "LOVES", "Topic"),
	said(`hates?|dislikes?|cannot stand`, "DISLIKES", "Topic"),
	said(`prefers?`, "PREFERS", "Topic"),
	said(`is allergic to`, "ALLERGIC_TO", "Topic"),
	said(`(?:has|have|owns?|got|bought|adopted) (?:an?|one|two|three|four|five|six)`, "HAS", "Topic"),
}

var (
	worksAs = regexp.MustCompile(`^(?i: (?:at|for) .+? as an?) (.+)$`)

	favorite = regexp.MustCompile(`^'s (?i:(?:new )?favou?rite) ([a-z]+(?: [a-z]+)?) (?i:is|are|was|became) (?i:now |still |definitely )?(.+)$`)

	// "Alice's dog is called Pixel", "Alice's phone number is …"
	belonging = regexp.MustCompile(`^'s ((?:[a-z]+ ){0,2}[a-z]+) (?i:is|are) (?i:now |called |named |still )*(.+)$`)

	// "Alice has a dog called Pixel"
	namedThing = regexp.MustCompile(`^(?i:,? ?` + adverbs + `(?:has|have|got|adopted|bought|owns|met)) (?i:an?|two|the) ((?:[a-z]+ ){0,2}[a-z]+)(?: called| named|,) (\p{Lu}\p{L}+)`)

	broken = regexp.MustCompile(`^'s (?i:new |old )?([a-z]+(?: [a-z]+)?) (?i:is (?:\w+ )?(?:broken|not working|down|stuck|jammed|acting up)|(?:does not|will not|cannot) (?:work|print|start|turn on|connect|charge|load|respond)|(?:stopped|keeps|has stopped|started) (?:\w+ing)|jams?|crashe[sd]|broke(?: down)?|died|has an? (?:\w+ )?(?:problem|issue|error|jam))\b`)
	mended = regexp.MustCompile(`^'s (?i:new |old )?([a-z]+(?: [a-z]+)?) (?i:(?:is|was|got) (?:\w+ )?(?:fixed|repaired|solved|resolved|working|back|fine)|(?:works|prints|starts|runs|worked)(?: \w+)? (?:again|now|fine|well)|works again)\b`)
	fixed  = regexp.MustCompile(`^(?i: (?:\w+ )?(?:fixed|repaired|solved|resolved) )(?:the|\S+'s) ([a-z]+(?: [a-z]+)?)`)
)

// relate finds what is said of the subject.
func relate(subject, rest string, names []name) []claim {
	if strings.HasPrefix(rest, "'s ") {
		return relateBelonging(subject, rest, names)
	}
	if m := fixed.FindStringSubmatch(rest); m != nil {
		return []claim{problem(subject, m[1], true)}
	}
	if m := namedThing.FindStringSubmatch(rest); m != nil {
		return []claim{{subject: subject, object: m[2], predicate: predicateOf("HAS", m[1]), rule: "has a … called"}}
	}
	claims := movedFrom(subject, rest, names)
	for _, r := range relations {
		c, after, ok := r.apply(subject, rest, names)
		if !ok {
			continue
		}
		claims = append(claims, c)
		if m := worksAs.FindStringSubmatch(" at " + after); m != nil && c.predicate == "WORKS_AT" {
			if role := nounPhrase(m[1], names); role.text != "" {
				claims = append(claims, claim{subject: subject, object: role.text, objectLabel: "Topic", predicate: "WORKS_AS", rule: "works as"})
			}
		}
		return claims
	}
	if len(claims) > 0 {
		return claims
	}
	return relateByVerb(subject, rest, names)
}

func (r relation) apply(subject, rest string, names []name) (c claim, after string, ok bool) {
	m := r.re.FindStringSubmatch(rest)
	if m == nil {
		return c, "", false
	}
	after = m[len(m)-1]
	object := nounPhrase(after, names)
	if object.text == "" || r.fits != nil && !r.fits(object.text, object.named) || fold(object.text) == fold(subject) {
		return c, "", false
	}
	label := object.label
	if label == "" && (object.named || r.label == "Topic") {
		label = r.label
	}
	return claim{
		subject: subject, object: object.text, objectLabel: label, predicate: r.predicate, ends: r.ends, rule: r.re.String(),
	}, after, true
}

var fromTo = regexp.MustCompile(`^(?i:,? ?` + adverbs + `(?:moved|relocated|moving)) from (.+?) to `)

// movedFrom reads the home that a move leaves behind.
func movedFrom(subject, rest string, names []name) []claim {
	m := fromTo.FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	home := nounPhrase(m[1], names)
	if !home.named {
		return nil
	}
	return []claim{{
		subject: subject, object: home.text, objectLabel: "Place", predicate: noLonger + "LIVES_IN", ends: true, rule: "moved from … to",
	}}
}

// relateBelonging reads sentences about what belongs to the subject.
func relateBelonging(subject, rest string, names []name) []claim {
	if m := mended.FindStringSubmatch(rest); m != nil {
		return []claim{problem(subject, m[1], true)}
	}
	if m := broken.FindStringSubmatch(rest); m != nil {
		return []claim{problem(subject, m[1], false)}
	}
	if m := favorite.FindStringSubmatch(rest); m != nil {
		if value := nounPhrase(m[2], names); value.text != "" {
			return []claim{{subject: subject, object: value.text, objectLabel: "Topic", predicate: predicateOf("FAVORITE", m[1]), rule: "favourite"}}
		}
		return nil
	}
	if m := relative.FindStringSubmatchIndex(rest); m != nil {
		person := rest[m[2]:m[3]]
		kin := strings.Fields(strings.TrimPrefix(rest[:m[2]], "'s"))
		claims := []claim{{
			subject: subject, object: person, objectLabel: personOrPet(kin), predicate: predicateOf("HAS", strings.Trim(kin[len(kin)-1], ",")), rule: "relative",
		}}
		return append(claims, relate(person, strings.TrimRight(rest[m[3]:], "."), names)...)
	}
	if m := belonging.FindStringSubmatch(rest); m != nil {
		if value := nounPhrase(m[2], names); value.text != "" && (value.named || valued[m[1][strings.LastIndex(m[1], " ")+1:]]) {
			return []claim{{subject: subject, object: value.text, objectLabel: value.label, predicate: predicateOf("HAS", m[1]), rule: "belonging"}}
		}
	}
	return nil
}

func personOrPet(kin []string) string {
	switch kin[len(kin)-1] {
	case "dog", "cat":
		return "Pet"
	}
	return "Person"
}

func problem(subject, thing string, over bool) claim {
	c := claim{subject: subject, object: strings.ToLower(thing), objectLabel: "Topic", predicate: "HAS_PROBLEM_WITH", ends: over, rule: "problem"}
	if over {
		c.predicate = noLonger + c.predicate
	}
	return c
}

func predicateOf(verb, noun string) string {
	noun = strings.ToUpper(strings.Join(strings.Fields(noun), "_"))
	return verb + "_" + strings.ReplaceAll(noun, "COLOUR", "COLOR")
}

var mainVerb = regexp.MustCompile(`^,? ?(?i:` + adverbs + `)([a-z]+)(?: (up|out|back|away|off|around|over))?(?: (to|in|at|with|on|for|about|of|into|from|by))?\s(.+)$`)

// relateByVerb reads a plain sentence: a known verb and what follows it.
func relateByVerb(subject, rest string, names []name) []claim {
	m := mainVerb.FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	verb, preposition := lemma(m[1]), m[3]
	if verb == "" || weakVerbs[verb] && (verb != "go" || preposition == "") {
		return nil
	}
	object := nounPhrase(m[4], names)
	if object.text == "" || fold(object.text) == fold(subject) || isAction(preposition, object) {
		return nil
	}
	predicate := strings.ToUpper(thirdPerson(verb))
	for _, word := range m[2:4] {
		if word != "" {
			predicate += "_" + strings.ToUpper(word)
		}
	}
	label := object.label
	if label == "" && !object.named {
		label = "Topic"
	}
	return []claim{{subject: subject, object: object.text, objectLabel: label, predicate: predicate, rule: "verb " + verb}}
}

// isAction reports whether what follows is something done ("to realise",
// "caring") and not a thing.
func isAction(preposition string, object phrase) bool {
	if object.named {
		return false
	}
	first, more, _ := strings.Cut(strings.ToLower(object.text), " ")
	return preposition == "to" && baseVerbs[first] || more == "" && strings.HasSuffix(first, "ing") && lemma(first) != ""
}
