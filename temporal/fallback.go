package temporal

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-dateparser/date"
)

// maxForeign is how many bytes of a text are searched for dates in other languages, which
// costs milliseconds.
const maxForeign = 2048

// foreignScripts gives the languages to search by the script of a text. Latin comes last: a
// text has it if it has no other.
var foreignScripts = []struct {
	script    *unicode.RangeTable
	languages []string
}{
	{unicode.Cyrillic, []string{"ru", "uk"}},
	{unicode.Hiragana, []string{"ja"}},
	{unicode.Katakana, []string{"ja"}},
	{unicode.Hangul, []string{"ko"}},
	{unicode.Han, []string{"zh", "ja"}},
	{unicode.Greek, []string{"el"}},
	{unicode.Arabic, []string{"ar", "fa"}},
	{unicode.Hebrew, []string{"he"}},
	{unicode.Devanagari, []string{"hi"}},
	{unicode.Latin, []string{"de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "pl", "cs", "tr", "id"}},
}

// monthStems begin the names of months in the Latin languages above. A text without one is
// passed over, because searching all of them takes a tenth of a second.
var monthStems = set(`jan led sty oca tam ene gen feb fév fev úno lut şub hel mar mär mrt maa bře apr
	abr avr dub kwi nis huh mai may maj mag mei kvě tou jun jui jún giu čer cze haz kes jul júl lug lip
	tem hei aug aoû aou ago srp sie ağu elo sep set zář wrz eyl syy okt oct ott out říj paź eki lok
	nov lis kas mar dez dec déc dic des pro gru ara jou agu mai`)

// englishWords are frequent in English and rare in the languages above.
var englishWords = set(`the and is was were are of to you it that this with have has had we they
	he she my your our their i be been not what when where who how would could should will just
	about from for by at out up`)

// foreignParsers are reused, since a parser prepares its languages once.
var foreignParsers = sync.Pool{New: func() any { return &dateparser.Parser{} }}

// foreign searches a text in another language for absolute dates. It answers only where it is
// sure: the text has no English words, and the date names its month in letters and its year
// in four digits.
func (r Reader) foreign(text string, toks []token, ref time.Time) []Expression {
	if len(text) > maxForeign || !notEnglish(toks) {
		return nil
	}
	languages := foreignLanguages(text, toks)
	if languages == nil {
		return nil
	}
	parser := foreignParsers.Get().(*dateparser.Parser)
	defer foreignParsers.Put(parser)
	_, results, err := parser.Search(&dateparser.Configuration{
		Languages:           languages,
		CurrentTime:         ref,
		DefaultTimezone:     ref.Location(),
		PreferredDayOfMonth: dateparser.First,
		RequiredParts:       []string{"month", "year"},
	}, text)
	if err != nil {
		return nil
	}
	var found []Expression
	from := 0
	for _, res := range results {
		at := strings.Index(text[from:], res.Text)
		if at < 0 || !namesDate(res.Text) {
			continue
		}
		if e, ok := foreignExpression(res, from+at, ref); ok {
			found = append(found, e)
		}
		from += at + len(res.Text)
	}
	return found
}

func foreignExpression(res dateparser.SearchResult, start int, ref time.Time) (Expression, bool) {
	g := Day
	switch {
	case res.Date.Period != date.Month && res.Date.Period != date.Day:
		return Expression{}, false
	case len(strings.FieldsFunc(res.Text, func(r rune) bool { return !isDigit(r) })) == 1:
		g = Month // the year is the only number
	}
	return Expression{
		Start: start, End: start + len(res.Text), Text: res.Text,
		Interval: whole(res.Date.Time.In(ref.Location()), g), Granularity: g,
	}, true
}

// notEnglish reports a number of four digits among words none of which is frequent in English.
func notEnglish(toks []token) bool {
	year, words := false, false
	for _, t := range toks {
		switch {
		case t.kind == numberToken:
			year = year || t.width == 4
		case t.kind == wordToken && englishWords[t.text]:
			return false
		case t.kind == wordToken:
			words = true
		}
	}
	return year && words
}

// foreignLanguages are those that the text may be in, or nil where no month seems named.
func foreignLanguages(text string, toks []token) []string {
	for _, s := range foreignScripts {
		if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(s.script, r) }) {
			continue
		}
		if s.script != unicode.Latin || slices.ContainsFunc(toks, stemsMonth) {
			return s.languages
		}
	}
	return nil
}

func stemsMonth(t token) bool {
	letters := []rune(t.text)
	return t.kind == wordToken && len(letters) >= 3 && monthStems[string(letters[:3])]
}

// namesDate reports a four-digit year and a month in letters (three or more, or the sign 月).
func namesDate(s string) bool {
	letters, digits, year := 0, 0, false
	for _, r := range s {
		switch {
		case isDigit(r):
			digits++
			year = year || digits == 4
		case unicode.IsLetter(r):
			letters++
			if r == '月' || r == '월' {
				letters += 3
			}
			digits = 0
		default:
			digits = 0
		}
	}
	return year && letters >= 3
}
