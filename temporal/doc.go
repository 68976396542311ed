// Package temporal holds the times of facts: half-open intervals, the bases of their ends, and
// their wording.
//
// An [Interval] is a range [Start, End). Facts carry two of them: when they hold in the world
// (valid) and when they were believed (recorded). A zero bound means unbounded. A [Validity] is an
// interval with a [Bound] for each end, which says on what basis and how exactly the end is known.
package temporal
