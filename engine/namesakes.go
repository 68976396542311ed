package engine

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
)

// One message may use one name for two people: "my sister Anna" and "my colleague Anna". Their
// bonds tell them apart: whose relative or friend each of them is.

// partNamesakes gives a second entity of the same name a place of its own.
func (d *draft) partNamesakes() {
	of := map[int][]matching.Bond{}
	for i := range d.statements {
		s := &d.statements[i]
		for _, end := range []*int{&s.source, &s.target} {
			bonds := d.bondsIn(s, *end)
			if bonds == nil {
				continue
			}
			if matching.OfOther(bonds, of[*end]) {
				*end = d.namesake(*end, bonds, of)
			}
			of[*end] = append(of[*end], bonds...)
		}
	}
	for place, bonds := range of {
		for o := range of {
			if o != place && strings.EqualFold(d.names[o].Name, d.names[place].Name) {
				d.names[place].bonds = bonds
			}
		}
	}
}

// bondsIn returns the bonds that a statement gives a name, if the message itself joins them: "my
// colleague Anna", and not "Anna is a colleague of mine".
func (d *draft) bondsIn(s *statement, place int) []matching.Bond {
	name, said := d.names[place].Name, d.episodes[s.episode].Content
	return slices.DeleteFunc(matching.Bonds(s.fact, name, ""), func(b matching.Bond) bool {
		return !strings.Contains(said, b.Noun+" "+name)
	})
}

// namesake returns the place of the other entity of a name that has some bonds. It adds one if
// needed.
func (d *draft) namesake(place int, bonds []matching.Bond, of map[int][]matching.Bond) int {
	name := d.names[place]
	for o, n := range d.names {
		if o != place && strings.EqualFold(n.Name, name.Name) && of[o] != nil && !matching.OfOther(bonds, of[o]) {
			return o
		}
	}
	name.id, name.aliases, name.Attributes = uuid.Nil, nil, nil
	d.names, d.nameVectors = append(d.names, name), append(d.nameVectors, d.nameVectors[place])
	return len(d.names) - 1
}

// otherKinds reports whether two names are of different kinds, or of two people.
func (d *draft) otherKinds(a, b int) bool {
	return matching.OtherKinds([]string{d.names[a].Label}, []string{d.names[b].Label}) || matching.OfOther(d.names[a].bonds, d.names[b].bonds)
}

// isAnother reports whether a known name may mean somebody else, so that the analyst is asked. The
// name is of another kind, or the text says "another" or "my other friend", or it is a sister and
// the known entity is a colleague.
func (d *draft) isAnother(a *askedName, known *change.Entity) bool {
	n := d.names[a.places[0]]
	return n.id == uuid.Nil && n.bonds == nil && (matching.OtherKinds([]string{n.Label}, known.Labels) ||
		slices.ContainsFunc(n.episodes, func(i int) bool {
			e := d.episodes[i]
			return matching.Another(e.Content, n.Name) || matching.OfOtherThan(known.Summary, n.Name, matching.Bonds(e.Content, n.Name, e.Speaker()))
		}))
}

// isShared reports whether a name is known as the short form of one name and begins another one, too:
// "Anna" where Anna Brandt and Anna Ruiz are known.
func (d *draft) isShared(a *askedName, known map[uuid.UUID]*change.Entity) bool {
	n := d.names[a.places[0]]
	short := func(id uuid.UUID) bool { return wording.Extends(known[id].Name, n.Name) }
	return n.id == uuid.Nil && n.bonds == nil && short(a.candidates[0]) && slices.ContainsFunc(a.candidates[1:], func(id uuid.UUID) bool {
		return short(id) && !matching.OtherKinds([]string{n.Label}, known[id].Labels)
	})
}
