package answer

import (
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// "She" in a passage means the person who was named last in it, else the person whom the passage is
// about. Only names of people count. If none is known, it means the first name before it in the
// statement, else the first name of the statement before.

var (
	subjects    = setOf("he she they him them")
	possessives = setOf("his her hers their theirs")
)

// people maps each word of a person's name to all words of the name. A word that several people
// share maps to itself.
type people map[string][]word

func (p people) add(name string) {
	var whole []word
	for _, w := range claimOf(name).words {
		if !w.light {
			whole = append(whole, word{stem: w.stem, name: true})
		}
	}
	for _, w := range whole {
		if known, is := p[w.stem]; is && !slices.Equal(known, whole) {
			p[w.stem] = []word{w}
		} else {
			p[w.stem] = whole
		}
	}
}

// peopleOf returns the speakers, and the entities that are people: by their type, or because they
// have no type and facts begin from them.
func peopleOf(found retrieval.Result) people {
	p, things := people{}, map[string]bool{}
	for _, h := range found.Episodes {
		p.add(h.Actor)
	}
	for _, h := range found.Entities {
		if slices.Contains(h.Labels, "Person") {
			p.add(h.Name)
		} else {
			things[h.Name] = true
		}
	}
	for _, h := range found.Facts {
		if !things[h.Source] {
			p.add(h.Source)
		}
	}
	return p
}

// aboutOf returns the person whom a message is about: the only source of the facts that the message
// states, apart from its speaker; empty: there is none, or several.
func aboutOf(found retrieval.Result, e graph.Episode) string {
	about := ""
	for _, f := range found.Facts {
		if !slices.Contains(f.Episodes, e.ID) || f.Source == e.Speaker() || f.Source == e.Actor {
			continue
		}
		if about != "" && about != f.Source {
			return ""
		}
		about = f.Source
	}
	return about
}

// reader follows which people are named in a text.
type reader struct {
	people people
	last   []word // the name that came last
	sure   bool   // whether that is known to be a person's
}

func (p *passage) reader() *reader {
	r := &reader{people: p.people, sure: p.about != ""}
	for _, w := range claimOf(p.about).words {
		if !w.light {
			r.last = append(r.last, w)
		}
	}
	return r
}

// meant reads a statement and returns whom its first pronoun means.
func (r *reader) meant(clause string) []word {
	var meant, first []word
	c := claimOf(clause)
	for i, w := range c.words {
		switch low := c.lower[i]; {
		case subjects[low] || possessives[low]:
			if meant == nil {
				if meant = r.last; !r.sure && first != nil {
					meant = first
				}
			}
		case !w.name || w.light || isDate(w.stem):
		case r.people[w.stem] != nil:
			r.last, r.sure = r.people[w.stem], true
		case first == nil:
			first = []word{w}
		}
	}
	if !r.sure && first != nil {
		r.last = first
	}
	return meant
}
