// Package answer answers questions from a memory, and from nothing else. It searches, lets a model
// answer, and keeps only the sentences that the passages they cite support. Without a model, the
// facts that answer the question are the answer. If there are none, it shows the best passages, and
// says so.
//
// Each step has its own file. The results of the search become numbered passages (evidence.go). The
// model answers (answerer.go). Each sentence is compared with the statements of the passages that
// it cites (support.go and passage.go, which use words.go). Values of a schema are also filled in
// from the passages (slots.go, slots_rules.go). Without a model, offline.go selects the facts, or
// fitting.go the passages.
package answer
