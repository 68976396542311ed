// Package answer answers questions from what a memory has, and from nothing
// else: it searches, has a model answer, and lets through only the sentences
// whose words stand in the passages that they cite. Without a model the facts that
// answer are the answer; where none does, it shows the best passages, and says that
// it does.
//
// A question is answered step by step, one file each: what was found becomes
// numbered passages (evidence.go), the model answers (answerer.go), each sentence
// is compared with what the passages it names state (support.go, passage.go, on the
// words of words.go), and values by a schema are filled in from them too (slots.go,
// slots_rules.go). Without a model offline.go chooses the facts, or fitting.go passages.
package answer
