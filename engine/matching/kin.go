package matching

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// Bond is a relation by which a text names somebody, such as Sam's sister.
type Bond struct{ Owner, Noun string }

// byBirth maps nouns of kin by birth to their kind. A person who is one kind of kin is neither
// another kind nor a colleague. Words of one kind share a line.
var byBirth = func() map[string]string {
	kinds := map[string]string{}
	for _, words := range [...]string{
		"sister", "brother", "mother mom mum", "father dad", "child kid baby son daughter", "aunt", "uncle", "cousin", "niece", "nephew",
		"grandmother grandma", "grandfather grandpa",
	} {
		for word := range strings.FieldsSeq(words) {
			kinds[word], _, _ = strings.Cut(words, " ")
		}
	}
	return kinds
}()

const bondNouns = `sister|brother|mother|mom|mum|father|dad|child|kid|baby|son|daughter|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|` +
	`wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|friend|colleague|coworker|boss|manager|neighbou?r|roommate|flatmate|teammate|` +
	`teacher|mentor|coach|therapist|doctor|dentist|landlord|client|student`

var (
	bondBefore = pattern.New(`(?:\b([Mm]y|[Oo]ur)|(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?)'s) (?:\p{Ll}[\p{L}-]* ){0,2}(` + bondNouns + `),?(?: called| named)? $`)
	bondAfter  = pattern.New(`^,? (?:is|was) (?:(my|our)|(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?)'s) (?:\p{Ll}[\p{L}-]* ){0,2}(` + bondNouns + `)\b`)
)

// maxBond is more than the words of a bond before a name take, in bytes.
const maxBond = 200

// Bonds returns the bonds that a text gives to a name. speaker is the owner of "my" and "our".
func Bonds(text, name, speaker string) []Bond {
	var bonds []Bond
	for from := 0; name != ""; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			break
		}
		before := text[:from+at]
		from += at + len(name)
		for _, m := range [...][]string{bondBefore().FindStringSubmatch(lastWords(before)), bondAfter().FindStringSubmatch(text[from:])} {
			if m == nil {
				continue
			}
			b := Bond{Owner: m[2], Noun: m[3]}
			if m[1] != "" {
				b.Owner = speaker
			}
			bonds = append(bonds, b)
		}
	}
	return bonds
}

// lastWords returns the last words of a text that can be a bond.
func lastWords(text string) string {
	if len(text) <= maxBond {
		return text
	}
	text = text[len(text)-maxBond:]
	return text[strings.IndexByte(text, ' ')+1:]
}

// Apart reports whether two bonds to one owner exclude each other: a sister is no brother and,
// unless somebody says so, no colleague.
func (b Bond) Apart(o Bond) bool {
	if b.Owner == "" || !strings.EqualFold(b.Owner, o.Owner) {
		return false
	}
	sexes := map[string]int{b.Noun: 1, o.Noun: 1}
	return byBirth[b.Noun] != byBirth[o.Noun] || sexes["son"]+sexes["daughter"] == 2
}

// Alike reports whether two bonds to one owner are of one kind.
func (b Bond) Alike(o Bond) bool {
	return b.Owner != "" && strings.EqualFold(b.Owner, o.Owner) && (b.Noun == o.Noun || byBirth[b.Noun] != "" && !b.Apart(o))
}

// OfOtherThan reports whether the bonds of a name belong to another person than the one of that
// name whom a summary describes. It does not read the summary if there are no bonds.
func OfOtherThan(summary, name string, bonds []Bond) bool {
	return len(bonds) > 0 && OfOther(bonds, Bonds(summary, name, ""))
}

// OfOther reports whether bonds belong to another person than others do: one of them excludes one
// of the others, and no two are alike.
func OfOther(bonds, others []Bond) bool {
	apart := false
	for _, b := range bonds {
		for _, o := range others {
			if b.Alike(o) {
				return false
			}
			apart = apart || b.Apart(o)
		}
	}
	return apart
}
