package answer

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

// passage is what the model sees, and what the sentences of its answer are compared with.
type passage struct {
	Citation
	speaker  string // the speaker, if the body has "I"; may be empty
	about    string // the person it is about; may be empty
	people   people // the people whose names it may have
	body     string // the text
	line     string // the text as the model sees it
	more     string // its dates
	note     string // for a fact, what has to be shown with it: its dates, and what has become of its other statements
	over     bool   // it has ended
	disputed bool   // a higher authority contradicts it

	changes []retrieval.Change // what has become of its statements; for a fact, of the others than itself
	hit     retrieval.FactHit  // for a fact, how it answers the question
	near    bool               // its meaning is similar to the question's

	valid temporal.Interval // when it holds; for a message, from when it was said
	since time.Time         // when it got its present form; zero: not known
}

// part is one statement of a passage.
type part struct {
	claim
	of    *passage
	dates claim
	meant []word // the person whom its "she" means

	over, disputed, takenBack bool // what has become of it
}

// parts returns the statements of a passage. Questions are left out.
func (p *passage) parts() []part {
	dates := claimOf(p.more)
	reader := p.reader()
	var out []part
	for _, sentence := range sentencesOf(p.body) {
		asks := strings.HasSuffix(strings.TrimRight(sentence, `"'”) `), "?")
		for _, stated := range apartFromAlternatives(sentence) {
			for _, clause := range clausesOf(stated) {
				c, meant := claimOf(clause), reader.meant(clause)
				if c.question = asks; !asks {
					out = append(out, part{claim: c, of: p, dates: dates, meant: meant, over: p.over, disputed: p.disputed})
				}
			}
		}
	}
	for _, c := range p.changes {
		p.noteChange(out, c)
	}
	return out
}

// noteChange marks the statements of a passage that a change is about: those with its words about
// the right person; if there are none, those with its words; else all, since one of them is meant.
func (p *passage) noteChange(parts []part, c retrieval.Change) {
	said, gone := claimOf(c.Fact.Target), c.TakenBack || c.Displaced
	if c.TakenBack || c.Fact.Target == "" {
		said = claimOf(c.Fact.Fact)
	}
	tells := func(one part) bool { return one.mostlyHas(said) }
	ofThem := func(one part) bool { return tells(one) && (c.TakenBack || one.isOf(c.Fact.Source)) }
	all := func(part) bool { return true }
	for _, one := range []func(part) bool{ofThem, tells, all} {
		if !slices.ContainsFunc(parts, one) {
			continue
		}
		for i := range parts {
			if one(parts[i]) {
				parts[i].takenBack = parts[i].takenBack || gone
				parts[i].disputed = parts[i].disputed || !gone && c.Opposed
				parts[i].over = parts[i].over || !gone && !c.Opposed
			}
		}
		return
	}
}

// mostlyHas reports whether a statement has most of the words of another one.
func (p part) mostlyHas(said claim) bool {
	has, all := 0, 0
	for _, w := range said.words {
		if w.light {
			continue
		}
		if all++; p.hasStem(w) || p.speaks(w) {
			has++
		}
	}
	return all > 0 && 2*has > all
}

// isOf reports whether a statement is about a person, by name or by pronoun.
func (p part) isOf(name string) bool {
	return slices.ContainsFunc(claimOf(name).words, func(w word) bool {
		return !w.light && (p.hasStem(w) || p.speaks(w) && (p.claim.has(firstWords) || p.claim.has(ownWords)) || p.means(w))
	})
}

// speaks reports whether a word is a name of the passage's speaker.
func (p part) speaks(w word) bool {
	return slices.ContainsFunc(spelled(p.of.speaker), func(name string) bool { return wordOf(name).stem == w.stem })
}

// means reports whether a word is a name of the person whom "she" or "he" means.
func (p part) means(w word) bool {
	return claim{words: p.meant}.hasStem(w)
}
