package answer

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/prose"
)

// word is a word in the form in which texts are compared.
type word struct {
	stem  string
	name  bool   // it begins with a capital letter
	owner bool   // it ends in 's: Alice's
	light bool   // it has no meaning of its own
	class bool   // it says of what kind the answer is: "What car does Jack drive?"
	of    string // for a day, its month; for a month, its year
}

var (
	isoDay      = pattern.New(`\b(\d{4})-(\d{2})-(\d{2})\b`)
	ordinals    = pattern.New(`^(\d+)(st|nd|rd|th)$`)
	grouped     = pattern.New(`(\d),(\d{3})\b`)
	wordPattern = pattern.New(`[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*`)
)

var months = []string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

var numbers = map[string]string{
	"zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "once": "1", "twice": "2",
}

// lightWords may be added in an answer, since they state nothing by themselves. Other function
// words do, and are not listed: "from" and "to", "only", "before".
var lightWords = setOf(`a an the of in on at by with for and or as is are was were be been being am 's has have had having do does did
	this that these those it its itself he him his himself she her hers herself they them their theirs themselves
	i me my mine we us our ours you your yours which who whom whose what where when there here also too then so into
	about said says say mentioned mentions told tells according now currently`)

var (
	negations  = setOf("not no never none nobody nothing neither nor without cannot hardly denied denies longer anymore")
	hedges     = setOf("might maybe perhaps could would should if unless probably possibly whether will won't going plans planning plan planned hopes hope wants intends considering may")
	firstWords = setOf("i me us we i'm i've i'd i'll we're we've we'd we'll mine myself")
	ownWords   = setOf("my our")
	reporting  = setOf("said says say mentioned mentions told tells asked")
	turning    = setOf("by with and")
	pronouns   = setOf("he she they it him her them his their its")
	pastWords  = setOf("was were had did former formerly previously past used ago")
	endWords   = setOf("until till ended")
	noLonger   = setOf("longer anymore")
	notOnly    = setOf("only just merely simply") // after "not", which is then no negation
	disputing  = setOf("disputed disputes dispute otherwise record")

	presentWords = setOf("now currently still today")
	presentVerbs = setOf("is are am being")
	perfectWords = setOf("has have i've we've they've")
)

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// plain removes accents and normalises quotes, dates and numbers.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(strings.NewReplacer("’", "'", "‘", "'").Replace(text)))
	text = grouped().ReplaceAllString(text, "$1$2")
	return isoDay().ReplaceAllStringFunc(text, func(day string) string {
		parts := strings.Split(day, "-")
		month, _ := strconv.Atoi(parts[1])
		if month < 1 || month > len(months) {
			return day
		}
		return parts[2] + " " + months[month-1] + " " + parts[0]
	})
}

// spelled returns the words of a text as they are spelled.
func spelled(text string) []string {
	var out []string
	for _, w := range wordPattern().FindAllString(plain(text), -1) {
		out = append(out, splitIdeographs(w)...)
	}
	return out
}

// splitIdeographs splits a word into the Chinese and Japanese characters that are words by
// themselves.
func splitIdeographs(w string) []string {
	if strings.IndexFunc(w, isIdeograph) < 0 {
		return []string{w}
	}
	var out []string
	rest := ""
	for _, r := range w {
		if !isIdeograph(r) {
			rest += string(r)
			continue
		}
		if rest != "" {
			out, rest = append(out, rest), ""
		}
		out = append(out, string(r))
	}
	if rest != "" {
		out = append(out, rest)
	}
	return out
}

func isIdeograph(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// wordOf converts a spelled word.
func wordOf(spelling string) word {
	first := []rune(spelling)[0]
	low := strings.ToLower(spelling)
	w := word{name: unicode.IsUpper(first)}
	if owner, ok := strings.CutSuffix(low, "'s"); ok {
		low, w.owner = owner, true
	}
	w.light = lightWords[low]
	if m := ordinals().FindStringSubmatch(low); m != nil {
		low = m[1]
	}
	if n, ok := numbers[low]; ok {
		low = n
	}
	if n, err := strconv.Atoi(low); err == nil {
		low = strconv.Itoa(n) // 04 is 4
	}
	w.stem = english.Stem(lemmas(low), true)
	return w
}

// irregular maps irregular forms of common verbs, which a stemmer does not reduce, to the verb.
var irregular = func() map[string]string {
	forms := map[string]string{}
	for _, line := range strings.Split(`go goes went gone;see saw seen;take took taken;give gave given;buy bought;eat ate eaten;get got gotten;make made
make making;come came;leave left leaving;meet met;begin began begun;write wrote written writing;speak spoke spoken;drive drove driven driving;fly flew flown flies
sell sold;teach taught teaches;keep kept;find found;lose lost losing;win won winning;run ran running;swim swam swum swimming;sing sang sung;grow grew grown
break broke broken;choose chose chosen;wear wore worn;drink drank drunk;sleep slept;think thought;bring brought;feel felt;hold held
marry married marries;study studied studies;move moved moving;live lived living lives;love loved loving loves;like liked likes liking`, "\n") {
		for _, verb := range strings.Split(line, ";") {
			all := strings.Fields(verb)
			for _, form := range all[1:] {
				forms[form] = all[0]
			}
		}
	}
	return forms
}()

// pastForms are the irregular forms that express the past.
var pastForms = sync.OnceValue(func() map[string]bool {
	past := map[string]bool{}
	for form := range irregular {
		past[form] = !strings.HasSuffix(form, "s") && !strings.HasSuffix(form, "ing")
	}
	return past
})

func lemmas(low string) string {
	if base, ok := irregular[low]; ok {
		return base
	}
	return low
}

// sentencesOf splits a text into sentences, and at line breaks.
func sentencesOf(text string) []string {
	var out []string
	for _, s := range prose.Sentences(text) {
		if one := strings.TrimSpace(s); one != "" {
			out = append(out, one)
		}
	}
	return out
}

// clausesOf splits a sentence at the beginning of another statement.
func clausesOf(sentence string) []string {
	var out []string
	start := 0
	for _, at := range joints().FindAllStringIndex(sentence, -1) {
		if len(strings.Fields(sentence[start:at[0]])) < 3 {
			continue
		}
		out = append(out, sentence[start:at[0]])
		start = at[0]
	}
	return append(out, sentence[start:])
}

// joints matches conjunctions that begin another statement; "Alice and Bob" has none.
var joints = pattern.New(`;\s+|(?:,\s+|\s)(?:and|but|while|whereas|although|though|because)\s+(?:then\s+)?(?:(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he)\b|\p{Lu})|,\s+(?:but|while|whereas|and)\s`)
