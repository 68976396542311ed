package dates

import (
	"strings"

	"github.com/annalsdb/annals/internal/calendar"
)

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

// phasesOfYears need no particle before a year; "final 2012" is a match.
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

// inPhase narrows a month or a year of another language down to its phase, where one is named.
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

// yearInPhase reads a year of another language that only stands behind the word for its phase:
// "Ende 2024".
func (p *parser) yearInPhase(i, after int) (Expression, bool) {
	ph, _ := p.phaseBefore(after, p.at(i).start, true)
	t, ok := p.civil(p.at(i).value, 1, 1)
	if ph == noPhase || !ok {
		return Expression{}, false
	}
	return p.foreignExpression(p.at(i).start, p.at(i).end, whole(t, calendar.Year), calendar.Year), true
}
