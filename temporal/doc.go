// Package temporal holds the times of facts: half-open intervals, how their ends are known, and
// how they are told in words.
//
// An [Interval] is a stretch [Start, End). Facts carry two of them: when they hold in the world
// (valid) and when they were believed (recorded). A zero bound means unbounded. A [Validity] is an
// interval with how its ends are known, each a [Bound]: on what basis, and how exactly.
package temporal
