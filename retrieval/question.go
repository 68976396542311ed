package retrieval

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/temporal"
)

// asked holds the words of a question to search, and what else the question says.
type asked struct {
	words  string   // to look for
	lesser string   // those of them that tell a time
	actors []string // speakers that it names
	me     bool     // the speaker asks about themselves
	asker  string   // the only person who speaks in the group, if so; empty: there are several
	when   bool     // a time is asked for
	spans  []namedSpan
}

// namedSpan is a time that a question names, from a day to a decade. A yearly one is of any year:
// "in May", "on 8 May".
type namedSpan struct {
	temporal.Interval
	yearly bool
}

// fillers are words of questions that say nothing about the subject, beyond the stop words that the
// database leaves out.
var fillers = map[string]bool{
	"m": true, "ve": true, "re": true, "ll": true, "d": true, "many": true, "much": true, "would": true, "could": true, "might": true,
}

// questionOf reads a question. It leaves the names of speakers out of the words to search, as
// people seldom say their own name, unless the question has no other words.
func questionOf(text string, actors []string, times []dates.Expression) asked {
	words := strings.FieldsFunc(text, prose.BetweenWords)
	var q asked
	var kept []string
	for _, word := range words {
		lower := strings.ToLower(word)
		q.when = q.when || lower == "when"
		q.me = q.me || lower == "i" || lower == "me" || lower == "my" || lower == "mine"
		named := speakersNamed(lower, actors)
		q.actors = append(q.actors, each.Where(named, func(actor string) bool { return !slices.Contains(q.actors, actor) })...)
		if len(named) == 0 && !fillers[lower] {
			kept = append(kept, word)
		}
	}
	if people := slices.DeleteFunc(slices.Clone(actors), isMachine); q.me && len(people) == 1 {
		q.asker = people[0]
	}
	kept = append(kept, wholesIn(text)...)
	q.words = strings.Join(kept, " ")
	if len(kept) == 0 {
		q.words = text
	}
	q.spans = spansIn(times)
	q.lesser = timeWords(times)
	return q
}

// isMachine reports whether a speaker is called by the role of one who is no person.
func isMachine(actor string) bool {
	return !graph.Episode{Source: graph.SourceMessage, Role: actor}.ByPerson()
}

// Addresses, hosts, paths, versions and decimals are words of their own.
var whole = pattern.New(`[\pL\pN][.@/_:]+[\pL\pN]`)

// wholesIn returns the words with marks between letters or digits, which the database keeps as they
// stand.
func wholesIn(text string) []string {
	var wholes []string
	for _, word := range strings.Fields(text) {
		word = strings.TrimRight(strings.TrimLeft(word, `"'“”„(<[{`), `"'“”„)>]}.,;:!?`)
		if whole().MatchString(word) {
			wholes = append(wholes, word)
		}
	}
	return wholes
}

// timeWords returns the words of the times in a question. They say when, not what: people talk of
// "the past three months" whatever the subject.
func timeWords(times []dates.Expression) string {
	return strings.Join(each.Of(times, func(e dates.Expression) string { return e.Text }), " ")
}

// speakersNamed returns the speakers of whose name the word is a part.
func speakersNamed(word string, actors []string) []string {
	return each.Where(actors, func(actor string) bool {
		return len(word) > 1 && slices.Contains(strings.Fields(strings.ToLower(actor)), word)
	})
}

var fourDigits = pattern.New(`\d{4}`)

// spansIn returns the dated times of a question as spans.
func spansIn(times []dates.Expression) []namedSpan {
	var spans []namedSpan
	for _, e := range times {
		if e.Kind != dates.Dated {
			continue
		}
		closed := !e.Interval.Start.IsZero() && !e.Interval.End.IsZero()
		spans = append(spans, namedSpan{e.Interval, closed && namesMonth(e.Text) && !fourDigits().MatchString(e.Text)})
	}
	return spans
}

func namesMonth(text string) bool {
	text = strings.ToLower(text)
	for m := time.January; m <= time.December; m++ {
		if strings.Contains(text, strings.ToLower(m.String())[:3]) {
			return true
		}
	}
	return false
}
