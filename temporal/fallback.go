package temporal

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-dateparser/date"
)

// foreignScripts gives the languages to search by the script of a text. Latin comes last: a
// text has it if it has no other.
var foreignScripts = []struct {
	script    *unicode.RangeTable
	languages []string
}{
	{unicode.Cyrillic, []string{"ru", "uk"}},
	{unicode.Greek, []string{"el"}},
	{unicode.Arabic, []string{"ar", "fa"}},
	{unicode.Hebrew, []string{"he"}},
	{unicode.Devanagari, []string{"hi"}},
	{unicode.Latin, []string{"de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "pl", "cs", "tr", "id"}},
}

// monthStems begin the names of months in the Latin languages above. A text without one is
// passed over, because asking all of them takes long.
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

// maxForeignYears is how many years of a text are looked at for a date in another language.
const maxForeignYears = 16

// foreign reads the absolute dates of a text in another language. It answers only where it is
// sure: the text has no English words, and the date names its month in letters and its year
// in four digits. Only the words before a year go to go-dateparser, one date at a time; the
// library's own search takes time and memory exponential in the text.
func (r Reader) foreign(p *parser) []Expression {
	if !notEnglish(p.toks) {
		return nil
	}
	languages := foreignLanguages(p.text, p.toks)
	var found []Expression
	last, years := 0, 0
	for i, t := range p.toks {
		if t.kind != numberToken || t.width != 4 || t.value < 1000 || years == maxForeignYears {
			continue
		}
		years++
		e, ok := p.eastAsian(i)
		if !ok && languages != nil {
			e, ok = p.foreignBefore(i, last, languages)
		}
		if ok && plausible(e.Interval) && e.Start >= last {
			found = append(found, e)
			last = e.End
		}
	}
	return found
}

// eastAsian reads 2021年5月8日 and 2021년 5월 8일, whose signs name the parts.
func (p *parser) eastAsian(i int) (Expression, bool) {
	if !p.is(i+1, "年", "년") || !p.is(i+3, "月", "월") && !strings.HasPrefix(p.word(i+3), "月") && !strings.HasPrefix(p.word(i+3), "월") {
		return Expression{}, false
	}
	y, m, d := p.at(i).value, p.at(i+2).value, 1
	g, end := Month, p.at(i+3).start+len("月")
	if sign := p.word(i + 5); p.at(i+4).kind == numberToken && (strings.HasPrefix(sign, "日") || strings.HasPrefix(sign, "일") || strings.HasPrefix(sign, "号")) {
		d, g, end = p.at(i+4).value, Day, p.at(i+5).start+len("日")
	}
	t, ok := p.civil(y, time.Month(m), d)
	if !ok {
		return Expression{}, false
	}
	return p.foreignExpression(p.at(i).start, end, whole(t, g), g), true
}

// foreignBefore reads the date that ends with the year at token i, trying the longest first:
// "5 de mayo de 2021", "3. März 2019", "mai 2021".
func (p *parser) foreignBefore(i, after int, languages []string) (Expression, bool) {
	parser := foreignParsers.Get().(*dateparser.Parser)
	defer foreignParsers.Put(parser)
	for k := max(0, i-5); k < i; k++ {
		from := p.at(k)
		if from.start < after || from.kind == markToken || from.kind == numberToken && (from.width > 2 || !p.begins(k)) {
			continue
		}
		text := p.text[from.start:p.at(i).end]
		if !namesDate(text) || from.kind == wordToken && !stemsMonth(from) && unicode.Is(unicode.Latin, firstRune(text)) {
			continue
		}
		d, err := parser.Parse(&dateparser.Configuration{
			Languages:           languages,
			CurrentTime:         p.ref,
			DefaultTimezone:     p.ref.Location(),
			PreferredDayOfMonth: dateparser.First,
			RequiredParts:       []string{"month", "year"},
		}, text)
		if err != nil || d.Period != date.Month && d.Period != date.Day {
			continue
		}
		g := Month
		if slices.ContainsFunc(p.toks[k:i], func(t token) bool { return t.kind == numberToken }) {
			g = Day
		}
		return p.foreignExpression(from.start, p.at(i).end, whole(d.Time.In(p.ref.Location()), g), g), true
	}
	return Expression{}, false
}

func (p *parser) foreignExpression(start, end int, at Interval, g Granularity) Expression {
	return Expression{Start: start, End: end, Text: p.text[start:end], Interval: at, Granularity: g}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
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

// namesDate reports a text short enough for one date, with a word of three letters in it.
func namesDate(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3 && len(s) <= 60
}
