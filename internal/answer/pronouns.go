package answer

import (
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Whom a passage means by "she" is who was named last in it, else whom it is about.
// Only names of people count; where none is known, the first name of the statement
// before.

var (
	subjects    = setOf("he she they him them")
	possessives = setOf("his her hers their theirs")
)

// people are the words of names of people, each with all words of the name; of a word
// that several have, with itself.
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

// peopleOf are who speaks, and who else is known to be a person: by its type, or since
// facts begin from it that has none.
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

// aboutOf are whom messages tell of: the one from whom all facts begin that rest on one
// and are not of who says it.
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

// reader follows who is named in a text.
type reader struct {
	people people
	last   []word // who was named last
	sure   bool   // that is known to be a person
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

// meant reads a statement, and tells whom its first "she" means.
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
