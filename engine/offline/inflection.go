package offline

import "strings"

// thirdPerson inflects a present form: "live" to "lives". It returns any other form unchanged.
func thirdPerson(verb string) string {
	switch {
	case verb == "have":
		return "has"
	case verb == "be" || verb == "am" || verb == "are":
		return "is"
	case !baseVerbs[verb]:
		return verb
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"),
		strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "o"), strings.HasSuffix(verb, "z"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// lemma returns the base form of a verb: "move" for "moved" and "moves". It is empty for an unknown
// verb.
func lemma(word string) string {
	if l, ok := irregular[word]; ok {
		return l
	}
	if baseVerbs[word] {
		return word
	}
	for _, ending := range [...]string{"ing", "ed", "es", "s"} {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || len(stem) < 2 {
			continue
		}
		if verb := verbOf(stem); verb != "" {
			return verb
		}
	}
	return ""
}

// verbOf returns the verb of a stem that lost or doubled a letter before an ending: "hik", "plann",
// "tri".
func verbOf(stem string) string {
	switch n := len(stem) - 1; {
	case baseVerbs[stem]:
		return stem
	case baseVerbs[stem+"e"]:
		return stem + "e"
	case stem[n] == 'i' && baseVerbs[stem[:n]+"y"]:
		return stem[:n] + "y"
	case stem[n] == stem[n-1] && baseVerbs[stem[:n]]:
		return stem[:n]
	}
	return ""
}

// isGerund reports whether a word is the -ing form of a known verb.
func isGerund(word string) bool {
	return strings.HasSuffix(word, "ing") && lemma(word) != "" && !baseVerbs[word]
}

// gerund returns the -ing form of a verb.
func gerund(verb string) string {
	n := len(verb) - 1
	switch {
	case strings.HasSuffix(verb, "ie"):
		return verb[:n-1] + "ying"
	case strings.HasSuffix(verb, "ee"), verb == "dye":
		return verb + "ing"
	case strings.HasSuffix(verb, "e"):
		return verb[:n] + "ing"
	case n > 1 && n < 4 && !isVowel(verb[n]) && verb[n] != 'w' && verb[n] != 'y' && isVowel(verb[n-1]) && !isVowel(verb[n-2]):
		return verb + verb[n:] + "ing"
	}
	return verb + "ing"
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }

// isPast reports whether a word is a past form or participle.
func isPast(word string) bool {
	if sameInPast[word] {
		return true
	}
	if _, ok := irregular[word]; ok {
		return !presentForms[word]
	}
	return strings.HasSuffix(word, "ed") && !baseVerbs[word] && lemma(word) != ""
}

var presentForms = set(`goes has is does are am`)

// SamePredicate reports whether two predicates differ only in the tense of their verb: the rules
// write VISITS, others VISITED.
func SamePredicate(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	verb, rest, _ := strings.Cut(strings.ToLower(a), "_")
	other, more, _ := strings.Cut(strings.ToLower(b), "_")
	return rest == more && lemma(verb) != "" && lemma(verb) == lemma(other)
}
