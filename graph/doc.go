// Package graph holds the words everything else is said in: an [Episode] is
// what was taken in, an [Entity] is a person or a thing it speaks of, a
// [Fact] is what holds between two entities and when, a [Community] is a
// cluster of entities.
//
// Facts live on two time axes. Valid is when the fact held in the world;
// Recorded is when it was what we believed. Both are half-open.
//
// The package knows no database and no model.
package graph
