package offline

import (
	"slices"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// What somebody says never to have had: "I misspoke, I don't have a sister".
var hasNone = pattern.New(`(?i)\b(?:i|we) (?:don't|do not|dont|never|have never|did not|didn't|haven't) (?:(?:even|actually|really|ever) )?(?:have|had|own|owned|got) (?:a |an |any |the )?([\p{L}-]+)`)

// neverHad is what a correction denies to exist: somebody's sister or car, by
// the name that the rules gave it; "" where it denies nothing of the kind.
func neverHad(text, speaker string) (noun, whole string) {
	if speaker == "" || !isCorrection(text) {
		return "", ""
	}
	m := hasNone().FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	return m[1], speaker + "'s " + m[1]
}

// denied are the known facts of which a correction says that the person or
// thing they speak of does not exist. Nothing has to take their place.
func denied(e prompts.Episode, known []prompts.KnownFact) (ids []int) {
	noun, whole := neverHad(plainQuotes.Replace(e.Content), e.Speaker)
	if noun == "" {
		return nil
	}
	speaks := func(p prompts.Pair) bool {
		own := fold(p.Source) == fold(e.Speaker)
		return fold(p.Source) == fold(whole) || fold(p.Target) == fold(whole) ||
			own && (fold(p.Target) == fold(noun) || kin[noun] != "" && p.Predicate == kin[noun])
	}
	for _, k := range known {
		if slices.ContainsFunc(k.Pairs, speaks) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
