package dates

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/temporal"
)

// Resolved returns an English sentence with its relative expressions replaced by dates that stay
// true on any later day: said on 8 May 2024, "yesterday" becomes "on 7 May 2024" and "since last
// year" becomes "since 2023". Dates with a year, repeating times, lengths of time and quotes are
// kept. A date that could be before or after that day is placed by its verb, else by the known
// validity of the sentence; if neither helps, it is kept. Resolving again changes nothing more.
func Resolved(sentence string, said time.Time, holds temporal.Interval) string {
	if y := said.Year(); len(sentence) > MaxText || y < 1000 || y > 9990 || !mayBeRelative(sentence) {
		return sentence
	}
	once := resolved(sentence, said, holds)
	if once != sentence && resolved(once, said.AddDate(1, 2, 3), holds) != once {
		return sentence // a later reading would differ, so it is no date
	}
	return once
}

func resolved(sentence string, said time.Time, holds temporal.Interval) string {
	p := &parser{text: sentence, toks: tokenize(sentence), ref: said, byTense: true, dates: map[int]dateMemo{}}
	p.DayFirst = p.writesDayFirst()
	w := rewriting{parser: p, recurs: p.tellsWhatRecurs(), holds: holds}
	p.each(func(i, end int, e Expression) {
		if p.found = append(p.found, e); e.Kind == Dated && !w.quoted(i) {
			w.rewrite(i, end, e)
		}
	})
	return w.String() + sentence[w.at:]
}

// relativeWords are the words besides the names of days, months and seasons without which a
// sentence has nothing to resolve.
var relativeWords = set(`today yesterday tomorrow tonight tonite ago last next this past coming previous upcoming following now
	hence later earlier the in on tmr tmrw within week`)

// mayBeRelative quickly rules out most sentences without a time.
func mayBeRelative(s string) bool {
	if strings.ContainsAny(s, "0123456789") {
		return true
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 12 || len(w) < 2 {
			continue
		}
		w = strings.ToLower(w)
		if _, ok := months[w]; ok || relativeWords[w] {
			return true
		}
		if _, ok := weekdays[w]; ok {
			return true
		}
	}
	return false
}

// tellsWhatRecurs reports whether a sentence speaks of something that recurs each year or week.
func (p *parser) tellsWhatRecurs() bool {
	for i := range p.toks {
		if p.is(i, "birthday", "birthdays", "anniversary", "every", "each", "usually", "always", "often", "born", "sometimes", "annual", "annually", "yearly", "tradition", "normally", "typically") {
			return true
		}
	}
	return false
}

// dateLeaf is one date inside an expression.
type dateLeaf struct {
	*parser
	from, to int
	when     when
	start    time.Time // of the time that the date means
	bare     bool      // the date needs no preposition
	placed   bool      // the sentence says which of several such dates it means
}

// read places the date. It returns false if the date is to be kept.
func (l *dateLeaf) read() bool {
	w, end := l.date(l.from)
	at, ok := l.place(w)
	if end != l.to || !l.begins(l.from) || !l.ends(l.to) || !ok || at.Start.IsZero() || l.absolute(w) || l.titled() {
		return false
	}
	l.when, l.start = w, at.Start
	if _, day := dayWords[l.word(l.from)]; day && l.is(l.from-1, "in") {
		return false // "is in today" says that a person is present
	}
	if l.isFinal() {
		return false
	}
	return l.anchored() || l.placed
}

// isFinal reports whether "last" means the end of something: "Eva's last day", "the last day of the
// trial".
func (l *dateLeaf) isFinal() bool {
	k := l.skip(l.from, "the")
	_, isUnit := units[l.word(k+1)]
	_, isPart := partsOfDay[l.word(k+1)]
	return l.is(k, "last") && (isUnit || isPart) && k+2 == l.to &&
		(l.is(k-1, "'s", "my", "our", "his", "her", "its", "their", "your") || l.is(l.to, "of"))
}

// absolute reports whether a date names its year.
func (l *dateLeaf) absolute(w when) bool {
	named := l.any(func(k int) bool {
		_, end := l.yearInWords(k)
		t := l.at(k)
		return t.kind == numberToken && t.width == 4 || end > 0 && end <= l.to
	})
	return named || !w.fixed && w.parts.year != 0 && !l.anchored()
}

// any reports whether is holds for a token of the date.
func (l *dateLeaf) any(is func(k int) bool) bool {
	for k := l.from; k < l.to; k++ {
		if is(k) {
			return true
		}
	}
	return false
}

// titled reports whether capitals make the words a name: "Tom plays Yesterday".
func (l *dateLeaf) titled() bool {
	_, month := months[l.word(l.from)]
	_, day := weekdays[l.word(l.from)]
	return l.at(l.from).capital && !l.opens() && !month && !day && !holidayStarts[l.word(l.from)] && !l.is(l.from, "q", "h")
}

// opens reports whether the date begins a sentence.
func (l *dateLeaf) opens() bool {
	return l.from == 0 || l.is(l.from-1, ".", "!", "?", `"`, ":", "(", "*", "•")
}

// anchored reports whether the words count from the day they were said.
func (l *dateLeaf) anchored() bool {
	if l.any(func(k int) bool {
		_, day := dayWords[l.word(k)]
		_, shift := shifts[l.word(k)]
		return day || shift || l.is(k, "ago", "back", "tonight", "tonite", "tonit", "now", "hence", "later", "earlier", "within", "future")
	}) {
		return true
	}
	if _, end := l.inAmount(l.from); l.is(l.from, "in") && end == l.to {
		return true
	}
	_, end := l.unitBeside(l.skip(l.from, "the")) // "the week after"
	return end == l.to
}

// resolved returns the text that replaces the date, or "" to keep the date.
func (l *dateLeaf) resolved() string {
	for _, rule := range []func() string{l.counted, l.counting, l.phase, l.ofNamed, l.calendar} {
		if text := rule(); text != "" {
			if l.opens() && l.at(l.from).capital {
				return upperFirst(text)
			}
			return text
		}
	}
	return ""
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// source returns the text from one token to another.
func (l *dateLeaf) source(from, to int) string {
	return l.text[l.toks[from].start:l.toks[to-1].end]
}

// counted resolves a number of units: "two weeks ago", "in a few days".
func (l *dateLeaf) counted() string {
	k := l.skip(l.from, "in")
	about := l.is(k, "about", "around", "roughly", "almost", "nearly", "over")
	if about {
		k++
	}
	a, end := l.amount(k)
	if end == 0 || end > l.to || l.is(end, "before", "after", "from", "following", "prior") && !l.is(l.to-1, "now", "today") {
		return ""
	}
	sign := 1
	if l.is(end, "ago", "back", "earlier", "prior") {
		sign = -1
	}
	if l.any(func(k int) bool { return l.is(k, "few", "couple", "several", "some") }) {
		side := " after "
		if sign < 0 {
			side = " before "
		}
		return l.source(k, end) + side + l.sayDay(l.ref, a.gran)
	}
	g := a.gran
	if !a.single && g > calendar.Week {
		about, g = true, calendar.Month
	}
	if g == calendar.Week || g.Clock() {
		g = calendar.Day
	}
	l.bare = l.bare || about
	text := l.said(g, l.start, g == calendar.Day && l.to > end+1 && l.weekdayNamed())
	if about {
		return "around " + text
	}
	return text
}

// counting resolves a range up to the day or from it: "the last three weeks".
func (l *dateLeaf) counting() string {
	if l.is(l.from, "within") {
		if a, end := l.amount(l.from + 1); end == l.to {
			return l.source(l.from, end) + " of " + l.sayDay(l.ref, min(a.gran, calendar.Week))
		}
		return ""
	}
	k := l.skip(l.skip(l.from, "the"), "this")
	n := shifts[l.word(k)]
	if n == 0 {
		return ""
	}
	a, end := l.amount(k + 1)
	if u, next := l.unit(k + 1); end == 0 && l.is(k, "past") && next == l.to && u.g >= calendar.Week && u.g != calendar.Weekend {
		a, end = amount{gran: u.g}, next
	}
	if end != l.to {
		return ""
	}
	text := "the " + l.source(k+1, end) + map[bool]string{true: " up to ", false: " after "}[n < 0] + l.sayDay(l.ref, min(a.gran, calendar.Month))
	if l.led() || l.subject() || l.bare {
		return text
	}
	return "over " + text
}

// sayDay writes a day as precisely as a count of units can mean it.
func (l *dateLeaf) sayDay(t time.Time, g calendar.Granularity) string {
	switch {
	case g >= calendar.Year:
		return t.Format("2006")
	case g >= calendar.Month:
		return t.Format("January 2006")
	}
	return t.Format("2 January 2006")
}

// phase resolves the date after "early", "the end of" or "later".
func (l *dateLeaf) phase() string {
	k, of := l.from, false
	if _, next := l.phaseWord(l.from); next > 0 {
		k, of = next, l.is(next-1, "of")
	} else if r := l.skip(l.from, "the"); l.is(r, "rest", "remainder") {
		k, of = l.skip(r+1, "of"), true
	} else if l.is(l.from, "later", "earlier") {
		k = l.skip(l.from+1, "in")
	}
	if k == l.from {
		return ""
	}
	head := l.source(l.from, k)
	if l.is(k-1, "-") {
		head = strings.TrimSuffix(head, "-")
	}
	inner := *l
	inner.from, inner.bare = k, of || l.is(k-1, "in")
	g, at := calendar.Unknown, l.start
	if w, end := inner.date(k); end == l.to {
		place, ok := l.place(w)
		if _, named := l.monthName(k); !ok || named == l.to {
			return l.source(l.from, l.to) + l.start.Format(" 2006")
		}
		g, at = w.gran, place.Start
	} else if u := units[l.word(l.to-1)]; u.g >= calendar.Week {
		g = u.g
	}
	if g < calendar.Day {
		return ""
	}
	return head + " " + inner.said(g, at, false)
}

// ofNamed resolves a date that lacks only its year: "the first week of May", "Q3", "last
// Christmas".
func (l *dateLeaf) ofNamed() string {
	year := l.start.Format(" 2006")
	if _, end := l.holiday(l.from); end == l.to {
		k := l.skip(l.from, "the")
		if _, shifted := shifts[l.word(k)]; !shifted {
			return ""
		}
		name := l.source(k+1, l.to) + year
		switch {
		case l.led() || l.bare || l.subject():
			return name
		case l.is(l.to-1, "day", "eve"):
			return "on " + name
		}
		return "at " + name
	}
	if l.anchored() {
		return ""
	}
	_, month := months[l.word(l.to-1)]
	switch {
	case l.when.gran == calendar.Month && month, (l.when.gran == calendar.Week || l.when.gran == calendar.Weekend) && month:
		return l.source(l.from, l.to) + year
	case l.when.gran == calendar.Quarter && l.is(l.to-1, "quarter", "half"), l.when.gran == calendar.Week && l.at(l.to-1).kind == numberToken && l.is(l.to-2, "week"):
		return l.source(l.from, l.to) + " of" + year
	case l.when.gran == calendar.Quarter:
		return l.source(l.from, l.to) + year
	}
	return ""
}

// calendar resolves a unit of the calendar: "last Friday", "next month", "tonight".
func (l *dateLeaf) calendar() string {
	g := l.when.gran
	if g < calendar.Day || g > calendar.Decade || g == calendar.Decade && !l.anchored() || l.unclearWeekday() {
		return ""
	}
	if l.is(l.to, "'s") {
		return l.owning(g)
	}
	if g != calendar.Day {
		return l.said(g, l.start, false)
	}
	part := l.partOfDay()
	if part == "" {
		return l.said(calendar.Day, l.start, l.weekdayNamed())
	}
	text := "the " + part + " of " + writtenDay(l.start, l.weekdayNamed())
	if l.led() || l.bare || l.subject() {
		return text
	}
	return "on " + text
}
