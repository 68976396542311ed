package engine

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/matching"
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
