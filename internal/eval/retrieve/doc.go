// Package retrieve stores the conversations of a benchmark in a memory and
// searches it for evidence with [annals.Client], as a user of the library would.
// The benchmarks of retrieval share it; their measures are in package ranking.
//
// A [Haystack] is filled into a group of its own. Each turn is an episode with
// the turn's id as external id, so that an existing group is used again. A
// [Memory] is that group, ready for each of the [Probe]s. No model judges: the
// benchmark labels the turns that contain the answer.
package retrieve
