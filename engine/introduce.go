package engine

import (
	"slices"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
)

// namedPredicate is that of what somebody is called.
const namedPredicate = "NAMED"

// introduce gives a speaker of whom only the role was known the name that she says late: "by
// the way, I'm Ana". Her entity takes it, and keeps the role as another name. Whoever goes by
// that name already may be somebody else, and stays so; and a speaker who has a name is not
// given another one.
func (d *draft) introduce(asked []*askedName) {
	of := func(place int) *askedName {
		return asked[slices.IndexFunc(asked, func(a *askedName) bool { return slices.Contains(a.places, place) })]
	}
	for _, s := range d.statements {
		speaker, name := of(s.source), of(s.target)
		if s.predicate != namedPredicate || s.ends || s.over() || name.node != nil || !matching.Unnamed(d.names[s.source].Name) ||
			d.onlyWithheld(s.source) || d.onlyWithheld(s.target) {
			continue
		}
		called, vector := d.names[s.target].Name, d.nameVectors[s.target]
		switch {
		case speaker.node == nil:
			speaker.node = change.NewEntity(d.groupID, called, vector)
			d.note(note{
				episodes: d.names[s.target].episodes, step: stepResolveEntities, decision: decidedCreated, subject: called,
				reason: "it is " + d.names[s.source].Name + ", who says so", entity: speaker.node,
			})
		case matching.Unnamed(speaker.node.Name):
			role := speaker.node.Name
			d.rename(speaker.node, called, vector)
			speaker.node.AddName(role)
		default:
			continue
		}
		d.match(name, speaker.node, "the speaker says so")
	}
}
