// Package reading checks what a context tells an agent. It fills memories, asks
// questions, and compares the lines of the contexts with what a careful reader
// would want to be told.
//
// What a memory believes is checked by package truth. Here the graph is right:
// cases of that package bring the answers of a model along, and stories are
// conversations that the offline rules understand.
//
// # The form of a question
//
// One JSON object a line:
//
//	case     the id of the truth case whose memory is asked
//	ask, at  the question, and when it is asked
//	tells    lists of regular expressions: all of a list must match within one line that is no message
//	not_now  words: each line that has them must say that it is over: until …, was planned, taken back, no longer,
//	         called off, ended, (in 2018), (from … to …)
//	never    words that no line may have
//	first    pairs of words: the first line that has any of the two, and is no message, has the former
//
// The case of letters is ignored. A story has an id, messages (at, actor, role,
// text) and questions of this form. A question is right when all of it holds with
// default settings, and within a budget of tokens.
package reading
