package engine

import (
	"strings"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// learnName adds what an extracted name tells of its entity: a name it did not go
// by yet, a kind it did not have, attributes. A name that holds the whole of the
// old one and more takes its place; the other stays as an alias.
func learnName(n *change.Entity, name extractedName, vector []float32, o graph.Ontology) {
	learnLabel(n, name.Label, o)
	if merged := graph.MergeAttributes(n.Attributes, name.Attributes); !change.SameJSON(merged, n.Attributes) {
		n.Attributes, n.Changed = merged, true
	}
	if !n.GoesUnder(name.Name) {
		alias := name.Name
		if wording.Extends(name.Name, n.Name) {
			alias, n.Name, n.Vector = n.Name, name.Name, vector
		}
		n.AddName(alias)
	}
	for _, alias := range name.aliases {
		n.AddName(alias)
	}
}

// learnLabel adds a type to an entity that has none, or one that the group's owner
// defined to an entity that has only others.
func learnLabel(n *change.Entity, label string, o graph.Ontology) {
	_, defined := o.EntityType(label)
	if label != "" && (len(n.Labels) == 0 || defined) {
		n.AddLabel(label)
	}
}

// valueLabel is the type of what is measured, counted or paid. A value is itself only
// where it is written the same: 71 kg is not 17 kg.
const valueLabel = "Value"

// belongsTo reports whether a name is that of something of an entity's: Eva's sister is
// not Eva.
func belongsTo(name string, n *change.Entity) bool {
	owner, _, ok := strings.Cut(name, "'s ")
	return ok && n.GoesUnder(owner)
}
