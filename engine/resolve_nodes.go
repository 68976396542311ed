package engine

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
)

func newNode(d *draft, a *askedName) *node {
	name := d.names[a.places[0]]
	return &node{
		Entity: graph.Entity{GroupID: d.groupID, ID: newID(), Name: name.Name, Aliases: []string{}, Labels: []string{}},
		isNew:  true, changed: true, vector: d.nameVectors[a.places[0]],
	}
}

// take adds what an extracted name tells of its entity: a name it did not go
// by yet, a kind it did not have, attributes. A name that holds the whole of the
// old one and more takes its place; the other stays as an alias.
func (n *node) take(name extractedName, vector []float32, o graph.Ontology) {
	n.label(name.Label, o)
	if merged := graph.MergeAttributes(n.Attributes, name.Attributes); !sameJSON(merged, n.Attributes) {
		n.Attributes = merged
		n.changed = true
	}
	if !n.goesUnder(name.Name) {
		alias := name.Name
		if extends(name.Name, n.Name) {
			alias, n.Name, n.vector = n.Name, name.Name, vector
		}
		n.goesBy(alias)
	}
	for _, alias := range name.aliases {
		n.goesBy(alias)
	}
}

// goesBy adds another name.
func (n *node) goesBy(alias string) {
	if !n.goesUnder(alias) {
		n.Aliases = append(slices.Clone(n.Aliases), alias)
		n.changed = true
	}
}

// extends reports whether a name has all the words of another, and more.
func extends(name, old string) bool {
	words := strings.Fields(strings.ToLower(name))
	for _, word := range strings.Fields(strings.ToLower(old)) {
		if !slices.Contains(words, word) {
			return false
		}
	}
	return len(name) > len(old)
}

// label adds a type to an entity that has none, or one that the group's owner
// defined to an entity that has only others.
func (n *node) label(label string, o graph.Ontology) {
	_, defined := o.EntityType(label)
	if label == "" || containsFold(n.Labels, label) || len(n.Labels) > 0 && !defined {
		return
	}
	n.Labels = append(slices.Clone(n.Labels), label)
	n.changed = true
}

// sameJSON compares attributes; none and {} are the same.
func sameJSON(a, b json.RawMessage) bool {
	var x, y map[string]any
	_ = json.Unmarshal(a, &x)
	_ = json.Unmarshal(b, &y)
	return len(x) == len(y) && reflect.DeepEqual(x, y) || len(x) == 0 && len(y) == 0
}
