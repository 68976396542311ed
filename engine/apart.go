package engine

import "strings"

// valueLabel is the type of what is measured, counted or paid. A value is itself only
// where it is written the same: 71 kg is not 17 kg.
const valueLabel = "Value"

// belongsTo reports whether a name is that of something of an entity's: Eva's sister is
// not Eva.
func belongsTo(name string, n *node) bool {
	owner, _, ok := strings.Cut(name, "'s ")
	return ok && n.goesUnder(owner)
}
