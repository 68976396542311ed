package offline

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var (
	// A word that may be a name, or a part of one.
	namePart = `(?:\p{Lu}[\p{L}\p{N}&'’-]*|\p{N}+\p{Lu}[\p{L}\p{N}]*)`

	// Names of several words; small words join only further names, and a
	// number ends a product's name.
	properName = regexp.MustCompile(`(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\. )?` + namePart +
		`(?: (?:(?:of|the|de|da|do|del|van|von|der|la|le|and the) ){0,2}` + namePart + `)*(?: \d+\b)?`)

	// An acronym with the nouns that say what it names.
	acronym = regexp.MustCompile(`\b[A-Z]{2,}\+? (?:(?:support|youth|pride|book|study|reading|running|alumni|student) )?` +
		`(?:group|club|team|center|centre|conference|community|meeting|parade|event|class|course|school|program|programme|workshop|network)\b`)

	quotedTitle = regexp.MustCompile(`"(\p{Lu}[^"\n]{1,80})"`)

	// Whoever is spoken to by name.
	vocative = regexp.MustCompile(`(?:^|[.!?]\s+)(?i:hey|hi|hello|thanks|thank you|wow|oh|yeah|yes|no|congrats|congratulations|bye|great|good morning|good luck)(?i:\s+so much)?,?\s+(\p{Lu}\p{L}+)[!,.?]` +
		`|,\s+(\p{Lu}\p{L}+)[!?.]\s*$`)

	familyName = regexp.MustCompile(`(?i:\b(?:sister|brother|mother|father|mom|mum|dad|wife|husband|partner|son|daughter|friend|boss|colleague|cousin|aunt|uncle|boyfriend|girlfriend|neighbou?r|manager|teacher|therapist|doctor))(?:,| is| called| named| is called| is named)? (\p{Lu}\p{L}+)`)
	placeName  = regexp.MustCompile(`\b(?:live|lives|lived|living|moved?|moving|travell?ed|flew|based|born|grew up|from|visit|visited|trip|holiday|vacation)(?: back)?(?: (?:in|to|from|at))? (\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*)`)
	workName   = regexp.MustCompile(`\b(?:work|works|worked|working|job|joined|started|position|career|employed|hired|intern|interview)(?: \w+){0,4} (?:at|for|by|with) (\p{Lu}[\p{L}\p{N}&'-]*(?: \p{Lu}[\p{L}\p{N}&'-]*)*)|\bjoined (\p{Lu}[\p{L}\p{N}&'-]*(?: \p{Lu}[\p{L}\p{N}&'-]*)*)`)
)

// findNames lists what an utterance names, in the order of the text.
func findNames(u utterance) []name {
	text := strings.NewReplacer("’", "'", "“", `"`, "”", `"`).Replace(u.text)
	labels := labelsOf(text)
	var found []name
	add := func(s, label string) {
		s = trimName(s)
		if s == "" || slices.ContainsFunc(found, func(n name) bool { return fold(n.text) == fold(s) }) {
			return
		}
		if label == "" {
			label = labels[s]
		}
		found = append(found, name{s, label})
	}
	for _, m := range acronym.FindAllString(text, -1) {
		add(m, "Organization")
	}
	for _, m := range quotedTitle.FindAllStringSubmatch(text, -1) {
		add(m[1], "Title")
	}
	rest := quotedTitle.ReplaceAllString(acronym.ReplaceAllString(text, ""), "")
	for _, m := range properName.FindAllStringIndex(rest, -1) {
		for _, s := range properNames(rest, m[0], m[1], labels) {
			add(s, "")
		}
	}
	return found
}

// properNames takes a run of capitalised words apart: what merely begins a
// sentence is no name, nor are days, months and exclamations.
func properNames(text string, start, end int, labels map[string]string) []string {
	words := strings.Fields(text[start:end])
	for len(words) > 0 && (isCommon(words[0]) || startsSentence(text, start) && len(words) == 1 && !standsAlone(text, end, words[0], labels)) {
		start += len(words[0]) + 1
		words = words[1:]
	}
	for len(words) > 0 && (isCommon(words[len(words)-1]) || smallWords[words[len(words)-1]]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil
	}
	s := strings.Join(words, " ")
	if len([]rune(s)) < 2 || isTime(s) {
		return nil
	}
	return []string{s}
}

func startsSentence(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t\"'(*-")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?\n:;…")
}

// standsAlone reports whether the first word of a sentence is a name all the
// same: it owns something, is followed by a verb of its own, or is known to be
// a person's or a place's.
func standsAlone(text string, end int, word string, labels map[string]string) bool {
	if strings.HasSuffix(word, "'s") || labels[trimName(word)] != "" {
		return true
	}
	if strings.Contains(text[end:], " "+word) {
		return true
	}
	next, _, _ := strings.Cut(strings.TrimLeft(text[end:], " "), " ")
	return subjectVerbs[strings.ToLower(strings.Trim(next, ",.!?"))]
}

// labelsOf tells the kind of the names that stand in a telling place.
func labelsOf(text string) map[string]string {
	labels := map[string]string{}
	mark := func(re *regexp.Regexp, label string) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			for _, s := range m[1:] {
				if s = trimName(s); s != "" && labels[s] == "" && !isCommon(s) {
					labels[s] = label
				}
			}
		}
	}
	mark(vocative, "Person")
	mark(familyName, "Person")
	mark(workName, "Organization")
	mark(placeName, "Place")
	return labels
}

func trimName(s string) string {
	s = strings.TrimSuffix(strings.Trim(s, " \t\n.,;:!?\"'()*-"), "'s")
	return strings.Join(strings.Fields(s), " ")
}

func isCommon(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".,;:!?\"'"))
	base, _, _ := strings.Cut(word, "'")
	return commonWords[word] || commonWords[base] || len(base) < 2
}

func isTime(s string) bool { return timeWords[strings.ToLower(s)] }

// fold makes spellings of one name equal: case, accents and spacing.
func fold(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
	return strings.Join(strings.Fields(s), " ")
}
