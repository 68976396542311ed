// Package truth checks what a memory believes about time: cases of a few
// messages and of what a careful reader understands by them.
//
// A case brings the answers of a model along: the entities and facts of each
// message, the words of their dates, and what they repeat, contradict and take
// back. [Analyst] answers every question of the pipeline from them, so that no
// model is needed and what is judged is the pipeline, in a real database. With
// the offline rules as the analyst, the texts alone are read.
//
// # The form of a case
//
// One JSON object a line:
//
//	id, rule        the case, and what it stands for
//	offline         the offline rules must get it right as well, from the texts alone
//	in_order        why its messages must be read in their order; else those of a case where nothing is
//	                taken back may arrive in any order, each with its own time
//	messages        in the order in which they arrive:
//	  at, actor, role, text
//	  entities      name, type and, where the text tells them, aliases
//	  facts         source, predicate, target; fact, the sentence; valid_at and invalid_at in the
//	                words of the text ("": not said; "before now": it is over, not said since when);
//	                ends: it says that something stopped; kind: state or event
//	  relations     how the new facts stand to known ones, by their sentences: fact (a new one; "": the
//	                message states none and only takes back), contradicts, repeats, retracts
//	expect          at: a time in the world; holds and not: triples that must hold then, and that must not;
//	                reads: fact and when, its time in words as of then; a plan is listed as of then, too;
//	                known_at_message: as believed right after the n-th message, from 1; else at the end
//	happened        fact: the triple of an event, and the stretch [from, to) in which it happened, exactly
//
// A known sentence may stand for several pairs: all are meant. A triple names
// its ends by any name that the memory has for them, and its predicate in any
// tense of its verb. A case holds when every
// expectation does.
package truth
