// Package graph defines the nouns of Annals. An [Episode] is a stored message
// or document. An [Entity] is a person or thing that episodes mention. A [Fact]
// is a relation between two entities, with its times. A [Community] is a
// cluster of entities.
//
// Facts have two time axes. Valid is when the fact held in the world. Recorded
// is when Annals believed it. Both intervals are half-open.
//
// The package depends on no database and no model.
package graph
