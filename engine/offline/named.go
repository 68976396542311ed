package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// "Her name is Leila" after "I have a daughter" gives the daughter's name.

var (
	nameOfWhom = pattern.New(`(?:^|[.!;,] )((Her|His|Its|her|his|its) name)(?:'s| is) \p{Lu}`)
	nameOfThe  = pattern.New(`(?:^|[.!;] )([Tt]he )(?:neighbou?r|boss|manager|dentist|therapist|coach)'s name(?:'s| is) \p{Lu}`)

	// Somebody's relative without a name, and others of the same kind.
	unnamedKin = pattern.New(`(?i:\b(my|our|(?:i|we)(?:'ve| have)?(?: just| also)?(?: got| have| adopted| met)? (?:an?|another|one)) (?:new |little |older |younger |big |baby ){0,2})(\p{Ll}+)\b( (?:(?i:called|named) )?\p{Lu})?`)
)

// Relatives who are "she", and those who are "he". All others may be either.
var (
	women = set(`sister mother mom mum wife fiancee fiancée girlfriend daughter aunt niece grandmother grandma`)
	men   = set(`brother father dad husband boyfriend son uncle nephew grandfather grandpa`)
)

// ofWhom replaces "her" in "her name is" by the person meant. That is the speaker's only relative
// or animal that fits and has no name yet, in the text before or in the speaker's last message.
func ofWhom(e prompts.Episode, u utterance) string {
	if !strings.Contains(u.text, " name") {
		return u.text
	}
	if m := nameOfThe().FindStringSubmatchIndex(u.text); m != nil {
		return u.text[:m[2]] + "My " + u.text[m[3]:]
	}
	m := nameOfWhom().FindStringSubmatchIndex(u.text)
	if m == nil {
		return u.text
	}
	before := []string{u.text[:m[2]]}
	if n := len(e.Previous); n > 0 && fold(e.Previous[n-1].Speaker) == fold(u.speaker) {
		before = append(before, e.Previous[n-1].Content)
	}
	for _, text := range before {
		noun, clear := meantKin(text, strings.ToLower(u.text[m[4]:m[5]]))
		if noun != "" && clear {
			return u.text[:m[2]] + "My " + noun + "'s name" + u.text[m[3]:]
		}
		if noun != "" {
			break
		}
	}
	return u.text
}

// meantKin returns the relative or animal in a text that "her", "his" or "its" may mean. clear
// reports whether it is certainly the speaker's and has no name yet.
func meantKin(text, whose string) (noun string, clear bool) {
	text = plainQuotes.Replace(text)
	for word := range strings.FieldsFuncSeq(text, notInWord) {
		fits := kin[word] != "" && (whose == "its") == petKin[word] || petKin[word]
		if !fits || whose == "her" && men[word] || whose == "his" && women[word] || word == noun {
			continue
		}
		if noun != "" {
			return noun, false
		}
		noun = word
	}
	told := unnamedKin().FindAllStringSubmatch(text, -1)
	return noun, slices.ContainsFunc(told, func(m []string) bool { return m[2] == noun }) &&
		!slices.ContainsFunc(told, func(m []string) bool { return m[2] == noun && m[3] != "" })
}
