package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
)

var (
	// "'s phone number is 555-0142"
	attribute = pattern.New(`^((?:[a-z-]+ ){0,2}?[a-z-]+) (?:is|are) (?:now |actually |still |on |currently |also )*(?:an? )?(.+)$`)

	// "'s dog is called Pixel", "'s husband's name is Bob"
	naming = pattern.New(`^(?:[a-z-]+ ){0,2}?([a-zé]+)(?:'s name)? (is|was|is not|is no longer|used to be) (?:called |named |now |still )*(\p{Lu}.*)$`)

	numberLike  = pattern.New(`^\+?[\d(][\d ()./-]{3,}\d`)
	ageLike     = pattern.New(`^\d{1,3}\b`)
	addressLike = pattern.New(`^[\p{L}\d][^!?;]{4,80}`)
)

// belonging reads a sentence about something that belongs to the owner.
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

// ownedPart is what a sentence says after the owner.
func ownedPart(who, sentence string) string {
	_, after, _ := strings.Cut(sentence, who+"'s ")
	return strings.TrimRight(after, ".! ")
}

// attributeOf finds the predicate of an attribute, with or without an adjective.
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

// attribute reads the value of an attribute as it is written; a birthday is
// written one way, so that the same day is the same value.
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
	case "NAMED", "NICKNAME":
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

// birthday is the first day that a sentence names.
func birthday(d dated) string {
	for _, e := range dates.Find(d.whole, d.ref) {
		if e.Kind != dates.Dated || e.Granularity != calendar.Day || !strings.ContainsAny(e.Text, "0123456789") {
			continue
		}
		if strings.Contains(e.Text, e.Interval.Start.Format("2006")) {
			return e.Interval.Start.Format("2 January 2006")
		}
		return e.Interval.Start.Format("2 January")
	}
	return ""
}
