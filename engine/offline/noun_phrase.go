package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/pattern"
)

// phrase is the object of a claim.
type phrase struct {
	text, label string
	named       bool   // a name; false: a thing
	definite    bool   // a thing with an article or an owner
	pointing    string // the first word in lower case, if it is one such as "this", "the", "their"
	said        string // the words that gave a value
}

const maxPhrase = 4 // words of a thing

var (
	determiner = pattern.New(`^(?:(?i:an?|the|this|these|those|some|any|his|her|their|its|both|all|another|own|such|one|two|three|four|five|six|a few|few|several|many|new|more|other|different|various|certain|additional|extra)\s+)+`)
	owner      = pattern.New(`^\p{Lu}[\p{L}\p{N}'.-]*(?: \p{Lu}[\p{L}\p{N}'.-]*){0,3}'s\s+`)
	titleAhead = pattern.New(`^"([^"]{2,80})"`)
	wordAhead  = pattern.New(`^[\p{L}\p{N}][\p{L}\p{N}'+@.&-]*`)
	kinAhead   = pattern.New(`^(?:[a-z]+ ){0,2}?([a-zé]+),? (\p{Lu}.*)$`)
)

// nounPhrase reads the start of a text: a quoted title, a known name, a value, or a thing of a few
// words. It returns what comes after it. The phrase is empty if the text begins with none of these.
func nounPhrase(text string, names []name) (phrase, string) {
	text = strings.TrimLeft(text, " ")
	if m := titleAhead().FindStringSubmatch(text); m != nil && !isCommon(m[1]) {
		return phrase{text: strings.TrimRight(m[1], ",. "), label: "Title", named: true}, text[len(m[0]):]
	}
	if p, rest := nameAhead(text, names); p.named {
		return p, rest
	}
	if v, rest, ok := valueAhead(text); ok && !v.counts {
		return v.phrase(), rest
	}
	bare := withoutDeterminer(text)
	if p, rest := nameAhead(bare, names); p.named {
		if thing, more := thingAhead(bare); bare != text && p.label != "Title" && describesThing(p, thing) {
			return thing.as(true), more
		}
		return p, rest
	}
	if m := kinAhead().FindStringSubmatch(bare); m != nil && kin[m[1]] != "" {
		if p, rest := nameAhead(m[2], names); p.named {
			return p, rest
		}
	}
	p, rest := thingAhead(bare)
	p.pointing = pointing(text)
	return wholeThing(p.as(bare != text), rest, names)
}

// pointing returns a first word that refers to something known or seen, or "".
func pointing(text string) string {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	if first == "all" || first == "both" {
		_, after, _ := strings.Cut(text, " ")
		first, _, _ = strings.Cut(after, " ")
	}
	if pointers[first] {
		return first
	}
	return ""
}

var pointers = set(`the this that these those his her their its`)

// wholeThing extends a thing by "of" and another thing: "a collection of books". If only the
// speaker can see that other thing, it returns an empty phrase.
func wholeThing(p phrase, rest string, names []name) (phrase, string) {
	after, of := strings.CutPrefix(rest, " of ")
	if len(rest) > 1 && rest[0] == ':' && rest[1] != ' ' {
		return phrase{}, rest // "CS:GO"
	}
	if !of || p.text == "" {
		return p, rest
	}
	if next := pointing(after); next != "" && next != "the" {
		return phrase{}, rest
	}
	bare := withoutDeterminer(after)
	inner, more := nameAhead(bare, names)
	if !inner.named {
		inner, more = thingAhead(bare)
	}
	if inner.text == "" || strings.HasPrefix(more, "'s") {
		return phrase{}, rest
	}
	p.text += " of " + inner.text
	return p, more
}

// withoutDeterminer removes articles, numbers and owners: neither "the" nor "Anna's" is part of a
// thing.
func withoutDeterminer(text string) string {
	text = owner().ReplaceAllString(text, "")
	bare := determiner().ReplaceAllString(text, "")
	if bare != text {
		return owner().ReplaceAllString(bare, "")
	}
	return bare
}

func (p phrase) as(definite bool) phrase {
	p.definite = definite
	return p
}

// describesThing reports whether a name only modifies the thing after it: "an LGBTQ art show".
func describesThing(p, thing phrase) bool {
	more, ok := strings.CutPrefix(thing.text, p.text+" ")
	return ok && more == strings.ToLower(more) && !startsVerb(more)
}

func nameAhead(text string, names []name) (phrase, string) {
	var best phrase
	for _, n := range names {
		if len(n.text) > len(best.text) && strings.HasPrefix(text, n.text) && endsWord(text, len(n.text)) {
			best = phrase{text: n.text, label: n.label, named: true}
		}
	}
	rest := text[len(best.text):]
	// "Anna's party" is not Anna, and "Nintendo games" are not Nintendo.
	if strings.HasPrefix(rest, "'s ") {
		return phrase{}, text
	}
	return best, rest
}

func endsWord(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return at >= len(text) || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// thingAhead takes words up to one that cannot be part of a thing.
func thingAhead(text string) (phrase, string) {
	var words []string
	rest := text
	for len(words) <= maxPhrase {
		raw := wordAhead().FindString(text)
		bare := strings.TrimRight(raw, ".'-")
		if bare == "" || endsThing(bare, words) || len(words) > 0 && capitalised(bare) && followedByVerb(text[len(bare):]) {
			break // before another subject: "the progress Anna has made"
		}
		words = append(words, bare)
		rest = text[len(bare):]
		if bare != raw || !strings.HasPrefix(rest, " ") {
			break
		}
		text = rest[1:]
	}
	if !isThing(words) {
		return phrase{}, rest
	}
	return phrase{text: strings.Join(words, " ")}, rest
}

// endsThing reports whether a word after others is not part of their thing.
func endsThing(word string, before []string) bool {
	lower := strings.ToLower(word)
	if phraseStops[lower] || prepositions[lower] {
		return true
	}
	if len(before) == 0 {
		return false
	}
	if capitalised(word) && strings.HasSuffix(word, "'s") {
		return true
	}
	if notThings[strings.ToLower(before[len(before)-1])] && strings.HasSuffix(lower, "ing") {
		return true
	}
	// "a book inspired by": a participle begins another part.
	return strings.HasSuffix(lower, "ly") && lower != "family" || presentForms[lower] || strings.HasSuffix(lower, "ed") && lemma(lower) != ""
}

func isThing(words []string) bool {
	if len(words) == 0 || len(words) > maxPhrase {
		return false
	}
	first, last := strings.ToLower(words[0]), strings.ToLower(words[len(words)-1])
	if notThings[last] || notThings[first] && len(words) == 1 || conditionalWords[first] {
		return false
	}
	for _, w := range words {
		if strings.Contains(w, "'") && !strings.HasSuffix(w, "'s") {
			return false
		}
	}
	if len(words) > 1 && strings.HasSuffix(first, "ly") && !calm[first] {
		return false
	}
	if len(words) == 1 && strings.HasSuffix(last, "ly") && last != "family" && last != "jelly" {
		return false
	}
	return len(words) > 1 || len(last) > 2 || unicode.IsDigit(rune(last[0]))
}

// calm are words in -ly that may begin a thing.
var calm = set(`family early daily weekly monthly yearly friendly lovely lonely holy ugly silly curly chilly jelly belly bully lively elderly likely deadly fly monopoly`)

// conditionalWords are words that begin no thing.
var conditionalWords = set(`something anything nothing everything lots bit lot able sure ready such only`)
