// Package ranking scores what a search returned against what it should have
// returned. It is pure: rankings in, numbers out.
//
// A benchmark of conversations has turns, held in sessions, and says which of
// them hold the answer: the gold. A [Ranking] is a list of hits, the best
// first. A hit is a line that a model would be shown; it stands for the turns
// that it repeats or was made from, and it costs tokens. Three things are asked
// of it:
//
//   - turns: which share of the gold is among the first k distinct turns
//     ([TurnRecall]), and how far up ([TurnNDCG], [TurnReciprocalRank]);
//   - sessions, ranked by their best turn: is one, are all of the gold ones
//     among the first k ([SessionAny], [SessionAll]);
//   - context: which share of the gold turns a context of so many tokens shows,
//     and whether it shows all of them ([OfContexts]).
//
// [Okapi] is the baseline to beat, without a database. A [Sheet] collects the
// scores of many questions and becomes a [Table].
package ranking
