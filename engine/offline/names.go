package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	quotedTitle = pattern.New(`"(\p{Lu}[^"\n]{1,80})"`)
	address     = pattern.New(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)
	handle      = pattern.New(`(?:^|[\s(])(@[\p{L}\p{N}_]{2,})`)

	// Words after an acronym that belong to its name: "LGBTQ support group".
	acronymHeads = set(`group club team center centre conference community meeting parade event class course school program
		programme workshop network movement rights march festival`)
	joiners = set(`of the de da do del della di van von der den la le du al bin y`)
	titles  = set(`Dr Mr Mrs Ms Prof St Dr. Mr. Mrs. Ms. Prof. St. Professor`)

	// Words after a person's name in a name: "Saint Luke's Hospital".
	namesakes = set(`Hospital Hospice Clinic Church Cathedral College School University Academy Institute Bank Bakery Restaurant
		Hotel Inn Cafe Café Pizzeria Diner Bar Pub Theatre Theater Museum Square Market Park Island Bay Cove`)
)

// word is a word of a text with its position.
type word struct {
	core       string // without punctuation around it
	tail       string // punctuation after it
	lead       string // punctuation before it
	first      bool   // first word of a sentence
	start, end int    // of the core in the text
}

// lower returns the word in lower case.
func (w word) lower() string { return strings.ToLower(w.core) }

// wordsOf splits a text into words.
func wordsOf(text string) []word {
	var out []word
	first := true
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			first = first || r == '\n'
			at += size
			continue
		}
		end := at
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if unicode.IsSpace(r) || r == '—' || r == '/' && end > at {
				break
			}
			end += size
		}
		if end == at { // a dash or slash by itself separates words
			at += size
			continue
		}
		w := newWord(text, at, end, first)
		first = strings.ContainsAny(w.tail, ".!?:;…") && !titles[w.core] && len(w.core) != 1
		if w.core != "" {
			out = append(out, w)
		}
		at = end
	}
	return out
}

func newWord(text string, start, end int, first bool) word {
	raw := text[start:end]
	core := strings.TrimLeftFunc(raw, notInWord)
	lead := raw[:len(raw)-len(core)]
	core = strings.TrimRightFunc(core, func(r rune) bool { return notInWord(r) && r != '+' })
	start += len(lead)
	return word{
		core: core, lead: lead, tail: raw[len(lead)+len(core):],
		first: first || strings.ContainsAny(lead, `"(*•-`), start: start, end: start + len(core),
	}
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// nameFinder collects the names of one utterance.
type nameFinder struct {
	u     utterance
	words []word
	lower map[string]bool // words that occur in lower case
	inner map[string]bool // words that are capitalised within a sentence
	loud  bool            // most words are all capitals, so that case shows nothing
	found []name
	known map[string]int
}

const (
	maxNames     = 300 // at most, from one utterance
	maxNameWords = 12  // more words are a heading in capitals, and no name
)

// findNames returns the names in an utterance, in the order of the text.
func findNames(u utterance) []name {
	f := nameFinder{u: u, lower: map[string]bool{}, inner: map[string]bool{}, known: map[string]int{}}
	text := f.takeQuoted(aside().ReplaceAllString(u.text, " "))
	f.words = wordsOf(text)
	capitals := 0
	for _, w := range f.words {
		if w.core == w.lower() {
			f.lower[w.core] = true
		} else if !w.first {
			f.inner[w.core] = true
		}
		if len(w.core) > 1 && isUpper(w.core) {
			capitals++
		}
	}
	f.loud = capitals > 3 && capitals*2 > len(f.words)
	for i := 0; i < len(f.words) && len(f.found) < maxNames; {
		i = f.nameAt(i)
	}
	return f.found
}

// takeQuoted adds titles, addresses and handles, and returns the text without them.
func (f *nameFinder) takeQuoted(text string) string {
	if strings.Contains(text, `"`) {
		text = quotedTitle().ReplaceAllStringFunc(text, func(quoted string) string {
			title := strings.Trim(quoted, `", `)
			if !isTitle(title) {
				return quoted
			}
			f.add(title, "Title")
			return " "
		})
	}
	if strings.Contains(text, "@") {
		for _, m := range address().FindAllString(text, -1) {
			f.add(m, "Email")
		}
		text = address().ReplaceAllString(text, " ")
		for _, m := range handle().FindAllStringSubmatch(text, -1) {
			f.add(m[1], "")
		}
	}
	return text
}

// isTitle reports whether a quoted text is a title, and not something said.
func isTitle(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && len(words) <= 8 && !strings.ContainsAny(s[len(s)-1:], ".!?") && !strings.Contains(s, "I'm") &&
		(len(words) > 1 || !isCommon(words[0]))
}

func (f *nameFinder) add(text, label string) {
	text = strings.TrimSuffix(text, "'s")
	if n := utf8.RuneCountInString(text); n < 2 || n > 80 || len(f.found) == maxNames {
		return
	}
	key := fold(text)
	if i, ok := f.known[key]; ok {
		if f.found[i].label == "" {
			f.found[i].label = label
		}
		return
	}
	f.known[key] = len(f.found)
	f.found = append(f.found, name{text: text, label: label})
}

// nameAt reads the run of capitalised words at i and returns where to continue.
func (f *nameFinder) nameAt(i int) int {
	if f.loud || !capitalised(f.words[i].core) {
		return i + 1
	}
	end := f.run(i)
	from, to := f.trim(i, end)
	if from == to {
		return end
	}
	to = f.headOfAcronym(from, to)
	if f.isName(from, to) {
		text := f.text(from, to)
		f.add(text, f.label(from, to))
		if i, ok := f.known[fold(text)]; ok && f.isSpokenTo(from, to) {
			f.found[i].spokenTo = true
		}
	}
	return max(to, end)
}

// run returns the end of the run of capitalised words from i, including small words within it and
// the number of a product after it.
func (f *nameFinder) run(i int) int {
	end := i + 1
	for end < len(f.words) && end < i+maxNameWords && f.joins(end-1) {
		next := end
		for next < len(f.words) && next < end+2 && joiners[f.words[next].core] && f.joins(next) {
			next++
		}
		if next == len(f.words) || !capitalised(f.words[next].core) || f.words[next].lead != "" {
			break
		}
		end = next + 1
	}
	if end < len(f.words) && f.joins(end-1) && f.isModelNumber(end) {
		end++
	}
	return end
}

// joins reports whether only a space follows word i.
func (f *nameFinder) joins(i int) bool {
	w := f.words[i]
	owns := strings.HasSuffix(w.core, "'s") && (i+1 == len(f.words) || !namesakes[f.words[i+1].core])
	return w.tail == "" && !owns || w.tail == "." && (titles[w.core] || len(w.core) == 1)
}

// isModelNumber reports whether a number belongs to a product's name ("LaserJet 400") and is no
// count ("Anna 3 times").
func (f *nameFinder) isModelNumber(i int) bool {
	w := f.words[i]
	if len(w.core) > 5 || strings.Trim(w.core, "0123456789") != "" || w.lead != "" {
		return false
	}
	isYear := len(w.core) == 4 && w.core >= "1900" && w.core < "2040"
	last := i+1 == len(f.words) || w.tail != "" || phraseStops[f.words[i+1].lower()] || lemma(f.words[i+1].lower()) != ""
	return !isYear && last && !timeWords[f.words[i-1].lower()]
}

// trim removes common words from both ends of a run, and a verb at its start that begins the
// sentence ("Visited Paris").
func (f *nameFinder) trim(from, to int) (int, int) {
	for from < to && !places()[f.text(from, to)] {
		w := f.words[from]
		if !w.first && to-from > 1 && nameStarts[w.core] || to-from == 1 && f.isPlace(from) {
			break
		}
		common := isCommon(w.core) && (!titles[w.core] || to-from == 1) || joiners[w.core]
		verb := w.first && to-from > 1 && (lemma(w.lower()) != "" || strings.HasSuffix(w.core, "ing") || strings.HasSuffix(w.core, "ly"))
		if !common && !verb {
			break
		}
		from++
	}
	if to-from == 2 && f.words[from].first && f.u.isListener(f.words[from+1].core) && !f.u.isListener(f.text(from, to)) {
		from++ // "Anytime Nate"
	}
	for from < to && (isCommon(f.words[to-1].core) || joiners[f.words[to-1].core]) && (to-from > 1 || !f.isPlace(from)) {
		to--
	}
	return from, to
}

// nameStarts are common words that begin names of several words.
var nameStarts = set(`New Best Great Big Old Good Little First Super True Wild Next Own Half Two Three`)

// headOfAcronym extends an acronym by the words that say what it names.
func (f *nameFinder) headOfAcronym(from, to int) int {
	if to-from != 1 || !isUpper(f.words[from].core) || len(f.words[from].core) < 3 {
		return to
	}
	for end := to; end < len(f.words) && end < to+2 && f.joins(end-1); end++ {
		if acronymHeads[f.words[end].core] {
			return end + 1
		}
	}
	return to
}

// isName reports whether words are a name. The first word of a sentence needs more evidence than
// its capital letter.
func (f *nameFinder) isName(from, to int) bool {
	w := f.words[from]
	switch {
	case to-from > 1:
		return !f.shouted(from, to)
	case timeWords[w.lower()], len(strings.TrimSuffix(w.core, "'s")) < 2:
		return false
	case isUpper(w.core):
		return len(w.core) <= 6 && !f.lower[w.lower()] && !baseVerbs[w.lower()] && f.aloneInCapitals(from)
	case w.first:
		return f.standsAlone(from)
	}
	return !f.lower[w.lower()]
}

func (f *nameFinder) shouted(from, to int) bool {
	return !slices.ContainsFunc(f.words[from:to], func(w word) bool { return !isUpper(w.core) })
}

func (f *nameFinder) aloneInCapitals(i int) bool {
	shouts := func(j int) bool {
		return j >= 0 && j < len(f.words) && len(f.words[j].core) > 1 && isUpper(f.words[j].core)
	}
	return !shouts(i-1) && !shouts(i+1)
}

// text returns the name as written.
func (f *nameFinder) text(from, to int) string {
	parts := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		part := f.words[i].core
		if i+1 < to && f.words[i].tail == "." {
			part += "."
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

func isUpper(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }

// capitalised reports whether a word is written like a name: with a capital first or, as in iPhone,
// second.
func capitalised(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	if unicode.IsUpper(first) {
		return !(len(s) > 1 && s[1] == '-')
	}
	second, _ := utf8.DecodeRuneInString(s[size:])
	return first >= 'a' && first <= 'z' && unicode.IsUpper(second)
}

func isCommon(word string) bool {
	word = strings.ToLower(word)
	base, _, _ := strings.Cut(word, "'")
	return commonWords[word] || commonWords[base] || timeWords[base]
}

// fold removes differences between spellings of a name: case, accents and spacing.
func fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
	return strings.Join(strings.Fields(s), " ")
}

// isPlain reports whether a name is ASCII with single spaces.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}
