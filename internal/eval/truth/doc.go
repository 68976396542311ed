// Package truth checks the beliefs of a memory about time. Its cases have a few
// messages and the conclusions of a careful reader.
//
// A case contains the answers of a model: the entities and facts of each
// message, the words of their dates, and what they repeat, contradict and take
// back. [Analyst] answers every question of the pipeline from them. No model is
// needed, and the cases judge the pipeline alone, in a real database. With the
// offline rules as the analyst, only the texts are read.
//
// # The form of a case
//
// One JSON object a line:
//
//	id, rule        the case, and the rule that it tests
//	offline         the offline rules must get it right as well, from the texts alone
//	in_order        why the order of the messages matters; without it, messages that take nothing back may
//	                arrive in any order, each with its own time
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
// A known sentence may have several pairs of entities; a relation then refers to
// all of them. A triple names its ends by any of their names in the memory, and its
// predicate in any tense of its verb. A case holds if every expectation does.
package truth
