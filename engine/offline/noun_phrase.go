package offline

import (
	"regexp"
	"strings"
	"unicode"
)

// phrase is the other end of a claim.
type phrase struct {
	text, label string
	named       bool // a name, not just a thing
}

const maxPhrase = 4 // words of a thing

var (
	determiner = regexp.MustCompile(`^(?:(?i:an?|the|this|that|these|those|some|any|his|her|their|its|both|all|another|own|such|one|two|new)\s+|\p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?'s\s+)+`)
	titleAhead = regexp.MustCompile(`^"([^"]{2,80})"`)
	wordAhead  = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}'+@.-]*`)
)

// nounPhrase reads what a text begins with: a quoted title, a known name, or a
// thing of a few words. Empty: none of them.
func nounPhrase(text string, names []name) phrase {
	text = strings.TrimSpace(text)
	if m := titleAhead.FindStringSubmatch(text); m != nil {
		return phrase{text: m[1], label: "Title", named: true}
	}
	for _, candidate := range []string{text, determiner.ReplaceAllString(text, "")} {
		if p := nameAhead(candidate, names); p.named {
			return p
		}
	}
	return thingAhead(determiner.ReplaceAllString(text, ""))
}

func nameAhead(text string, names []name) phrase {
	var best phrase
	for _, n := range names {
		if len(n.text) > len(best.text) && strings.HasPrefix(text, n.text) && endsWord(text, len(n.text)) {
			best = phrase{text: n.text, label: n.label, named: true}
		}
	}
	return best
}

func endsWord(text string, at int) bool {
	return at >= len(text) || !unicode.IsLetter(rune(text[at])) && !unicode.IsDigit(rune(text[at]))
}

// thingAhead takes words until something that cannot be part of a thing.
func thingAhead(text string) phrase {
	var words []string
	for len(words) <= maxPhrase {
		word := wordAhead.FindString(text)
		bare := strings.TrimRight(word, ".'-")
		lower := strings.ToLower(bare)
		if bare == "" || phraseStops[lower] || strings.HasSuffix(lower, "ly") && len(words) > 0 {
			break
		}
		words = append(words, bare)
		rest := text[len(word):]
		if bare != word || !strings.HasPrefix(rest, " ") {
			break
		}
		text = rest[1:]
	}
	if len(words) == 0 || len(words) > maxPhrase || notThings[strings.ToLower(words[len(words)-1])] || notThings[strings.ToLower(words[0])] {
		return phrase{}
	}
	thing := strings.Join(words, " ")
	if len(thing) < 3 && !unicode.IsDigit(rune(thing[0])) {
		return phrase{}
	}
	return phrase{text: thing}
}
