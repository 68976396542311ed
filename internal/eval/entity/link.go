package entity

import (
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/internal/each"
)

// linker assigns an entity's number to each name, a new number if no known entity
// fits.
type linker interface{ link(name string) int }

// matcherLinker resolves a name among all known entities, as Annals does.
type matcherLinker struct{ known []matching.Record }

func (l *matcherLinker) link(name string) int {
	mention := matching.Record{Names: []string{name}, Labels: []string{"Person"}}
	if i, _ := matching.Resolve(mention, l.known); i >= 0 {
		l.known[i].Names = append(l.known[i].Names, name)
		return i
	}
	l.known = append(l.known, mention)
	return len(l.known) - 1
}

// similarityLinker chooses the entity with the most similar name, if the similarity
// reaches a threshold.
type similarityLinker struct {
	names      []string
	entities   []int
	next       int
	similarity func(a, b string) float64
	threshold  float64
}

func (l *similarityLinker) link(name string) int {
	best, entity := l.threshold, -1
	for i, n := range l.names {
		if s := l.similarity(key(n), key(name)); s > best || s == best && entity < 0 {
			best, entity = s, l.entities[i]
		}
	}
	if entity < 0 {
		entity = l.next
		l.next++
	}
	l.names, l.entities = append(l.names, name), append(l.entities, entity)
	return entity
}

func equalNames(a, b string) float64 {
	if a == b {
		return 1
	}
	return 0
}

// score links all mentions in order and compares the entities with the persons.
func (s *mentionSet) score(name string, l linker) Result {
	r := Result{Dataset: s.name, Method: name, Mentions: len(s.mentions), Skipped: s.skipped}
	entities := each.Of(s.mentions, func(m mention) int { return l.link(m.name) })
	for i, m := range s.mentions {
		for j := range i {
			r.Pairs++
			switch same, put := s.mentions[j].person == m.person, entities[i] == entities[j]; {
			case same && put:
				r.TruePositives++
			case put:
				r.FalsePositives++
			case same:
				r.FalseNegatives++
			}
		}
	}
	r.rate()
	r.BCubed = s.bCubed(entities)
	return r
}

// bCubed averages the precision and recall of each mention's entity over all
// mentions.
func (s *mentionSet) bCubed(entities []int) *Rates {
	type both struct {
		entity int
		person string
	}
	persons, sizes, overlap := map[string]float64{}, map[int]float64{}, map[both]float64{}
	for i, m := range s.mentions {
		persons[m.person]++
		sizes[entities[i]]++
		overlap[both{entities[i], m.person}]++
	}
	var out Rates
	n := max(float64(len(s.mentions)), 1)
	for i, m := range s.mentions {
		shared := overlap[both{entities[i], m.person}]
		out.Precision += shared / sizes[entities[i]] / n
		out.Recall += shared / persons[m.person] / n
	}
	out.F1 = harmonic(out.Precision, out.Recall)
	return &out
}
