package dates

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// englishWords are frequent in English and rare in the languages of monthNames.
var englishWords = set(`the and is was were are of to you it that this with have has had we they
	he she my your our their i be been not what when where who how would could should will just
	about from for by at out up`)

const (
	// maxForeignYears is the number of years of a text at which a date in another language is
	// sought.
	maxForeignYears = 16
	// maxForeignParts is the maximum number of words and numbers before a year that may belong to
	// its date, and maxForeignBytes their maximum length.
	maxForeignParts, maxForeignBytes = 5, 60
)

// foreign reads the dates of a text in another language. It does so only if it can be sure: the
// text has no English words, and the date names its month in letters, followed by its year in four
// digits. German dates are also read without a year.
func (r Reader) foreign(p *parser) []Expression {
	if !notEnglish(p.toks) {
		return nil
	}
	var found []Expression
	last, years := 0, 0
	for i, t := range p.toks {
		if t.kind != numberToken || t.width != 4 || t.value < 1000 || years == maxForeignYears {
			continue
		}
		years++
		e, ok := p.eastAsian(i)
		if !ok {
			e, ok = p.foreignBefore(i, last)
		}
		if !ok {
			e, ok = p.yearInPhase(i, last)
		}
		if !ok {
			e, ok = p.yearInBound(i, last)
		}
		if ok {
			e = p.boundBefore(p.inPhase(e, last), last)
		}
		if ok && plausible(e.Interval) && e.Start >= last {
			found = append(found, e)
			last = e.End
		}
	}
	if found == nil {
		return p.german()
	}
	return found
}

// notEnglish reports whether a text has words, but none that is frequent in English.
func notEnglish(toks []token) bool {
	words := false
	for _, t := range toks {
		switch {
		case t.kind == wordToken && englishWords[t.text]:
			return false
		case t.kind == wordToken:
			words = true
		}
	}
	return words
}

// eastAsian reads 2021年5月8日 and 2021년 5월 8일, whose characters name the parts.
func (p *parser) eastAsian(i int) (Expression, bool) {
	if !p.is(i+1, "年", "년") || !p.is(i+3, "月", "월") && !strings.HasPrefix(p.word(i+3), "月") && !strings.HasPrefix(p.word(i+3), "월") {
		return Expression{}, false
	}
	y, m, d := p.at(i).value, p.at(i+2).value, 1
	g, end := calendar.Month, p.at(i+3).start+len("月")
	if sign := p.word(i + 5); p.at(i+4).kind == numberToken && (strings.HasPrefix(sign, "日") || strings.HasPrefix(sign, "일") || strings.HasPrefix(sign, "号")) {
		d, g, end = p.at(i+4).value, calendar.Day, p.at(i+5).start+len("日")
	}
	t, ok := p.civil(y, time.Month(m), d)
	if !ok {
		return Expression{}, false
	}
	return p.foreignExpression(p.at(i).start, end, whole(t, g), g), true
}

// foreignBefore reads the date that ends with the year at token i and begins at byte after or
// later: "5 de mayo de 2021", "mayo 5, 2021", "3. März 2019", "mai 2021".
func (p *parser) foreignBefore(i, after int) (Expression, bool) {
	parts := skipParticles(partsBefore(p.text, max(after, p.at(i).start-maxForeignBytes), p.at(i).start))
	day := part{}
	if len(parts) > 1 && p.isDay(parts[0]) { // "mayo 5, 2021"
		day, parts = parts[0], skipParticles(parts[1:])
	}
	if len(parts) == 0 {
		return Expression{}, false
	}
	month := monthNamed(parts[0].text)
	start := parts[0].start
	if before := skipParticles(parts[1:]); day.number == 0 && len(before) > 0 && p.isDay(before[0]) {
		day = before[0]
	}
	year := p.at(i).value
	if t, ok := p.civil(year, month, day.number); ok && day.number > 0 {
		return p.foreignExpression(min(start, day.start), p.at(i).end, whole(t, calendar.Day), calendar.Day), true
	}
	t, ok := p.civil(year, month, 1)
	return p.foreignExpression(start, p.at(i).end, whole(t, calendar.Month), calendar.Month), ok
}

// isDay reports whether a number is the day of a month. A number joined to the word before it is
// not ("Covid-19 mars 2020"), except to a Hebrew preposition or to another day.
func (p *parser) isDay(d part) bool {
	k, ok := slices.BinarySearchFunc(p.toks, d.start, func(t token, start int) int { return t.start - start })
	if !ok || d.number < 1 || d.number > 31 || p.at(k).width > 2 {
		return false
	}
	before := p.at(k - 2)
	return p.begins(k) || p.is(k-1, "-") && (before.kind == numberToken && before.width <= 2 || unicode.Is(unicode.Hebrew, firstRune(before.text)))
}

func (p *parser) foreignExpression(start, end int, at temporal.Interval, g calendar.Granularity) Expression {
	return Expression{Start: start, End: end, Text: p.text[start:end], Interval: at, Granularity: g}
}

// part is a word or a number before a year.
type part struct {
	start  int // byte offset
	text   string
	number int // 0: it is a word
}

// partsBefore lists the last words and numbers of text[from:to], in reverse order, as long as only
// characters common in dates stand between them. Unlike tokens, words keep their accents and vowel
// signs, which are separate marks in Hindi.
func partsBefore(text string, from, to int) []part {
	var parts []part
	for len(parts) < maxForeignParts {
		rest := strings.TrimRight(text[from:to], " \u00a0\t\r\n.,-–/'’()")
		if rest == "" || to-from-len(rest) > len(" – ") {
			break
		}
		end, number := from+len(rest), isDigit(lastRune(rest))
		begin := end - len(lastWord(rest, number))
		if begin == end {
			break
		}
		next := part{start: begin, text: text[begin:end]}
		if number {
			next.number = scanNumber(next.text, 0).value
		}
		parts = append(parts, next)
		to = begin
	}
	return parts
}

// lastWord returns the word or number at the end of a text.
func lastWord(text string, number bool) string {
	before := strings.TrimRightFunc(text, func(r rune) bool { return number && isDigit(r) || !number && inWord(r) })
	return text[len(before):]
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || r == '॰' || r == '׳' }

// skipParticles skips the words that stand within dates.
func skipParticles(parts []part) []part {
	for len(parts) > 0 && parts[0].number == 0 && foreignParticles[fold(parts[0].text)] {
		parts = parts[1:]
	}
	return parts
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
