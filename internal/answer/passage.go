package answer

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

// passage is what a model is shown, and what a sentence of its answer is compared
// with.
type passage struct {
	Citation
	speaker  string // who says the body as "I"; may be empty
	about    string // whom it tells of; may be empty
	people   people // whose names it may have
	body     string // what it says
	line     string // the same as a model is shown it
	more     string // its dates
	note     string // of a fact, what it may not be believed without: its dates, and what became of what else it says
	over     bool   // it held once
	disputed bool   // a higher authority says otherwise

	changes []retrieval.Change // what became of what it says, of a fact beside that itself
	hit     retrieval.FactHit  // of a fact, how it answers the question
	near    bool               // it means about what is asked

	valid temporal.Interval // when it holds; of what was said, since then
	since time.Time         // when it came to be as it is; zero: not known
}

// part is a statement that a passage makes.
type part struct {
	claim
	of    *passage
	dates claim
	meant []word // whom its "she" means

	over, disputed, takenBack bool // what became of it
}

// parts are the statements of a passage. A question states nothing.
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

// noteChange notes what became of the statements that say a thing: those that have its
// words, of whom it is; where none has, of all, since one of them says it.
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

// mostlyHas reports whether a statement has most of the words of another.
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

// isOf reports whether a statement is of somebody: it names them, or means them.
func (p part) isOf(name string) bool {
	return slices.ContainsFunc(claimOf(name).words, func(w word) bool {
		return !w.light && (p.hasStem(w) || p.speaks(w) && (p.claim.has(firstWords) || p.claim.has(ownWords)) || p.means(w))
	})
}

// speaks reports whether a word is a name of who says the passage.
func (p part) speaks(w word) bool {
	return slices.ContainsFunc(spelled(p.of.speaker), func(name string) bool { return wordOf(name).stem == w.stem })
}

// means reports whether a word is a name of whom "she" or "he" means.
func (p part) means(w word) bool {
	return claim{words: p.meant}.hasStem(w)
}
