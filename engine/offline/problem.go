package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	isBroken = pattern.New(` (?:is (?:\w+ )?(?:broken|not working|down|stuck|jammed|acting up|jamming|crashing|dead|broken down)\b|(?:does|will|did) not (?:\w+ )?(?:work|print|start|turn|connect|charge|load|respond|open|boot|scan)\b|cannot (?:connect|print|start)\b|has (?:stopped|quit) (?:working|printing|responding|charging)\b|stopped (?:working|printing|responding|charging)\b|keeps (?:crashing|jamming|freezing|failing|breaking|disconnecting)\b|(?:jams|crashes|crashed|broke|died|froze|failed)\b|has an? (?:[\w ]+ )?(?:problem|issue|error|jam|leak)\b)`)
	isMended = pattern.New(` (?:(?:is|was|got|has been|is being) (?:\w+ )?(?:fixed|repaired|solved|resolved|working|back up|mended|up again|up and running|back online|online again)\b|(?:works|prints|starts|runs|worked|printed|connects) (?:\w+ )?(?:again|now|fine|well|perfectly)\b|is (?:back to normal|fine now|ok now|okay now|fine again)\b)`)
	mends    = pattern.New(`^ (?:has |just |finally |got to |managed to )*(?:fixed|repaired|solved|resolved|fix|solve) (.+)$`)
	hasFixed = pattern.New(`^ (?:has |just |finally )*(?:got|had) (.+?) (?:fixed|repaired|mended)\b`)

	article = pattern.New(`^(?i:the|this|that) `)

	// Words for what is wrong, which do not name the thing.
	problems = set(`problem problems issue issues error bug`)
)

// brokenThing reads that something stopped working or works again. ok reports whether the sentence
// is about that.
func (c *scene) brokenThing(d dated) ([]claim, bool) {
	text := d.text[len(beforeSubject().FindString(d.text)):]
	who, rest, ok := c.ownerAhead(text)
	if strings.Contains(rest, " down to ") {
		return nil, false // "is down to 19 singers" is no breakdown
	}
	dead := c.dead(d)
	if ok {
		if p := c.thingBefore(hasDied, rest); p.text != "" && (isBeing(lastWord(p.text)) || isBeing(firstWord(rest))) {
			return append(c.date(death(who, firstWord(rest), p), d), dead...), true
		}
	}
	if dead != nil {
		return dead, true
	}
	if !ok {
		return c.mending(text, d)
	}
	if p := c.thingBefore(isMended, rest); p.text != "" {
		return c.date([]claim{problem(who, p, true)}, d), true
	}
	if p := c.thingBefore(isBroken, rest); p.text != "" && !problems[p.text] && !isBeing(firstWord(p.text)) && !isBeing(lastWord(p.text)) {
		return c.date([]claim{problem(who, p, false)}, d), true
	}
	return nil, false
}

// thingBefore reads the thing before a phrase.
func (c *scene) thingBefore(says pattern.Pattern, text string) phrase {
	at := says().FindStringIndex(text)
	if at == nil {
		return phrase{}
	}
	p, rest := nounPhrase(text[:at[0]], c.names)
	if rest != "" {
		return phrase{}
	}
	return p
}

// ownerAhead returns the owner of the thing that a sentence begins with. "The printer" is the
// speaker's.
func (c *scene) ownerAhead(text string) (who, rest string, ok bool) {
	if at := article().FindString(text); at != "" {
		return c.u.speaker, text[len(at):], c.u.speaker != ""
	}
	who, _ = c.nameOf(text)
	after, owns := strings.CutPrefix(text[len(who):], "'s ")
	return who, after, who != "" && owns
}

// mending reads "Anna fixed the printer".
func (c *scene) mending(text string, d dated) ([]claim, bool) {
	who, _ := c.nameOf(text)
	if who == "" {
		return nil, false
	}
	for _, re := range [...]pattern.Pattern{mends, hasFixed} {
		if m := re().FindStringSubmatch(text[len(who):]); m != nil {
			if p, _ := nounPhrase(m[1], c.names); p.text != "" {
				return c.date([]claim{problem(who, p, true)}, d), true
			}
		}
	}
	return nil, false
}

const aProblem = "a problem"

func problem(who string, p phrase, over bool) claim {
	c := claim{subject: who, object: p.text, objectLabel: p.label, predicate: "HAS_PROBLEM_WITH", ends: over, rule: aProblem}
	if !p.named {
		c.objectLabel = "Topic"
	}
	if over {
		c.predicate = noLonger + c.predicate
	}
	return c
}
