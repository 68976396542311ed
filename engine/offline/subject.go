package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// subject is the subject of a sentence.
type subject struct {
	text, label string
	owns        bool // the sentence is about something that belongs to it
}

// beforeSubject matches words before the subject, after dates were cut out.
var beforeSubject = pattern.New(`^(?i:(?:[\s,.]|on|in|at|by|since|just|today|recently|lately|finally|still|as of|over|during|about|around|then|and|so|also|both|currently|back|for me|personally|weekends?|weekdays?|evenings|mornings|nights|this|only|way|ever)(?:\b|[\s,])[\s,]*)*`)

var andSubject = pattern.New(`^,? and `)

// subjects returns the subjects of a sentence and the rest of it.
func (c *scene) subjects(text string) ([]subject, string) {
	text = text[len(beforeSubject().FindString(text)):]
	first, rest, ok := c.subjectAhead(text)
	if !ok {
		return nil, ""
	}
	subjects := []subject{first}
	for at := andSubject().FindString(rest); at != "" && !first.owns && len(subjects) < 4; at = andSubject().FindString(rest) {
		next, more, ok := c.subjectAhead(rest[len(at):])
		if !ok || next.owns {
			break
		}
		subjects, rest = append(subjects, next), more
	}
	return subjects, strings.TrimRight(rest, ".!? ")
}

// subjectAhead reads the subject that a text begins with: a person or a name, somebody's relative,
// or another possession.
func (c *scene) subjectAhead(text string) (subject, string, bool) {
	who, label := c.nameOf(text)
	if who == "" {
		return subject{}, "", false
	}
	rest := text[len(who):]
	after, owns := strings.CutPrefix(rest, "'s ")
	if !owns {
		return subject{text: who, label: label}, rest, true
	}
	if nouns, more, _ := strings.Cut(after, " "); manyKin[nouns] && !saysNames().MatchString(more) {
		return subject{text: who + "'s " + nouns, label: "Person"}, " " + more, true
	}
	noun, more := relativeAhead(after)
	if noun == "" {
		return subject{text: who, label: label, owns: true}, after, true
	}
	called := calledAhead().FindString(more)
	if p, rest := nameAhead(more[len(called):], c.names); called != "" && p.named {
		return subject{text: p.text, label: kinLabel(noun)}, strings.TrimPrefix(rest, ","), true
	}
	if name, _ := c.nameOf(more[len(called):]); called != "" && name != "" {
		if of, its := strings.CutPrefix(more[len(called)+len(name):], "'s "); its { // "my wife Elena's birthday"
			return subject{text: name, label: kinLabel(noun), owns: true}, of, true
		}
	}
	if of, its := strings.CutPrefix(more, "'s "); its && onlyKin[noun] && !saysName().MatchString(more) {
		return subject{text: who + "'s " + noun, label: kinLabel(noun), owns: true}, of, true
	}
	if onlyKin[noun] && strings.HasPrefix(more, " ") && !saysName().MatchString(more) {
		return subject{text: who + "'s " + noun, label: kinLabel(noun)}, more, true
	}
	return subject{text: who, label: label, owns: true}, after, true
}

var (
	calledAhead = pattern.New(`^(?:,| called| named)? `)

	saysNames = pattern.New(`^(?:(?:are|were) (?:called|named) )?\p{Lu}`)

	// The relative's name follows.
	saysName = pattern.New(`^(?:'s name)? (?:is|was|used to be|is not|is no longer) (?:called|named|\p{Lu})`)
)

// relativeAhead returns a relative or pet among the first three words.
func relativeAhead(text string) (noun, rest string) {
	for at, n := 0, 0; n < 3; n++ {
		end := strings.IndexAny(text[at:], " ,'")
		if end <= 0 {
			return "", ""
		}
		if w := text[at : at+end]; kin[w] != "" {
			return w, text[at+end:]
		}
		if text[at+end] != ' ' {
			return "", ""
		}
		at += end + 1
	}
	return "", ""
}

// nameOf returns the longest name that a text begins with.
func (c *scene) nameOf(text string) (who, label string) {
	consider := func(s, l string) {
		if s == "" || len(s) <= len(who) || len(text) <= len(s) || !strings.EqualFold(text[:len(s)], s) {
			return
		}
		if next := text[len(s)]; next == ' ' || next == ',' || strings.HasPrefix(text[len(s):], "'s ") {
			who, label = s, l
		}
	}
	consider(c.u.speaker, "Person")
	consider(c.u.listener, "Person")
	consider(c.third, "Person")
	for _, n := range c.names {
		consider(n.text, n.label)
	}
	return who, label
}

func kinLabel(noun string) string {
	if petKin[noun] {
		return "Pet"
	}
	return "Person"
}
