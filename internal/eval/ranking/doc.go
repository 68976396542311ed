// Package ranking scores the results of a search against the expected ones. It
// is pure: rankings in, numbers out.
//
// A benchmark of conversations has turns in sessions, and labels those that
// contain the answer: the gold. A [Ranking] is a list of hits, best first. A
// hit is a line shown to a model. It stands for the turns that it repeats or
// was made from, and it costs tokens. The measures are:
//
//   - turns: the share of the gold among the first k distinct turns
//     ([TurnRecall]), and its rank ([TurnNDCG], [TurnReciprocalRank]);
//   - sessions, ranked by their best turn: whether one or all of the gold
//     sessions are among the first k ([SessionAny], [SessionAll]);
//   - context: the share of the gold turns that a context of a given size
//     shows, and whether it shows all ([OfContexts]).
//
// [Okapi] is the baseline, without a database. A [Sheet] collects the scores of
// many questions and becomes a [Table].
package ranking
