package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// foreignBounds are the words of German, French, Spanish, Portuguese and Dutch that open a range before
// its date, folded: "seit dem 1. Juni 2024", "desde mayo de 2021", "tot 2020".
var foreignBounds = map[string]side{
	"seit": since, "ab": since, "depuis": since, "desde": since, "sinds": since, "vanaf": since,
	"bis": until, "hasta": until, "tot": until,
}

// foreignArticles stand between such a word and its date.
var foreignArticles = set("dem den der le la el het zum")

// wordBefore returns the last word before byte at, without articles, no further back than byte after.
func (p *parser) wordBefore(after, at int) part {
	for _, w := range partsBefore(p.text, max(after, at-maxForeignBytes), at) {
		if w.number != 0 {
			break
		}
		if !foreignArticles[fold(w.text)] {
			return w
		}
	}
	return part{}
}

// boundBefore opens a date of another language on one side, if the word before it says so.
func (p *parser) boundBefore(e Expression, after int) Expression {
	word := p.wordBefore(after, e.Start)
	opened := p.foreignExpression(word.start, e.End, e.Interval, e.Granularity)
	opened.last = e.last
	switch foreignBounds[fold(word.text)] {
	case since:
		opened.Interval = temporal.Interval{Start: e.Interval.Start}
	case until:
		opened.Interval = temporal.Interval{End: e.Interval.End}
	default:
		return e
	}
	return opened
}

// yearInBound reads a year of another language after a word that opens a range: "seit 2021".
func (p *parser) yearInBound(i, after int) (Expression, bool) {
	at := p.at(i)
	before := partsBefore(p.text, max(after, at.start-maxForeignBytes), at.start)
	t, ok := p.civil(at.value, 1, 1)
	if !ok || len(before) == 0 || foreignBounds[fold(before[0].text)] == 0 {
		return Expression{}, false
	}
	return p.foreignExpression(at.start, at.end, whole(t, calendar.Year), calendar.Year), true
}

// germanDays come before a day or month without a year and say on which side of now it lies.
var germanDays = map[string]Preference{"seit": Past, "ab": Future, "bis": Future, "am": ByTense, "im": ByTense, "vom": ByTense, "zum": ByTense}

// germanPhrases maps German phrases for days, weeks, months and years near now to the English ones.
var germanPhrases = map[string]string{
	"gestern": "yesterday", "vorgestern": "the day before yesterday", "heute": "today", "übermorgen": "the day after tomorrow",
	"letzte woche": "last week", "letzten monat": "last month", "letztes jahr": "last year", "vorige woche": "last week",
	"vorigen monat": "last month", "voriges jahr": "last year", "diese woche": "this week", "diesen monat": "this month",
	"dieses jahr": "this year", "nächste woche": "next week", "nächsten monat": "next month", "nächstes jahr": "next year",
}

// germanNext are the first words of such phrases of two words.
var germanNext = set("letzte letzten letztes vorige vorigen voriges diese diesen dieses nächste nächsten nächstes")

// german reads the German dates of a text that name no year: "am 3. Mai", "seit Juni", "letzten Monat".
func (p *parser) german() (found []Expression) {
	last := 0
	for i, t := range p.toks {
		if t.kind != wordToken || t.start < last {
			continue
		}
		e, ok := p.germanPhrase(i)
		if !ok {
			e, ok = p.germanDay(i, last)
		}
		if ok && plausible(e.Interval) {
			found = append(found, e)
			last = e.End
		}
	}
	return found
}

// germanPhrase reads "gestern" and "letzten Monat".
func (p *parser) germanPhrase(i int) (Expression, bool) {
	words, end := p.word(i), p.at(i).end
	english, ok := germanPhrases[words]
	if !ok && germanNext[words] && p.at(i+1).kind == wordToken {
		english, ok = germanPhrases[words+" "+p.word(i+1)]
		end = p.at(i + 1).end
	}
	if !ok {
		return Expression{}, false
	}
	for _, e := range (Reader{}).Find(english, p.ref) {
		e.Start, e.End, e.Text = p.at(i).start, end, p.text[p.at(i).start:end]
		return e, true
	}
	return Expression{}, false
}

// germanDay reads "am 3. Mai" and "seit Juni", given the month at token i.
func (p *parser) germanDay(i, after int) (Expression, bool) {
	month, ok := germanMonths[p.word(i)]
	if !ok {
		return Expression{}, false
	}
	at := p.at(i).start
	date := parts{month: month}
	if before := partsBefore(p.text, max(after, at-maxForeignBytes), at); len(before) > 0 && p.isDay(before[0]) {
		at, date.day = before[0].start, before[0].number
	}
	word := p.wordBefore(after, at)
	side, leads := germanDays[fold(word.text)]
	if !leads {
		return Expression{}, false
	}
	if side != ByTense {
		defer p.prefer(side)()
	}
	placed, ok := p.place(partsWhen(date))
	if !ok {
		return Expression{}, false
	}
	e := p.foreignExpression(at, p.at(i).end, placed, partsWhen(date).gran)
	return p.boundBefore(e, after), true
}

// germanMonths maps the full German names to the months, with and without accents.
var germanMonths = func() map[string]time.Month {
	months := map[string]time.Month{}
	for m, forms := range strings.Split(monthNames["de"], "|") {
		for form := range strings.FieldsSeq(forms) {
			if len(form) > 3 || form == "mai" {
				months[fold(form)], months[form] = time.Month(m+1), time.Month(m+1)
			}
		}
	}
	return months
}()

// foreignPhases are the words of German, French, Spanish, Italian, Portuguese and Dutch for a
// phase of a month or a year, folded: "Ende Mai 2024", "a finales de mayo de 2024", "mi-mai 2024".
var foreignPhases = func() map[string]phase {
	m := map[string]phase{}
	for ph, words := range map[phase]string{
		early:  `anfang debut principios comienzos inicios inizio inizi inicio comeco begin`,
		middle: `mitte mi mediados meta meados midden medio halverwege`,
		ending: `ende fin fines finales final fine fim finais eind einde`,
	} {
		for w := range set(words) {
			m[w] = ph
		}
	}
	return m
}()

// phasesOfYears need no particle before a year. "final 2012" is left out: it is a match.
var phasesOfYears = set(`ende anfang mitte fin debut eind`)

// phaseBefore reads the word for a phase before byte at, no further back than byte after.
func (p *parser) phaseBefore(after, at int, year bool) (ph phase, start int) {
	all := partsBefore(p.text, max(after, at-maxForeignBytes), at)
	parts := skipParticles(all)
	if len(parts) == 0 || parts[0].number != 0 {
		return noPhase, 0
	}
	word := fold(parts[0].text)
	between := p.text[parts[0].start+len(parts[0].text) : at]
	if strings.ContainsAny(between, ",;–—()/.") || strings.Contains(between, " -") || year && len(all) == len(parts) && !phasesOfYears[word] {
		return noPhase, 0
	}
	return foreignPhases[word], parts[0].start
}

// inPhase narrows a month or a year of another language to its phase, if one is named.
func (p *parser) inPhase(e Expression, after int) Expression {
	ph, start := p.phaseBefore(after, e.Start, e.Granularity == calendar.Year)
	if ph == noPhase || e.Granularity != calendar.Month && e.Granularity != calendar.Year {
		return e
	}
	of := fixedWhen(e.Interval, e.Granularity)
	if e.Granularity == calendar.Year {
		of = partsWhen(parts{year: e.Interval.Start.Year()})
	}
	w, end := p.phased(of, ph, 1)
	if end == 0 {
		return e
	}
	phased := p.foreignExpression(start, e.End, w.placed, w.gran)
	phased.last = w.last
	return phased
}

// yearInPhase reads a year of another language that follows the word for its phase: "Ende 2024".
func (p *parser) yearInPhase(i, after int) (Expression, bool) {
	ph, _ := p.phaseBefore(after, p.at(i).start, true)
	t, ok := p.civil(p.at(i).value, 1, 1)
	if ph == noPhase || !ok {
		return Expression{}, false
	}
	return p.foreignExpression(p.at(i).start, p.at(i).end, whole(t, calendar.Year), calendar.Year), true
}
