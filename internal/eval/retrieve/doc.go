// Package retrieve puts the conversations of a benchmark into a memory and
// looks for evidence in it, as a user of the library would: with
// [annals.Client]. It is what the benchmarks of retrieval share; what they
// measure is in package ranking.
//
// A [Haystack] is filled into a group of its own, where each turn is an episode
// whose external id is the turn's, so that a group which is there is used again.
// A [Memory] is that group, ready to be asked by each of the [Probe]s. No model
// judges anything: the benchmark says which turns hold the answer.
package retrieve
