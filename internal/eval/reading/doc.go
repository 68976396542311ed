// Package reading checks the information that a context gives an agent. It fills
// memories, asks questions, and compares the lines of the contexts with the
// expectations of a careful reader.
//
// Package truth checks the beliefs of a memory. Here the graph is right: cases of
// that package contain the answers of a model, and stories are conversations that
// the offline rules understand.
//
// # The form of a question
//
// One JSON object a line:
//
//	case     the id of the truth case whose memory is asked
//	ask, at  the question, and when it is asked
//	tells    lists of regular expressions: all of a list must match in one line that is no message
//	not_now  words: each line with them must say that it is over: until …, was planned, taken back, no longer,
//	         called off, ended, (in 2018), (from … to …)
//	never    words that no line may contain
//	first    pairs of words: the first line that contains either, and is no message, contains the former
//
// The case of letters is ignored. A story has an id, messages (at, actor, role,
// text) and questions of this form. A question is right if everything holds both
// with default settings and within a budget of tokens.
package reading
